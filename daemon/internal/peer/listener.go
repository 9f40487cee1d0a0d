package peer

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// Listener is a listener in memory whose connections are net.Pipes. A pipe
// holds no byte: a write waits until the other end reads, so that a peer which
// reads nothing stalls its other end at once, and every wait is one that a
// bubble of testing/synctest knows.
type Listener struct {
	calls  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// Listen returns a listener that nobody has called yet.
func Listen() *Listener {
	return &Listener{calls: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept returns the other end of the next Dial.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.calls:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Dial. Connections live on.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr returns the address that the daemon has by default.
func (l *Listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 17373} }

// Dial returns a connection when it was accepted.
func (l *Listener) Dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.calls <- far:
		return near, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Client returns a client whose every request has a connection of its own,
// which ends with it.
func (l *Listener) Client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return l.Dial(ctx) },
	}}
}
