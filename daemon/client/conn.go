package client

import (
	"errors"
	"net"
	"sync/atomic"
)

// conn is a connection that knows whether a byte of the current request may
// have left this process. That decides between a definite error and
// outcome_unknown.
type conn struct {
	net.Conn
	state atomic.Int32
}

const (
	untouched int32 = iota // nothing of the current request was written
	touched                // some of it was, or is being, written
	revoked                // nothing was written, and nothing will be
)

var errRevoked = errors.New("the request was given up")

// begin says that a new request will be written.
func (c *conn) begin() { c.state.Store(untouched) }

// revoke reports whether nothing of the request was written. Then nothing will be.
func (c *conn) revoke() bool {
	return c.state.CompareAndSwap(untouched, revoked) || c.state.Load() == revoked
}

// Write implements net.Conn.
func (c *conn) Write(b []byte) (int, error) {
	first := c.state.CompareAndSwap(untouched, touched)
	if !first && c.state.Load() == revoked {
		return 0, errRevoked
	}
	n, err := c.Conn.Write(b)
	if first && n == 0 && err != nil {
		c.state.CompareAndSwap(touched, untouched)
	}
	return n, err
}
