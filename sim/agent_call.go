package sim

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// Call is one request under way on a connection, sent and read in the pieces
// that its owner wants. Sending and reading may go on at the same time.
type Call struct {
	agent   *Agent
	conn    *memnet.Faulty
	request Request
	// rest is what was read behind the answer.
	rest []byte
}

// Conn returns the connection, for bytes that are no HTTP any more, such as
// those after a 101; Rest first returns those that were read already.
func (c *Call) Conn() net.Conn { return c.conn }

// Rest returns what was read behind the answer and gives it away.
func (c *Call) Rest() []byte {
	rest := c.rest
	c.rest = nil
	return rest
}

// SendHead writes the request line and the header.
func (c *Call) SendHead() error { return c.SendRaw(c.request.head()) }

// SendBody writes a part of the body, in chunks if the request is chunked.
func (c *Call) SendBody(p []byte) error {
	if c.request.Chunked {
		p = c.request.chunks(p)
	}
	return c.SendRaw(p)
}

// EndBody writes the last chunk of a chunked body.
func (c *Call) EndBody() error {
	if !c.request.Chunked {
		return nil
	}
	return c.SendRaw([]byte("0\r\n\r\n"))
}

// SendRaw writes bytes as they are.
func (c *Call) SendRaw(p []byte) error {
	_, err := c.conn.Write(p)
	return err
}

// SendAll writes the whole request.
func (c *Call) SendAll() error {
	return errors.Join(c.SendHead(), c.SendBody(c.request.Body), c.EndBody())
}

// HalfClose says that nothing more is sent (FIN), as nc -N does. The answer can
// still be read.
func (c *Call) HalfClose() error { return c.conn.CloseWrite() }

// Close closes the connection.
func (c *Call) Close() error { return c.conn.Close() }

// Reset resets the connection (RST).
func (c *Call) Reset() error { return c.conn.Reset() }

// StopReading keeps a Read that is under way from reading on; without a Read
// nothing is read in any case. ResumeReading ends it.
func (c *Call) StopReading() { c.conn.Pause() }

// ResumeReading ends a StopReading.
func (c *Call) ResumeReading() { c.conn.Resume() }

// NetIn replaces the faults of what the connection reads from the network, and
// NetOut those of what it writes.
func (c *Call) NetIn(faults ...memnet.Fault) { c.conn.In(faults...) }

// NetOut is described at NetIn.
func (c *Call) NetOut(faults ...memnet.Fault) { c.conn.Out(faults...) }

// Next returns a call for another request on the same connection, once this
// one's answer has been read.
func (c *Call) Next(r Request) *Call {
	next := c.agent.on(c.conn, r)
	next.rest = c.Rest()
	return next
}

// Read reads the answer. At the end of ctx it returns what has come and ctx's
// error; the connection stays open, and what was read is lost to a later Read.
func (c *Call) Read(ctx context.Context) (Response, error) {
	stop := c.until(ctx)
	defer stop()
	in := &input{conn: c.conn, raw: c.Rest()}
	resp, err := in.response(c.request.Method == "HEAD")
	c.rest = in.raw[in.used:]
	if err != nil && ctx.Err() != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		err = context.Cause(ctx)
	}
	if err != nil {
		return resp, fmt.Errorf("read the answer: %w", err)
	}
	return resp, nil
}

// ReadBytes reads n bytes of whatever comes, fewer only at an error.
func (c *Call) ReadBytes(ctx context.Context, n int) ([]byte, error) {
	stop := c.until(ctx)
	defer stop()
	p := append(make([]byte, 0, n), c.rest[:min(n, len(c.rest))]...)
	c.rest = c.rest[len(p):]
	for len(p) < n {
		k, err := c.conn.Read(p[len(p):n])
		if p = p[:len(p)+k]; err != nil {
			return p, err
		}
	}
	return p, nil
}

// until lets reads end with ctx.
func (c *Call) until(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	end := context.AfterFunc(ctx, func() {
		_ = c.conn.SetReadDeadline(time.Unix(1, 0))
		close(done)
	})
	return func() {
		if !end() {
			<-done
			_ = c.conn.SetReadDeadline(time.Time{})
		}
	}
}
