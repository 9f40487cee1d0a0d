// Package lane is how time passes while a scenario runs. In the virtual lane
// each scenario has a bubble of testing/synctest: the daemon's real code with
// its real constants, five minutes in a millisecond, durations asserted to the
// nanosecond (KIT-03). In the real lane the wall clock runs, and an assertion
// is a bracket that can only err on the late side (KIT-04).
//
// A scenario is written once. What its steps say about time goes through a
// Clock, which knows the lane:
//
//	w.Clock.Elapse(w.Clock.Adapt(age))           // let age pass
//	start := w.Clock.Now()
//	… send the command, wait for the answer …
//	err := w.Clock.Took(w.Clock.Since(start), 30*time.Second, time.Second)
//
// # Edges
//
// The edge of a duration is asserted one nanosecond before and one after,
// never at a tie. The wall clock cannot: Adapt turns an edge of less than a
// second into one of a second, away from the tie: 4m 59.999999999s becomes
// 4m 59s, and 5m 0.000000001s becomes 5m 1s. Whole seconds stay what they are.
//
// # Grace
//
// In the real lane a daemon's timer starts after the first byte that we sent,
// so an event that comes earlier than start + want is a proven violation and
// has no grace at all. On the late side the machine may be busy: Took allows
// want + grace, and a step states the largest grace a conformant daemon may
// need (1 s unless its rule says otherwise).
package lane

import (
	"context"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
)

// Lane runs scenarios.
type Lane interface {
	// Name is the name that reports carry.
	Name() ledger.Lane
	// Run runs f with a clock and a network of its own and returns after it, in
	// the virtual lane after the goroutines that it started, too. patience is how
	// long f may take by the wall. The errors are *Leak, *Hang and *Panic; f's
	// own results are its own, and are not to be read after a *Hang.
	Run(patience time.Duration, f func(Clock, target.Network)) error
}

// Clock is time as one scenario sees it.
type Clock interface {
	// Now returns the lane's time.
	Now() time.Time
	// Since returns the time since then in this lane.
	Since(then time.Time) time.Duration
	// Elapse lets d pass, and then lets everything that it set off come to rest.
	// It returns early with the cause if ctx ends.
	Elapse(ctx context.Context, d time.Duration) error
	// Adapt returns d as this lane can assert it, see Edges.
	Adapt(d time.Duration) time.Duration
	// Settle lets everything that is under way come to rest. In the virtual lane
	// that is exact: nothing but time can move anything afterwards. In the real
	// lane it is a short pause that proves nothing; to show that something does
	// not happen, send a probe behind it.
	Settle()
	// Until waits until cond holds: in the virtual lane it is asked each time
	// everything has come to rest, in the real lane every few milliseconds. It
	// gives up with an error after 5 s, or when ctx ends.
	Until(ctx context.Context, cond func() bool) error
	// Took compares a duration with the one that a rule fixes: exactly in the
	// virtual lane, within want and want + grace in the real one. The error says
	// what differs and is to be passed to World.Fail.
	Took(got, want, grace time.Duration) error
	// Exact reports whether durations are exact, as they are in the virtual lane.
	Exact() bool
}

// Leak is the error of a scenario that left goroutines behind which nothing
// will ever wake, or that itself waited for what never comes.
type Leak struct {
	// Reason is what the runtime said, and Stacks where the goroutines are.
	Reason, Stacks string
}

func (l *Leak) Error() string { return l.Reason }

// Hang is the error of a scenario that did not end within its patience. It
// goes on running, and nobody waits for it any more.
type Hang struct {
	// Patience is how long the lane waited.
	Patience time.Duration
	// Stacks is where the goroutines of its bubble are, "" in the real lane. The
	// one whose state is not called durable is the one that stops the clock.
	Stacks string
}

func (h *Hang) Error() string { return fmt.Sprintf("the scenario did not end within %s", h.Patience) }

// Panic is the error of a scenario that panicked.
type Panic struct {
	// Value is what was passed to panic, as text, and Stack where.
	Value string
	Stack string
}

func (p *Panic) Error() string { return "panic: " + p.Value }
