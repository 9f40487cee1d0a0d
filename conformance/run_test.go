package conformance_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cucumber/godog"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

func TestVirtualTimeIsReported(t *testing.T) {
	s, v := run(t, script(t, "@wait:60s s: it uses up 60s"), nil)
	require.Equal(t, verdict.Conformant, v.Exit, v.Why)
	require.Equal(t, time.Minute, s.Finished[0].Elapsed)
	require.Less(t, s.Finished[0].Took, 20*time.Second)
}

func TestHang(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	s, v := run(t, script(t, "hangs: it waits for a mutex", "works: it works"), func(r *conformance.Run) {
		r.Patience = 200 * time.Millisecond
		r.Register = func(sc *godog.ScenarioContext, w *world.World) {
			register(sc, w)
			sc.Given(`^it waits for a mutex$`, func() {
				mu.Lock()
				defer mu.Unlock()
			})
		}
	})
	require.Equal(t, verdict.Nonconformant, v.Exit, v.Why)
	require.Len(t, s.Finished, 2)
	require.Equal(t, 1, v.Passed)
}

func TestNothingSelected(t *testing.T) {
	_, v := run(t, script(t, "s: it works"), func(r *conformance.Run) { r.Selection.Rules = []string{"C-01"} })
	require.Equal(t, verdict.NotRun, v.Exit)
	require.Contains(t, v.Why, "nothing was selected")
}

func TestJudgedRuleWithoutScenario(t *testing.T) {
	_, v := run(t, script(t, "s: it works"), func(r *conformance.Run) { r.Selection.Rules = nil })
	require.Equal(t, verdict.NotRun, v.Exit)
	require.Contains(t, v.Why, "1 judged rules have no scenario")
	_, v = run(t, script(t, "s: it works", "@A-02 t: it works"), func(r *conformance.Run) { r.Selection.Rules = nil })
	require.Equal(t, verdict.Conformant, v.Exit, "C-01 is not judged yet")
	require.Equal(t, verdict.Unjudged, v.Rules[2].Mark)
}

func TestSelectionThatMatchesNothing(t *testing.T) {
	r := &conformance.Run{
		Plan: script(t, "s: it works"), Selection: plan.Selection{Role: ledger.Daemon, Rules: []string{"Z-*"}},
		Target: inProcess(), Lane: lane.NewReal(), Register: register,
	}
	_, err := r.Do(context.Background())
	require.ErrorContains(t, err, "matches no rule")
}

// notUp is a target that does not come up, at once or never.
type notUp struct {
	target.Target
	hangs bool
}

func (n notUp) Start(ctx context.Context, _ target.Setup) (target.Instance, error) {
	if n.hangs {
		<-ctx.Done()
		return nil, &target.StartError{Reason: "it was not ready"}
	}
	return nil, &target.StartError{Reason: "it ended: exit status 7", Exited: true, Status: 7, Output: "x\nthe moon is full\n"}
}

func TestTargetThatDoesNotStart(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		s, v := run(t, script(t, "s: it works", "t: it works"), func(r *conformance.Run) { r.Target = notUp{inProcess(), hangs} })
		require.Equal(t, verdict.Died, v.Exit)
		require.Empty(t, s.Started, "no scenario speaks about a daemon that never was")
		require.Equal(t, 2, v.Missing)
		require.Equal(t, verdict.CauseTarget, s.Footer.Cause)
		require.Equal(t, !hangs, strings.Contains(v.Why, "it said: x\nthe moon is full"), v.Why)
	}
}

// mortal comes up n times.
type mortal struct {
	target.Target
	left *atomic.Int32
}

func (m mortal) Start(ctx context.Context, s target.Setup) (target.Instance, error) {
	if m.left.Add(-1) < 0 {
		return nil, &target.StartError{Reason: "it had enough"}
	}
	return m.Target.Start(ctx, s)
}

