package relay

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
)

// conversation is what one connection says: requests and answers, and after an
// upgrade the messages of a WebSocket. Its parsers run on the goroutines of the
// two directions.
type conversation struct {
	relay *Relay

	mu sync.Mutex
	// open are the requests whose answers have not come whole, oldest first.
	open []*call
	// socket is the upgrade that was granted; nil before.
	socket *call
	// left: the client has ended its side, or one side of the WebSocket has.
	left bool
}

// call is one request on its way.
type call struct {
	n    int
	head *http.Request
	body *kept
	told bool
}

// begin is a request's head.
func (c *conversation) begin(head *http.Request) *call {
	k := &call{n: c.relay.call(), head: head, body: c.keep()}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = append(c.open, k)
	return k
}

// Write takes a part of the body of a request that is not told yet.
func (c *conversation) write(k *call, p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !k.told {
		_, _ = k.body.Write(p)
	}
}

// tell tells the request once; cut if its body has not ended. c.mu is held.
func (c *conversation) tell(k *call, cut bool) {
	if k.told {
		return
	}
	k.told = true
	header := k.head.Header.Clone()
	header.Set("Host", k.head.Host)
	c.relay.tell(&Request{
		Call: k.n, Method: k.head.Method, Target: k.head.RequestURI, Header: header,
		Chunked: slices.Contains(k.head.TransferEncoding, "chunked"),
		Body:    k.body.bytes(), Size: k.body.size, Cut: cut,
	})
}

// sent is the end of a request's body, or of what has come of it.
func (c *conversation) sent(k *call, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tell(k, err != nil)
}

// garbled is a head that is none. The daemon's answer to it is the next one.
func (c *conversation) garbled(head []byte) {
	k := &call{n: c.relay.call(), told: true}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = append(c.open, k)
	c.relay.tell(&Garbled{Call: k.n, Bytes: head, Size: int64(len(head))})
}

// clientEnded tells the requests that wait for an answer that nobody reads.
func (c *conversation) clientEnded(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left || errors.Is(err, errAbandoned) {
		return
	}
	c.left = true
	for _, k := range c.open {
		c.tell(k, true)
		c.relay.tell(&Abandoned{Call: k.n, How: ending(err)})
	}
}

// oldest is the request that the next answer is for; nil if there is none.
func (c *conversation) oldest() *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) == 0 {
		return nil
	}
	return c.open[0]
}

// answered is the end of the answer to the oldest request.
func (c *conversation) answered(k *call, a *Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tell(k, true)
	c.open = c.open[1:]
	a.Call = k.n
	if a.Status == http.StatusSwitchingProtocols {
		c.socket = k
	}
	c.relay.tell(a)
}

// upgraded returns the upgrade that was granted, or nil.
func (c *conversation) upgraded() *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.socket
}

// socketEnded tells the end of a WebSocket's side, unless the other side ended
// before.
func (c *conversation) socketEnded(from Side, err error, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left || errors.Is(err, errAbandoned) {
		return
	}
	c.left = true
	c.relay.tell(&End{Call: c.socket.n, From: from, How: ending(err), Why: why})
}

func ending(err error) Ending {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Fin
	}
	return Reset
}

// kept keeps the beginning of what is written to it and counts the rest.
type kept struct {
	buf  bytes.Buffer
	most int64
	size int64
}

func (c *conversation) keep() *kept { return &kept{most: c.relay.cfg.Keep} }

func (k *kept) Write(p []byte) (int, error) {
	k.size += int64(len(p))
	if room := k.most - int64(k.buf.Len()); room > 0 {
		k.buf.Write(p[:min(int64(len(p)), room)])
	}
	return len(p), nil
}

// bytes returns what was kept and keeps it no more.
func (k *kept) bytes() []byte {
	b := bytes.Clone(k.buf.Bytes())
	k.buf = bytes.Buffer{}
	return b
}
