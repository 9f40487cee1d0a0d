package daemon

import (
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// listener keeps the limits that net/http cannot: how many connections are
// open, and how long a write may make no progress (LIMIT-01).
type listener struct {
	net.Listener
	limits protocol.Limits
	open   atomic.Int64
}

func limit(ln net.Listener, l protocol.Limits) *listener { return &listener{Listener: ln, limits: l} }

// Accept closes at once what comes past the most connections: a connection that
// never finishes its header holds no slot, and must not hold a descriptor either.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) <= int64(l.limits.Connections) {
			return &conn{Conn: c, stall: l.limits.StallTime, closed: sync.OnceFunc(func() { l.open.Add(-1) })}, nil
		}
		l.open.Add(-1)
		_ = c.Close()
	}
}

// conn ends a write that makes no progress. A deadline set before a large write
// would end one that is slow but moves; here each piece has its own.
type conn struct {
	net.Conn
	stall  time.Duration
	closed func()
}

// pieceBytes is how much is written under one deadline.
const pieceBytes = 64 << 10

func (c *conn) Write(p []byte) (n int, err error) {
	for n < len(p) {
		if err := c.SetWriteDeadline(time.Now().Add(c.stall)); err != nil {
			return n, err
		}
		m, err := c.Conn.Write(p[n:min(len(p), n+pieceBytes)])
		n += m
		if err != nil && (m == 0 || !errors.Is(err, os.ErrDeadlineExceeded)) {
			return n, err
		}
	}
	return n, nil
}

func (c *conn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// CloseWrite half-closes the connection; net/http does so after an early
// answer, so that the caller can still read it.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
