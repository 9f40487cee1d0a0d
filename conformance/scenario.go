package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

const (
	// startTime is how long the first start of a target may take.
	startTime = 30 * time.Second
	// realTime is how long a scenario may take in the real lane beside the time
	// that it lets pass.
	realTime = 60 * time.Second
	// virtualTime is the same in the virtual lane, where waiting costs nothing,
	// and wallTime how long that may take by the wall.
	virtualTime = 10 * time.Minute
	wallTime    = 5 * time.Minute
	// closeTime is how long the end of a scenario may take.
	closeTime = 20 * time.Second
	// drainTime outlasts whatever lingers after its work is done: net/http keeps
	// a connection for half a second after an early refusal.
	drainTime = 2 * time.Second
)

// one runs one scenario and writes its events.
func (r *Run) one(ctx context.Context, s *plan.Scenario) {
	if ctx.Err() != nil {
		return
	}
	began := time.Now()
	offset := began.Sub(r.began)
	r.emit(&verdict.Started{Scenario: s.ID, Rule: s.Rule.ID, Offset: offset})
	e := r.skipped(s)
	if e == nil {
		e = r.isolated(ctx, s)
	}
	if ctx.Err() != nil && e.Outcome == verdict.Failed {
		// It was interrupted, which is no verdict: it did not run.
		return
	}
	e.Scenario, e.Rule, e.Level, e.Lane = s.ID, s.Rule.ID, s.Level, r.Lane.Name()
	e.Offset, e.Took = offset, time.Since(began)
	if e.Outcome == verdict.Failed {
		r.emit(&verdict.Step{
			Scenario: s.ID, Rule: s.Rule.ID, Step: e.Step, Cause: e.Cause, Check: e.Check, Reason: e.Reason,
		})
	}
	r.emit(e)
	if r.Progress != nil {
		r.mu.Lock()
		done, planned := len(r.stream.Finished), len(r.stream.Header.Scenarios)
		r.mu.Unlock()
		r.Progress(done, planned)
	}
}

// isolated runs a scenario in its lane, with a directory of its own.
func (r *Run) isolated(ctx context.Context, s *plan.Scenario) *verdict.Finished {
	scratch, err := r.scratch()
	if err != nil {
		return failed(verdict.CauseHarness, "", err)
	}
	defer scratch.remove()
	patience := cmp.Or(r.Patience, wallTime)
	if r.Lane.Name() == ledger.Real {
		patience = s.Wait + realTime + closeTime + 5*time.Second
	}
	var played *verdict.Finished
	var w atomic.Pointer[world.World]
	err = r.Lane.Run(patience, func(c lane.Clock, n target.Network) {
		w.Store(world.New(world.Options{Scenario: s, Target: r.Target, Clock: c, Network: n, Scratch: scratch.dir, Seed: r.Seed}))
		played = r.play(ctx, s, w.Load())
		drain(c)
	})
	if err == nil {
		return played
	}
	e, stacks := unended(err)
	if e.Cause == verdict.CauseLeak && played != nil && played.Outcome == verdict.Failed {
		// A step that failed may leave things behind; the failure is what matters.
		return played
	}
	if w := w.Load(); w != nil {
		e.Transcript = w.Transcript.Lines()
	}
	if stacks != "" {
		e.Transcript = append(e.Transcript, world.Line{Actor: "suite", Dir: "-", Text: stacks})
	}
	return e
}

// unended says what it means that a lane could not end a scenario, and where
// the scenario's goroutines are.
func unended(err error) (e *verdict.Finished, stacks string) {
	if hang, ok := errors.AsType[*lane.Hang](err); ok {
		return failed(verdict.CauseHang, "", err), hang.Stacks
	}
	if leak, ok := errors.AsType[*lane.Leak](err); ok {
		return failed(verdict.CauseLeak, "", err), leak.Stacks
	}
	if p, ok := errors.AsType[*lane.Panic](err); ok {
		return failed(verdict.CausePanic, "", err), p.Stack
	}
	return failed(verdict.CauseHarness, "", err), ""
}

// play runs a scenario's steps and everything that is judged after them.
func (r *Run) play(ctx context.Context, s *plan.Scenario, w *world.World) *verdict.Finished {
	limit := s.Wait + realTime
	if w.Clock.Exact() {
		// The run's context was made outside the bubble; cancelling it must not
		// reach in.
		ctx, limit = context.Background(), s.Wait+virtualTime
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errors.New("the scenario's time is over"))
	defer cancel()
	e := runSteps(ctx, s, w, r.Register)
	e.Elapsed = w.Elapsed()
	if e.Outcome == verdict.Passed || e.Outcome == verdict.Allowed {
		e = judgeAfter(s, w, e)
	}
	death := died(w, e)
	closing, done := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer done()
	cleanup, stop := w.Close(closing)
	e = end(e, death, cleanup, stop)
	if e.Outcome == verdict.Failed {
		e.Transcript = w.Transcript.Lines()
	}
	e.Step, e.Reason = w.Transcript.Redact(e.Step), w.Transcript.Redact(e.Reason)
	return e
}

// judgeAfter judges what holds for every scenario whose steps passed.
func judgeAfter(s *plan.Scenario, w *world.World, e *verdict.Finished) *verdict.Finished {
	if f, ok := world.AsFailure(w.Honesty.Check()); ok {
		out := failed(verdict.CauseCheck, "", errors.New(f.Reason))
		out.Check, out.Elapsed = f.Check, e.Elapsed
		return out
	}
	if most := max(s.Wait, ledger.Instant); e.Elapsed > most && w.Clock.Exact() {
		out := failed(verdict.CauseHarness, "", fmt.Errorf("the scenario let %s pass; its tags allow %s, so it needs @wait", e.Elapsed, most))
		out.Elapsed = e.Elapsed
		return out
	}
	return e
}

// end adds what the end of a scenario showed. A daemon that died is the reason
// for whatever else failed.
func end(e *verdict.Finished, died, cleanup, stop error) *verdict.Finished {
	ended := e
	switch {
	case died != nil:
		ended = failed(verdict.CauseTarget, e.Step, died)
		if e.Outcome == verdict.Failed {
			ended.Reason += " (after: " + e.Reason + ")"
		}
	case e.Outcome == verdict.Failed:
	case stop != nil:
		ended = failed(verdict.CauseTarget, "", stop)
	case cleanup != nil:
		ended = failed(verdict.CauseUnexpected, "", fmt.Errorf("clean up: %w", cleanup))
	}
	ended.Elapsed = e.Elapsed
	return ended
}

func failed(cause verdict.Cause, step string, err error) *verdict.Finished {
	return &verdict.Finished{Outcome: verdict.Failed, Cause: cause, Step: step, Reason: err.Error()}
}

// drain lets everything that lingers in a bubble come to its end.
func drain(c lane.Clock) {
	if c.Exact() {
		_ = c.Elapse(context.Background(), drainTime)
	}
}

// scratch is a directory that is removed after its use.
type scratch struct{ dir string }

func (r *Run) scratch() (*scratch, error) {
	dir, err := os.MkdirTemp(r.Scratch, "omw-conformance-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch directory: %w", err)
	}
	return &scratch{dir}, nil
}

// remove removes the directory. What a daemon that is still running writes
// there is left to the system.
func (s *scratch) remove() { _ = os.RemoveAll(s.dir) }
