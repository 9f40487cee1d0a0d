package sim

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// journal keeps commands in their order and lets others wait for them.
type journal struct {
	mu      sync.Mutex
	list    []entry
	seq     int
	keep    int
	changed chan struct{}
}

type entry struct {
	start Start
	// taken: a wait has returned it.
	taken bool
}

func newJournal(keep int) *journal { return &journal{keep: keep, changed: make(chan struct{})} }

// add numbers s and returns it.
func (j *journal) add(s Start) Start {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seq++
	s.Seq = j.seq
	j.list = append(j.list, entry{start: s})
	if j.keep > 0 && len(j.list) > 2*j.keep {
		j.list = slices.Clone(j.list[len(j.list)-j.keep:])
	}
	close(j.changed)
	j.changed = make(chan struct{})
	return s
}

func (j *journal) all(m Match) []Start {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []Start
	for _, e := range j.list {
		if m.picks(e.start) {
			out = append(out, e.start)
		}
	}
	return out
}

// wait returns the first command that m picks and no wait has returned before.
func (j *journal) wait(ctx context.Context, m Match) (Start, error) {
	for {
		j.mu.Lock()
		for i := range j.list {
			if e := &j.list[i]; !e.taken && m.picks(e.start) {
				e.taken = true
				s := e.start
				j.mu.Unlock()
				return s, nil
			}
		}
		changed := j.changed
		j.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return Start{}, fmt.Errorf("await a command: %w", context.Cause(ctx))
		}
	}
}

// Received returns the commands received so far, in order: also those that
// were refused, that wait, and the daemon's own artifact_read.
func (b *Browser) Received() []Start { return b.received.all(nil) }

// Starts returns the commands started so far, in order. What was refused, busy,
// unsupported or too late did not start; artifact_read and artifact_close,
// which have no effect in a browser, are not counted as starts.
func (b *Browser) Starts() []Start { return b.started.all(nil) }

// StartsOf returns how many commands that m picks were started (KIT-10).
func (b *Browser) StartsOf(m Match) int { return len(b.started.all(m)) }

// Await waits until a command that m picks has been started and returns it.
// Each start is returned by one Await only. The error is ctx's.
func (b *Browser) Await(ctx context.Context, m Match) (Start, error) { return b.started.wait(ctx, m) }

// AwaitReceived is Await for commands that were received, whether they have
// started or not.
func (b *Browser) AwaitReceived(ctx context.Context, m Match) (Start, error) {
	return b.received.wait(ctx, m)
}
