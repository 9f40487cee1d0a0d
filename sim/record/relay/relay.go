package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// Config says where a Relay leads. Dial and Observe are required.
type Config struct {
	// Upstream is the daemon's address.
	Upstream string
	Dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	// Observe is told what goes by, one event at a time and with the time at
	// which its last byte came. What it takes, the connection waits.
	Observe func(at time.Time, e Event)
	// Keep is how many bytes of one message are kept, 64 MiB if 0. What is longer
	// passes all the same.
	Keep int64
}

// Relay passes connections through. The zero value is of no use; see New.
type Relay struct {
	cfg Config

	mu    sync.Mutex
	calls int
	over  bool
}

// New returns a Relay that has no connection yet.
func New(cfg Config) *Relay {
	if cfg.Keep == 0 {
		cfg.Keep = 64 << 20
	}
	return &Relay{cfg: cfg}
}

// Serve takes connections from ln until ctx ends, closes ln and then every
// connection, and waits for all of them. Nothing is told of what that ends: the
// end of a relay is no news of its ends. The error is the listener's; nil at
// the end of ctx.
func (r *Relay) Serve(ctx context.Context, ln net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = ln.Close() })
	defer stop()
	for {
		down, err := ln.Accept()
		if ctx.Err() != nil {
			if err == nil {
				_ = down.Close()
			}
			r.seal()
			return nil
		}
		if err != nil {
			r.seal()
			_ = ln.Close()
			return fmt.Errorf("accept: %w", err)
		}
		work.Go(func() { r.pass(ctx, down) })
	}
}

// seal lets nothing more be told.
func (r *Relay) seal() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
}

func (r *Relay) tell(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.cfg.Observe(time.Now(), e)
	}
}

func (r *Relay) call() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	return r.calls
}

// pass serves one connection until both of its directions have ended.
func (r *Relay) pass(ctx context.Context, down net.Conn) {
	up, err := r.cfg.Dial(ctx, "tcp", r.cfg.Upstream)
	if err != nil {
		if ctx.Err() == nil {
			r.tell(&Unreachable{Err: err})
		}
		// The nearest thing to a connection that nobody takes.
		_ = memnet.ResetConn(down)
		return
	}
	stop := context.AfterFunc(ctx, func() {
		r.seal()
		_, _ = down.Close(), up.Close()
	})
	defer stop()
	c := &conversation{relay: r}
	var both sync.WaitGroup
	both.Go(func() { pump(up, down, newFeed(c.requests)) })
	both.Go(func() { pump(down, up, newFeed(c.answers)) })
	both.Wait()
	_, _ = down.Close(), up.Close()
}

// pump passes what src sends on to dst, after the feed has seen it.
func pump(dst, src net.Conn, f *feed) {
	buf := make([]byte, 32<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			f.push(buf[:n])
			if _, werr := dst.Write(buf[:n]); werr != nil {
				// Who writes to somebody that is gone is told so by a reset.
				f.end(errAbandoned)
				_ = memnet.ResetConn(src)
				return
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			f.end(io.EOF)
			if memnet.CloseWrite(dst) != nil {
				_ = dst.Close()
			}
			return
		case errors.Is(err, net.ErrClosed):
			// The other direction has ended both, or the relay is over.
			f.end(errAbandoned)
			return
		case err != nil:
			f.end(err)
			_ = memnet.ResetConn(dst)
			return
		}
	}
}
