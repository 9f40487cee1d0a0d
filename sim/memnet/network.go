package memnet

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// Port is the port of Listen: that of protocol.DefaultAddr.
const Port = 17373

// Network is one machine's loopback: listeners on ports of 127.0.0.1 and the
// connections dialled to them.
type Network struct {
	size int

	mu        sync.Mutex
	listeners map[int]*listener
	nextPort  int
}

// New returns an empty network whose connections hold BufferSize bytes in each
// direction.
func New() *Network { return NewSize(BufferSize) }

// NewSize is New with another size of the buffers, in bytes.
func NewSize(size int) *Network {
	return &Network{size: size, listeners: make(map[int]*listener), nextPort: firstEphemeral}
}

// firstEphemeral is where the ports of dialling ends begin (RFC 6335, section 6).
const firstEphemeral = 49152

// Listen listens on 127.0.0.1:17373. It panics if that port is taken, since
// then two daemons were started where one was meant; ListenPort returns that
// as an error.
func (n *Network) Listen() net.Listener {
	l, err := n.ListenPort(Port)
	if err != nil {
		panic(err)
	}
	return l
}

// ListenPort listens on a port of 127.0.0.1; 0 takes a free one. The error of a
// taken port is EADDRINUSE. Connections wait in a backlog of 4,096 until they
// are accepted; closing the listener resets the ones that wait there.
func (n *Network) ListenPort(port int) (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if port == 0 {
		port = n.freePort()
	}
	if _, taken := n.listeners[port]; taken {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Addr: loopback(port), Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}
	}
	l := newListener(loopback(port), func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.listeners, port)
	})
	n.listeners[port] = l
	return l, nil
}

// DialContext connects to a listener, as net.Dialer's method of that name does:
// it returns as soon as the connection stands in the listener's backlog. The
// error is ECONNREFUSED when nobody listens.
func (n *Network) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	to, err := resolve(network, addr)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	fail := func(err error) error { return &net.OpError{Op: "dial", Net: network, Addr: to, Err: err} }
	if err := ctx.Err(); err != nil {
		return nil, fail(err)
	}
	n.mu.Lock()
	l, from := n.listeners[to.Port], loopback(n.freePort())
	n.mu.Unlock()
	if l == nil {
		return nil, fail(errRefused())
	}
	near, far := pipe(n.size, from, to)
	if err := l.offer(ctx, far); err != nil {
		return nil, fail(err)
	}
	return near, nil
}

// freePort returns the next port that is not listened on. n.mu is held.
func (n *Network) freePort() int {
	for {
		port := n.nextPort
		if n.nextPort++; n.nextPort > 65535 {
			n.nextPort = firstEphemeral
		}
		if _, taken := n.listeners[port]; !taken {
			return port
		}
	}
}

func errRefused() error { return os.NewSyscallError("connect", syscall.ECONNREFUSED) }

func loopback(port int) *net.TCPAddr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port} }

func resolve(network, addr string) (*net.TCPAddr, error) {
	if network != "tcp" && network != "tcp4" {
		return nil, net.UnknownNetworkError(network)
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	p, err := strconv.ParseUint(port, 10, 16)
	if err != nil || host != "127.0.0.1" {
		return nil, &net.AddrError{Err: fmt.Sprintf("is no port of %s", "127.0.0.1"), Addr: addr}
	}
	return loopback(int(p)), nil
}
