package lane_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
)

const patience = 20 * time.Second

func TestAdaptMovesEdgesAwayFromTheirTie(t *testing.T) {
	for _, tc := range []struct{ in, want time.Duration }{
		{5*time.Minute - time.Nanosecond, 5*time.Minute - time.Second},
		{5 * time.Minute, 5 * time.Minute},
		{5*time.Minute + time.Nanosecond, 5*time.Minute + time.Second},
		{29999 * time.Millisecond, 29 * time.Second},
		{30001 * time.Millisecond, 31 * time.Second},
		{time.Nanosecond, time.Second},
		{time.Second - time.Nanosecond, 0},
		{0, 0},
	} {
		require.Equal(t, tc.want, lane.RealClock{}.Adapt(tc.in), tc.in)
		require.Equal(t, tc.in, lane.VirtualClock{}.Adapt(tc.in), tc.in)
	}
}

func TestTook(t *testing.T) {
	const want, grace = 30 * time.Second, time.Second
	for _, tc := range []struct {
		got           time.Duration
		virtual, real bool
	}{
		{want - time.Nanosecond, false, false},
		{want, true, true},
		{want + time.Nanosecond, false, true},
		{want + grace, false, true},
		{want + grace + time.Nanosecond, false, false},
	} {
		require.Equal(t, tc.virtual, lane.VirtualClock{}.Took(tc.got, want, grace) == nil, tc.got)
		require.Equal(t, tc.real, lane.RealClock{}.Took(tc.got, want, grace) == nil, tc.got)
	}
}

func TestVirtualTimePassesAtOnce(t *testing.T) {
	wall := time.Now()
	var took time.Duration
	err := lane.NewVirtual(lane.InTest(t)).Run(patience, func(c lane.Clock, _ target.Network) {
		start := c.Now()
		_ = c.Elapse(context.Background(), 300*time.Hour)
		took = c.Since(start)
	})
	require.NoError(t, err)
	require.Equal(t, 300*time.Hour, took)
	require.Less(t, time.Since(wall), 10*time.Second)
}

func TestElapseLetsWhatItSetOffComeToRest(t *testing.T) {
	var fired atomic.Bool
	err := lane.NewVirtual(lane.InTest(t)).Run(patience, func(c lane.Clock, _ target.Network) {
		time.AfterFunc(time.Second, func() { fired.Store(true) })
		_ = c.Elapse(context.Background(), time.Second-time.Nanosecond)
		if fired.Load() {
			panic("too early")
		}
		_ = c.Elapse(context.Background(), time.Nanosecond)
	})
	require.NoError(t, err)
	require.True(t, fired.Load())
}

func TestElapseAndUntilEndWithTheirContext(t *testing.T) {
	cause := errors.New("time is over")
	both(t, func(c lane.Clock, _ target.Network) error {
		ctx, cancel := context.WithTimeoutCause(context.Background(), 10*time.Millisecond, cause)
		defer cancel()
		if err := c.Elapse(ctx, time.Hour); !errors.Is(err, cause) {
			return errors.New("Elapse did not end with its context")
		}
		if err := c.Until(ctx, func() bool { return false }); !errors.Is(err, cause) {
			return errors.New("Until did not end with its context")
		}
		return nil
	})
}

func TestUntil(t *testing.T) {
	both(t, func(c lane.Clock, _ target.Network) error {
		var mu sync.Mutex
		done := false
		time.AfterFunc(20*time.Millisecond, func() {
			mu.Lock()
			defer mu.Unlock()
			done = true
		})
		return c.Until(context.Background(), func() bool {
			mu.Lock()
			defer mu.Unlock()
			return done
		})
	})
}

func TestUntilGivesUp(t *testing.T) {
	err := lane.NewVirtual(lane.InTest(t)).Run(patience, func(c lane.Clock, _ target.Network) {
		start := c.Now()
		if c.Until(context.Background(), func() bool { return false }) == nil {
			panic("it did not give up")
		}
		if got := c.Since(start); got != 5*time.Second {
			panic(got)
		}
	})
	require.NoError(t, err)
}