func TestTargetThatStopsStarting(t *testing.T) {
	left := &atomic.Int32{}
	left.Store(2)
	s, v := run(t, script(t, "s: a daemon answers 200", "t: a daemon answers 200"), func(r *conformance.Run) {
		r.Target, r.Jobs = mortal{inProcess(), left}, 1
	})
	require.Equal(t, verdict.Died, v.Exit)
	require.Equal(t, verdict.Passed, s.Finished[0].Outcome)
	require.Equal(t, verdict.CauseTarget, s.Finished[1].Cause)
}

func TestExpectedFailures(t *testing.T) {
	p := script(t, "s: it fails", "t: it works", "@A-02 u: it works")
	const fails, works = "x/f.feature:s", "x/f.feature:t"
	for _, tc := range []struct {
		name   string
		expect []string
		want   verdict.Exit
	}{
		{"none", nil, verdict.Nonconformant},
		{"the rule", []string{"A-01"}, verdict.Conformant},
		{"the scenario", []string{fails}, verdict.Conformant},
		{"both", []string{"A-01", fails}, verdict.Conformant},
		{"stale", []string{fails, works}, verdict.Stale},
		{"unknown rule", []string{fails, "A-99"}, verdict.Stale},
		{"a rule that is not judged", []string{fails, "C-01"}, verdict.Stale},
		{"unknown scenario", []string{fails, "x/f.feature:z"}, verdict.Stale},
		{"duplicate", []string{fails, fails}, verdict.Stale},
		{"one that was not selected", []string{fails, "A-02", "x/f.feature:u"}, verdict.Conformant},
		{"another one", []string{"A-02"}, verdict.Nonconformant},
	} {
		_, v := run(t, p, func(r *conformance.Run) {
			for i, name := range tc.expect {
				r.Expect = append(r.Expect, verdict.Expectation{Kind: verdict.Failing, Name: name, Reason: "known", Line: i + 1})
			}
		})
		require.Equal(t, tc.want, v.Exit, "%s: %s", tc.name, v.Why)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	r := &conformance.Run{
		Plan: script(t, "a: it works", "b: it is the end", "c: it works"), Selection: plan.Selection{Role: ledger.Daemon, Rules: []string{"A-01"}},
		Target: inProcess(), Lane: lane.NewReal(), Scratch: t.TempDir(),
		Register: func(sc *godog.ScenarioContext, w *world.World) {
			register(sc, w)
			sc.Given(`^it is the end$`, func(ctx context.Context) error {
				cancel(errors.New("the user had enough"))
				<-ctx.Done()
				return ctx.Err()
			})
		},
	}
	s, err := r.Do(ctx)
	require.NoError(t, err)
	v, err := verdict.Judge(s)
	require.NoError(t, err)
	require.Equal(t, verdict.NotRun, v.Exit)
	require.Contains(t, v.Why, "the user had enough")
	require.Equal(t, verdict.Counts{Passed: 1, Missing: 2}, v.Counts)
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestStreamThatCannotBeWritten(t *testing.T) {
	r := &conformance.Run{
		Plan: script(t, "a: it works"), Selection: plan.Selection{Role: ledger.Daemon}, Target: inProcess(),
		Lane: lane.NewReal(), Register: register, Out: fullDisk{}, Scratch: t.TempDir(),
	}
	_, err := r.Do(context.Background())
	require.ErrorContains(t, err, "no space left")
}

// TestWaitingTogether shows that scenarios that wait in the real lane do so all
// at once, with instant ones beside them, and one by one where the target is
// shared.
func TestWaitingTogether(t *testing.T) {
	var waiting, most, instant atomic.Int32
	vocabulary := func(together int32) func(*godog.ScenarioContext, *world.World) {
		return func(sc *godog.ScenarioContext, w *world.World) {
			sc.Given(`^it waits$`, func(ctx context.Context) error {
				n := waiting.Add(1)
				defer waiting.Add(-1)
				for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
				}
				return w.Clock.Until(ctx, func() bool { return most.Load() >= together && instant.Load() > 0 })
			})
			sc.Given(`^it is instant$`, func() { instant.Add(1) })
		}
	}
	p := script(t, "i: it is instant", "@wait:20s a: it waits", "@wait:20s b: it waits", "@wait:20s c: it waits")
	_, v := run(t, p, func(r *conformance.Run) { r.Lane, r.Jobs, r.Register = lane.NewReal(), 1, vocabulary(3) })
	require.Equal(t, verdict.Conformant, v.Exit, v.Why)
	require.EqualValues(t, 3, most.Load())

	most.Store(0)
	_, v = run(t, p, func(r *conformance.Run) {
		r.Lane, r.Jobs, r.Register, r.Target = lane.NewReal(), 4, vocabulary(1), serial{inProcess()}
	})
	require.Equal(t, verdict.Conformant, v.Exit, v.Why)
	require.EqualValues(t, 1, most.Load())
}

type serial struct{ target.Target }

func (s serial) Info() target.Info { return target.Info{Kind: "url", Name: "shared", Serial: true} }

func TestExpectedTime(t *testing.T) {
	p := script(t, "i: it works", "@wait:20s a: it works", "@wait:30s b: it works")
	var all []*plan.Scenario
	for i := range p.Scenarios {
		all = append(all, &p.Scenarios[i])
	}
	require.Equal(t, time.Duration(0), conformance.Expected(all, ledger.Virtual, false))
	require.Equal(t, 30*time.Second, conformance.Expected(all, ledger.Real, false))
	require.Equal(t, 50*time.Second, conformance.Expected(all, ledger.Real, true))
}

func TestHeader(t *testing.T) {
	s, _ := run(t, script(t, "s: it works", "@A-02 @omw.v1 u: it works"), func(r *conformance.Run) { r.Seed = 42 })
	h := s.Header
	require.Equal(t, verdict.Target{Kind: "inproc", Name: "omw", Strict: true}, h.Target)
	require.EqualValues(t, 42, h.Seed)
	require.Equal(t, ledger.Virtual, h.Lane)
	require.Equal(t, []string{"x"}, h.Command)
	require.Len(t, h.Rules, 3)
	require.Equal(t, verdict.Rule{
		ID: "A-01", Level: ledger.Seed, Observers: []ledger.Observer{ledger.Wire}, Judged: true, Selected: true, Scenarios: 1, Planned: 1, Sentence: "One.",
	}, h.Rules[0])
	require.False(t, h.Rules[1].Selected)
	require.Equal(t, 1, h.Rules[1].Scenarios)
	require.Zero(t, h.Rules[1].Planned)
	require.Equal(t, []verdict.Planned{{ID: "x/f.feature:s", Rule: "A-01", Level: ledger.Seed}}, h.Scenarios)
}

func TestManyAtOnce(t *testing.T) {
	var scenarios []string
	for i := range 60 {
		scenarios = append(scenarios, "@wait:60s s"+strings.Repeat("x", i)+": a daemon answers 200; it uses up 59s; a daemon answers 200")
	}
	var progress atomic.Int32
	s, v := run(t, script(t, scenarios...), func(r *conformance.Run) {
		r.Jobs = 8
		r.Progress = func(int, int) { progress.Add(1) }
	})
	require.Equal(t, verdict.Conformant, v.Exit, v.Why)
	require.Equal(t, 60, v.Passed)
	require.EqualValues(t, 60, progress.Load())
	for _, e := range s.Finished {
		require.Equal(t, 59*time.Second, e.Elapsed)
	}
}

func TestScratchThatCannotBeMade(t *testing.T) {
	r := &conformance.Run{
		Plan: script(t, "a: it works"), Selection: plan.Selection{Role: ledger.Daemon, Rules: []string{"A-01"}}, Target: inProcess(),
		Lane: lane.NewReal(), Register: register, Scratch: t.TempDir() + "/nowhere",
	}
	s, err := r.Do(context.Background())
	require.NoError(t, err)
	v, err := verdict.Judge(s)
	require.NoError(t, err)
	require.Equal(t, verdict.Fault, v.Exit, v.Why)
	require.ErrorIs(t, func() error { _, err := os.Stat(r.Scratch); return err }(), os.ErrNotExist)
}
