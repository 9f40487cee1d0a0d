package sim

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// Attempt is one try to connect.
type Attempt struct {
	At  time.Time
	Err error
}

// readLimit is the largest message that a Browser reads, in bytes: above what
// the daemon may send, which is what the tests look at.
const readLimit = 64 << 20

// Connect makes one connection and returns when the daemon has welcomed it. The
// error is a *Refused, a *Closed, ErrImpostor, ErrConnected, or the network's.
// The connection lives on when ctx ends after that.
func (b *Browser) Connect(ctx context.Context) error {
	b.mu.Lock()
	switch {
	case b.closed:
		b.mu.Unlock()
		return ErrClosed
	case b.dialling, b.link != nil && b.link.alive():
		b.mu.Unlock()
		return ErrConnected
	}
	b.dialling = true
	b.attempts = append(b.attempts, Attempt{At: time.Now()})
	at := len(b.attempts) - 1
	b.mu.Unlock()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(b.stop, func() { cancel(ErrClosed) })
	defer stop()
	err := b.connect(ctx)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("connect: %w", context.Cause(ctx))
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	b.dialling = false
	b.attempts[at].Err = err
	return err
}

func (b *Browser) connect(ctx context.Context) error {
	asks := b.cfg.Token != "" && !b.cfg.SocketOnly
	if asks {
		if err := b.checkProof(ctx); err != nil {
			return err
		}
		if b.profile.AskFirst {
			if err := b.ask(ctx); err != nil {
				return err
			}
		}
	}
	l, err := b.upgrade(ctx)
	if refused, ok := errors.AsType[*Refused](err); ok && !b.profile.AskFirst && asks {
		refused.Asked = b.asked(ctx)
	}
	if err != nil {
		return err
	}
	return l.greet(ctx)
}

// upgrade opens the WebSocket and makes it the browser's connection.
func (b *Browser) upgrade(ctx context.Context) (*link, error) {
	var under capture
	client := b.client(&under)
	protocols := []string{protocol.Version}
	if b.cfg.Token != "" {
		protocols = append(protocols, protocol.TokenProtocol+b.cfg.Token)
	}
	var l *link
	ready := make(chan struct{})
	ws, resp, err := websocket.Dial(ctx, "ws://"+b.cfg.Addr+"/extension", &websocket.DialOptions{
		HTTPClient:   client,
		HTTPHeader:   http.Header{"Origin": {b.profile.Origin}},
		Subprotocols: protocols,
		// The library would answer a ping beside the browser's own writer.
		OnPingReceived: func(_ context.Context, payload []byte) bool {
			<-ready
			l.out.control(OpPong, payload)
			return false
		},
	})
	if err != nil {
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			return nil, refusal("the upgrade", resp)
		}
		return nil, fmt.Errorf("upgrade: %w", err)
	}
	ws.SetReadLimit(readLimit)
	conn := under.last()

	b.mu.Lock()
	defer b.mu.Unlock()
	defer close(ready)
	if b.closed {
		_ = conn.Close()
		return nil, ErrClosed
	}
	b.conns++
	l = newLink(b, b.conns, ws, conn)
	b.link, b.suspended = l, false
	l.start()
	return l, nil
}

// client returns an HTTP client for one request, whose connection under keeps.
func (b *Browser) client(under *capture) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives:  true,
		DisableCompression: true,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := b.cfg.Dial(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return under.keep(memnet.Wrap(c)), nil
		},
	}}
}

// capture holds the connection under an HTTP client, for what a WebSocket
// library cannot be asked to do.
type capture struct {
	mu   sync.Mutex
	conn *memnet.Faulty
}

func (c *capture) keep(conn *memnet.Faulty) *memnet.Faulty {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = conn
	return conn
}

func (c *capture) last() *memnet.Faulty {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn
}
