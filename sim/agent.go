package sim

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// Agent is a client of the daemon's HTTP side that writes its requests byte by
// byte. It holds no connection of its own: every call has one, which Send
// closes, or the Call's owner.
type Agent struct {
	// Dial is required.
	Dial DialFunc
	// Addr is where the daemon listens; protocol.DefaultAddr if empty.
	Addr string
	// Token is sent as Authorization: Bearer with every request that names no
	// Authorization itself, unless it is empty.
	Token string
}

func (a *Agent) addr() string {
	if a.Addr == "" {
		return protocol.DefaultAddr
	}
	return a.Addr
}

// Send makes one request on a connection of its own and reads the answer, while
// the request is still being written if the daemon answers that early. The
// error is the network's or ctx's; what had come by then is in the Response.
func (a *Agent) Send(ctx context.Context, r Request) (Response, error) {
	c, err := a.Start(ctx, r)
	if err != nil {
		return Response{}, err
	}
	defer c.Close()
	wrote := make(chan error, 1)
	go func() { wrote <- c.SendAll() }()
	resp, err := c.Read(ctx)
	// A daemon that has answered need not read the rest.
	_ = c.Close()
	if werr := <-wrote; err != nil && werr != nil && resp.Status == 0 {
		err = fmt.Errorf("%w, and while the request was written: %w", err, werr)
	}
	return resp, err
}

// Start connects and sends nothing yet. The caller closes the Call.
func (a *Agent) Start(ctx context.Context, r Request) (*Call, error) {
	conn, err := a.Dial(ctx, "tcp", a.addr())
	if err != nil {
		return nil, fmt.Errorf("connect to the daemon: %w", err)
	}
	return a.on(memnet.Wrap(conn), r), nil
}

// StartOn is Start on a connection that the caller has made.
func (a *Agent) StartOn(conn net.Conn, r Request) *Call { return a.on(memnet.Wrap(conn), r) }

func (a *Agent) on(conn *memnet.Faulty, r Request) *Call {
	if r.Host == nil && !r.NoHost {
		host := a.addr()
		r.Host = &host
	}
	if a.Token != "" && !r.has("Authorization") {
		r.Headers = append([]Header{{"Authorization", "Bearer " + a.Token}}, r.Headers...)
	}
	return &Call{agent: a, conn: conn, request: r}
}

func (r *Request) has(name string) bool {
	for _, h := range r.Headers {
		if strings.EqualFold(h.Name, name) {
			return true
		}
	}
	return false
}
