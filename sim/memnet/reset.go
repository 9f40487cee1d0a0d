package memnet

import (
	"errors"
	"fmt"
	"net"
)

// ErrCannot says that a connection has no half-close or no reset.
var ErrCannot = errors.New("this kind of connection cannot do that")

// ResetConn ends c by a reset (RST): a Conn or a Faulty by its own method, a
// TCP connection by closing it with a linger time of zero.
func ResetConn(c net.Conn) error {
	switch c := c.(type) {
	case interface{ Reset() error }:
		return c.Reset()
	case *net.TCPConn:
		return errors.Join(c.SetLinger(0), c.Close())
	}
	return fmt.Errorf("reset %T: %w", c, ErrCannot)
}

// CloseWrite ends the outgoing direction of c (FIN).
func CloseWrite(c net.Conn) error {
	if h, ok := c.(interface{ CloseWrite() error }); ok {
		return h.CloseWrite()
	}
	return fmt.Errorf("half-close %T: %w", c, ErrCannot)
}
