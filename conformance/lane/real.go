package lane

import (
	"context"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
)

// NewReal returns the real lane: the wall clock, and TCP on the loopback
// interface.
func NewReal() Lane { return realLane{} }

type realLane struct{}

func (realLane) Name() ledger.Lane { return ledger.Real }

func (realLane) Run(patience time.Duration, f func(Clock, target.Network)) error {
	done := make(chan error, 1)
	go guard(done, func() { f(RealClock{}, target.TCP{}) })
	return await(done, patience)
}

// await waits for the job's end, patience long.
func await(done <-chan error, patience time.Duration) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return &Hang{Patience: patience}
	}
}

// RealClock is the wall clock.
type RealClock struct{}

// Now returns the time.
func (RealClock) Now() time.Time { return time.Now() }

// Since returns the time since then.
func (RealClock) Since(then time.Time) time.Duration { return time.Since(then) }

// Exact returns false.
func (RealClock) Exact() bool { return false }

// Adapt moves an edge of less than a second to a second from its tie.
func (RealClock) Adapt(d time.Duration) time.Duration {
	tie := d.Round(time.Second)
	switch {
	case d < tie:
		return max(0, tie-time.Second)
	case d > tie:
		return tie + time.Second
	}
	return d
}

// pause is how long Settle pauses in the real lane.
const pause = 50 * time.Millisecond

// Settle pauses; it proves nothing.
func (RealClock) Settle() { time.Sleep(pause) }

// Elapse sleeps.
func (RealClock) Elapse(ctx context.Context, d time.Duration) error { return sleep(ctx, d) }

// Until asks cond every few milliseconds.
func (c RealClock) Until(ctx context.Context, cond func() bool) error {
	return until(ctx, c.Now, realLimit, func() {}, cond)
}

// Took allows want to want + grace.
func (RealClock) Took(got, want, grace time.Duration) error {
	if got < want || got > want+grace {
		return fmt.Errorf("took %s, want %s to %s", got.Round(time.Millisecond), want, want+grace)
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

const (
	// step is the time between two looks of Until.
	step = 5 * time.Millisecond
	// virtualLimit and realLimit are how long Until goes on. A machine that has much
	// else to do takes many seconds to move the largest messages.
	virtualLimit = 5 * time.Second
	realLimit    = 20 * time.Second
)

func until(ctx context.Context, now func() time.Time, limit time.Duration, settle func(), cond func() bool) error {
	for start := now(); ; {
		settle()
		if cond() {
			return nil
		}
		if now().Sub(start) >= limit {
			return fmt.Errorf("it did not happen within %s", limit)
		}
		if err := sleep(ctx, step); err != nil {
			return err
		}
	}
}
