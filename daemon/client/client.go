package client

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const (
	// idleTime is how long an unused connection is kept. It is shorter than the
	// daemon keeps one, so that the end that sends next is the end that closes.
	idleTime = 30 * time.Second
	// idleConns is how many unused connections are kept: what one browser's
	// sessions can use at a time.
	idleConns = 128
)

// Options say which daemon a Client talks to.
type Options struct {
	// Addr is the daemon's address, 127.0.0.1 and a port; empty means
	// protocol.DefaultAddr.
	Addr string
	// Token is what config.json of the daemon's config directory holds. Without
	// one only Ping works.
	Token string
	// Dial makes a connection to the daemon; nil means TCP. What it returns is
	// the Client's, which closes it.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Client sends commands to one daemon. It is safe for concurrent use.
type Client struct {
	addr      string
	limits    protocol.Limits
	token     atomic.Pointer[string]
	connect   func(ctx context.Context, network, addr string) (net.Conn, error)
	transport *http.Transport
}

// New returns a Client. It connects to nothing yet. An address that is not
// 127.0.0.1 with a port is an error: the token must not leave the machine.
func New(o Options) (*Client, error) {
	if o.Addr == "" {
		o.Addr = protocol.DefaultAddr
	}
	if err := checkAddr(o.Addr); err != nil {
		return nil, err
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{}).DialContext
	}
	c := &Client{addr: o.Addr, limits: protocol.DefaultLimits(), connect: o.Dial}
	c.token.Store(&o.Token)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	c.transport = &http.Transport{
		// No Proxy: 127.0.0.1 is reached directly whatever the environment says.
		DialContext:            c.dialProven,
		Protocols:              protocols,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    idleConns,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: 64 << 10,
	}
	return c, nil
}

// Close closes the connections that are not in use. Those in use end with their
// commands. The Client stays usable.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Addr returns the daemon's address.
func (c *Client) Addr() string { return c.addr }

func checkAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err == nil && host == "127.0.0.1" {
		if n, err := strconv.ParseUint(port, 10, 16); err == nil && n > 0 {
			return nil
		}
	}
	return fmt.Errorf("check address: %q is not 127.0.0.1 with a port, such as %s", addr, protocol.DefaultAddr)
}
