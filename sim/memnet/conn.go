package memnet

import (
	"errors"
	"io"
	"net"
	"time"
)

// BufferSize is how many bytes one direction of a connection holds unless the
// network was made with another size.
const BufferSize = 64 << 10

// Conn is one end of a connection. Its methods may be called by several
// goroutines at a time.
//
// A Write of at most the buffer's size waits until the whole of it fits, as a
// write of PIPE_BUF does in pipe(7); a larger one goes in pieces. When its
// deadline passes, Write returns how many bytes went.
//
// Unlike a kernel's, a Conn that is closed with unread bytes in its buffer ends
// its other direction by an EOF, not by a reset; Reset is for that.
type Conn struct {
	in, out       *stream
	local, remote *net.TCPAddr
}

var _ net.Conn = (*Conn)(nil)

// Pipe returns the two ends of a connection that belongs to no network. Each
// direction holds size bytes; BufferSize if size is not positive.
func Pipe(size int) (*Conn, *Conn) {
	return pipe(size, loopback(0), loopback(0))
}

func pipe(size int, a, b *net.TCPAddr) (*Conn, *Conn) {
	if size <= 0 {
		size = BufferSize
	}
	there, back := newStream(size), newStream(size)
	return &Conn{in: back, out: there, local: a, remote: b}, &Conn{in: there, out: back, local: b, remote: a}
}

// Read returns what has arrived, io.EOF after the other end's CloseWrite or
// Close, and ECONNRESET after its Reset.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.in.read(p)
	return n, c.wrap("read", err)
}

// Write fails with EPIPE once the other end is closed, or after CloseWrite.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.out.write(p)
	return n, c.wrap("write", err)
}

// Close ends both directions. What was written before can still be read.
func (c *Conn) Close() error {
	again := false
	c.out.update(func() { again, c.out.writerClosed, c.out.eof = c.out.writerClosed, true, true })
	c.in.update(func() { c.in.readerClosed = true })
	if again {
		return c.wrap("close", net.ErrClosed)
	}
	return nil
}

// CloseWrite ends the outgoing direction (FIN): the other end reads what was
// written, then io.EOF, and may go on writing.
func (c *Conn) CloseWrite() error {
	var err error
	c.out.update(func() {
		if c.out.writerClosed {
			err = net.ErrClosed
			return
		}
		c.out.eof = true
	})
	return c.wrap("close", err)
}

// Reset ends both directions at once (RST): what is buffered is lost, the other
// end gets ECONNRESET, this one net.ErrClosed.
func (c *Conn) Reset() error {
	c.out.update(func() { c.out.writerClosed, c.out.reset = true, true })
	c.in.update(func() { c.in.readerClosed, c.in.reset = true, true })
	return nil
}

// Unread returns how many bytes wait to be read at this end.
func (c *Conn) Unread() int { return c.in.waiting() }

// LocalAddr returns this end's address, a *net.TCPAddr on 127.0.0.1.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr returns the other end's address, a *net.TCPAddr on 127.0.0.1.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline sets both deadlines; the zero time is none.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline ends Reads at t, a waiting one too, with os.ErrDeadlineExceeded.
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.in.readBy.set(c.in, t)
	return c.closedError()
}

// SetWriteDeadline ends Writes at t, a waiting one too, with os.ErrDeadlineExceeded.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.out.writeBy.set(c.out, t)
	return c.closedError()
}

func (c *Conn) closedError() error {
	var err error
	c.in.update(func() {
		if c.in.readerClosed {
			err = net.ErrClosed
		}
	})
	return c.wrap("set", err)
}

func (c *Conn) wrap(op string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}
