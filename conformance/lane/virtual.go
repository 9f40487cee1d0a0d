package lane

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"testing/synctest"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// NewVirtual returns the virtual lane, whose scenarios run in bubbles.
func NewVirtual(b *Bubbles) Lane { return &virtual{b} }

type virtual struct{ bubbles *Bubbles }

func (v *virtual) Name() ledger.Lane { return ledger.Virtual }

func (v *virtual) Run(patience time.Duration, f func(Clock, target.Network)) error {
	return v.bubbles.Run(patience, func() { f(VirtualClock{}, &memory{memnet.New()}) })
}

// memory is the in-memory network of one bubble. Both its ends are made inside,
// since a channel from outside would keep the bubble's time from passing.
type memory struct{ net *memnet.Network }

func (m *memory) Listen(_ context.Context, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || host != "127.0.0.1" {
		return nil, fmt.Errorf("listen on %s: the network in memory has 127.0.0.1 alone", addr)
	}
	return m.net.ListenPort(int(n))
}

func (m *memory) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return m.net.DialContext(ctx, network, addr)
}

// VirtualClock is the clock of a bubble. It must only be used inside one.
type VirtualClock struct{}

// Now returns the bubble's time.
func (VirtualClock) Now() time.Time { return time.Now() }

// Since returns the time since then.
func (VirtualClock) Since(then time.Time) time.Duration { return time.Since(then) }

// Adapt returns d: the bubble's clock can assert every edge.
func (VirtualClock) Adapt(d time.Duration) time.Duration { return d }

// Exact returns true.
func (VirtualClock) Exact() bool { return true }

// Settle waits until every other goroutine of the bubble is durably blocked.
func (VirtualClock) Settle() { synctest.Wait() }

// Elapse sleeps and then settles.
func (c VirtualClock) Elapse(ctx context.Context, d time.Duration) error {
	if err := sleep(ctx, d); err != nil {
		return err
	}
	synctest.Wait()
	return nil
}

// Until asks cond each time the bubble has come to rest.
func (c VirtualClock) Until(ctx context.Context, cond func() bool) error {
	return until(ctx, c.Now, virtualLimit, synctest.Wait, cond)
}

// Took compares for equality.
func (VirtualClock) Took(got, want, _ time.Duration) error {
	if got != want {
		return fmt.Errorf("took %s, want exactly %s", got, want)
	}
	return nil
}