func TestNetworks(t *testing.T) {
	both(t, func(_ lane.Clock, n target.Network) error {
		ctx := context.Background()
		ln, err := n.Listen(ctx, "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer func() { _ = ln.Close() }()
		said := make(chan error, 1)
		go func() {
			c, err := ln.Accept()
			if err == nil {
				_, err = io.WriteString(c, "hello")
				err = errors.Join(err, c.Close())
			}
			said <- err
		}()
		c, err := n.Dial(ctx, "tcp", ln.Addr().String())
		if err != nil {
			return err
		}
		text, err := io.ReadAll(c)
		if string(text) != "hello" {
			err = errors.Join(err, errors.New("heard "+string(text)))
		}
		return errors.Join(err, c.Close(), <-said)
	})
}

func TestNetworkInMemoryHasLoopbackAlone(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "127.0.0.2:0", "localhost:0", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:65536"} {
		var listened bool
		err := lane.NewVirtual(lane.InTest(t)).Run(patience, func(_ lane.Clock, n target.Network) {
			ln, err := n.Listen(context.Background(), addr)
			if listened = err == nil; listened {
				_ = ln.Close()
			}
		})
		require.NoError(t, err)
		require.False(t, listened, addr)
	}
}

// both runs f in each lane.
func both(t *testing.T, f func(lane.Clock, target.Network) error) {
	for _, l := range []lane.Lane{lane.NewVirtual(lane.InTest(t)), lane.NewReal()} {
		var failed error
		err := l.Run(patience, func(c lane.Clock, n target.Network) { failed = f(c, n) })
		require.NoError(t, err, l.Name())
		require.NoError(t, failed, l.Name())
	}
}

func TestPanic(t *testing.T) {
	for _, l := range []lane.Lane{lane.NewVirtual(lane.InTest(t)), lane.NewReal()} {
		err := l.Run(patience, func(lane.Clock, target.Network) { panic("oh no") })
		var p *lane.Panic
		require.ErrorAs(t, err, &p, l.Name())
		require.Equal(t, "oh no", p.Value)
		require.Contains(t, p.Stack, "TestPanic")
	}
}

func TestGoexit(t *testing.T) {
	for _, l := range []lane.Lane{lane.NewVirtual(lane.InTest(t)), lane.NewReal()} {
		err := l.Run(patience, func(lane.Clock, target.Network) { runtime.Goexit() })
		var p *lane.Panic
		require.ErrorAs(t, err, &p, l.Name())
	}
}

// TestLeak leaks: what is left behind in a bubble stays there for ever, as its
// documentation says.
func TestLeak(t *testing.T) {
	b := lane.InTest(t)
	for range 3 {
		err := b.Run(patience, func() {
			never := make(chan struct{})
			go func() { <-never }()
		})
		var leak *lane.Leak
		require.ErrorAs(t, err, &leak)
		require.ErrorContains(t, err, "blocked goroutines remain")
		require.Contains(t, leak.Stacks, "TestLeak", "it says where")
		require.Equal(t, 1, strings.Count(leak.Stacks, "synctest bubble"), "and nothing of other bubbles")
	}
	err := b.Run(patience, func() { <-make(chan struct{}) })
	var leak *lane.Leak
	require.ErrorAs(t, err, &leak)
	require.ErrorContains(t, err, "all goroutines in bubble are blocked")
	require.NoError(t, b.Run(patience, func() { time.Sleep(time.Hour) }), "bubbles work after a leak")
}

func TestHang(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	for _, l := range []lane.Lane{lane.NewVirtual(lane.InTest(t)), lane.NewReal()} {
		begun := time.Now()
		err := l.Run(50*time.Millisecond, func(lane.Clock, target.Network) {
			// A mutex is no durable wait, so a bubble's clock stands still here.
			mu.Lock()
			defer mu.Unlock()
		})
		var hang *lane.Hang
		require.ErrorAs(t, err, &hang, l.Name())
		require.Equal(t, l.Name() == ledger.Virtual, strings.Contains(hang.Stacks, "sync.Mutex.Lock"), hang.Stacks)
		require.Less(t, time.Since(begun), 10*time.Second)
	}
}

func TestBubblesAreConcurrentAndApart(t *testing.T) {
	b := lane.InTest(t)
	var all sync.WaitGroup
	errs := make([]error, 32)
	took := make([]time.Duration, len(errs))
	for i := range errs {
		all.Go(func() {
			errs[i] = b.Run(patience, func() {
				start := time.Now()
				for range 10 {
					time.Sleep(time.Duration(i) * time.Second)
				}
				took[i] = time.Since(start)
			})
		})
	}
	all.Wait()
	for i := range errs {
		require.NoError(t, errs[i])
		require.Equal(t, time.Duration(i)*10*time.Second, took[i])
	}
}

func TestInProcessIsNotForTests(t *testing.T) {
	_, err := lane.InProcess()
	require.ErrorContains(t, err, "InTest")
}
