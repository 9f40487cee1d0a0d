package world_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

var rule = &ledger.Rule{ID: "A-01", Allowed: []ledger.Allowance{{Name: "clamped", Sentence: "It is clamped"}}}

func newWorld(t *testing.T, tg target.Target, seed uint64, id string) *world.World {
	return world.New(world.Options{
		Scenario: &plan.Scenario{ID: id, Rule: rule}, Target: tg, Clock: lane.RealClock{}, Network: target.TCP{},
		Scratch: t.TempDir(), Seed: seed,
	})
}

func builtin(t *testing.T, name string) target.Target {
	tg, err := target.Builtin(name)
	require.NoError(t, err)
	return tg
}

// lenient is a stranger's target: not strict.
type lenient struct{ target.Target }

func (lenient) Info() target.Info { return target.Info{Kind: "exec", Name: "stranger"} }

// broken is a target that does not come up.
type broken struct{ target.Target }

func (broken) Start(context.Context, target.Setup) (target.Instance, error) {
	return nil, &target.StartError{Reason: "it is broken"}
}

func TestDaemonIsStartedOnceAndStoppedByClose(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, builtin(t, "200"), 1, "x")
	d, err := w.Daemon(ctx)
	require.NoError(t, err)
	again, err := w.Daemon(ctx)
	require.NoError(t, err)
	require.Same(t, d, again)
	require.Error(t, w.Setup(func(*target.Setup) {}), "it is too late")
	resp, err := (&http.Client{Transport: d.Transport("agent")}).Get(d.URL("/ping"))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.NoError(t, w.Died())
	var order []string
	w.Cleanup(func() error { order = append(order, "first"); return nil })
	w.Cleanup(func() error {
		order = append(order, "second")
		w.Cleanup(func() error { order = append(order, "late"); return nil })
		return errors.New("went wrong")
	})
	cleanup, stop := w.Close(ctx)
	require.ErrorContains(t, cleanup, "went wrong")
	require.NoError(t, stop)
	require.Equal(t, []string{"second", "late", "first"}, order)
	_, err = d.Dial(ctx, "tcp", "")
	require.Error(t, err, "the daemon is gone")
}

func TestSetupReachesTheTarget(t *testing.T) {
	w := newWorld(t, builtin(t, "200"), 1, "x")
	require.NoError(t, w.Setup(func(s *target.Setup) { s.Args = []string{"--loud"} }))
	_, err := w.Daemon(context.Background())
	u, ok := target.IsUnobservable(err)
	require.True(t, ok)
	require.Contains(t, u.What, "no command line")
	require.False(t, world.IsTargetFault(err), "what a target cannot do is no fault")
}

func TestStartErrorIsATargetFaultOnlyWhereADaemonWasNeeded(t *testing.T) {
	w := newWorld(t, broken{builtin(t, "200")}, 1, "x")
	_, err := w.Daemon(context.Background())
	require.True(t, world.IsTargetFault(err))
	_, err = w.Start(context.Background(), target.Setup{})
	require.False(t, world.IsTargetFault(err), "the scenario asked for it")
	var refused *target.StartError
	require.ErrorAs(t, err, &refused)
}

func TestAllow(t *testing.T) {
	stranger := newWorld(t, lenient{builtin(t, "200")}, 1, "x")
	require.NoError(t, stranger.Allow("clamped", "it took 600 s for 120 s"))
	require.NoError(t, stranger.Allow("clamped", "again"))
	require.Equal(t, []string{"clamped"}, stranger.Allowed())
	f, ok := world.AsFailure(stranger.Allow("ignored", "it ignored it"))
	require.True(t, ok)
	require.Equal(t, "A-01/not-allowed", f.Check)

	own := newWorld(t, builtin(t, "200"), 1, "x")
	f, ok = world.AsFailure(own.Allow("clamped", "it took 600 s for 120 s"))
	require.True(t, ok)
	require.Equal(t, "A-01/only-allowed", f.Check)
	require.Contains(t, f.Reason, "it took 600 s for 120 s")
	require.Empty(t, own.Allowed())
}

func TestFailCarriesTheRuleOfTheScenario(t *testing.T) {
	w := newWorld(t, builtin(t, "200"), 1, "x")
	f, ok := world.AsFailure(fmt.Errorf("step: %w", w.Fail("late", "it took %d s", 3)))
	require.True(t, ok)
	require.Equal(t, world.Failure{Check: "A-01/late", Reason: "it took 3 s"}, *f)
	_, ok = world.AsFailure(errors.New("A-01/late: no"))
	require.False(t, ok)
	_, ok = target.IsUnobservable(w.Unobservable("there is no %s", "log"))
	require.True(t, ok)
}

func TestChanceDependsOnSeedAndScenarioAlone(t *testing.T) {
	draw := func(seed uint64, id string) (n uint64) {
		newWorld(t, builtin(t, "200"), seed, id).Rand(func(r *rand.Rand) { n = r.Uint64() })
		return n
	}
	require.Equal(t, draw(1, "x"), draw(1, "x"))
	require.NotEqual(t, draw(1, "x"), draw(2, "x"))
	require.NotEqual(t, draw(1, "x"), draw(1, "y"))
}

func TestDir(t *testing.T) {
	w := newWorld(t, builtin(t, "200"), 1, "x")
	a, err := w.Dir("files")
	require.NoError(t, err)
	b, err := w.Dir("files")
	require.NoError(t, err)
	require.NotEqual(t, a, b)
	for _, dir := range []string{a, b} {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		require.Equal(t, os.ModeDir|0o700, info.Mode())
	}
}

func TestSource(t *testing.T) {
	w := newWorld(t, builtin(t, "200"), 1, "x")
	_, err := w.Source()
	_, ok := target.IsUnobservable(err)
	require.True(t, ok)
	w = newWorld(t, &target.InProcess{Source: "/somewhere/daemon"}, 1, "x")
	dir, err := w.Source()
	require.NoError(t, err)
	require.Equal(t, "/somewhere/daemon", dir)
}

func TestTokenAndCodeStayOutOfTheTranscript(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, builtin(t, "200"), 1, "x")
	d, err := w.Daemon(ctx)
	require.NoError(t, err)
	token, err := d.Token(ctx)
	require.NoError(t, err)
	code, err := d.Code(ctx)
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL("/pair?x="+token), strings.NewReader(`{"code":"`+code+`"}`))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("X-Odd", token+"-"+code)
	resp, err := d.Transport("agent").RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	text := fmt.Sprint(w.Transcript.Lines())
	require.Contains(t, text, "POST /pair?x=[secret]")
	require.Contains(t, text, "200 OK")
	require.NotContains(t, text, token)
	require.NotContains(t, text, code)
	require.NotContains(t, w.Transcript.Redact("got "+token), token)
	_, stop := w.Close(ctx)
	require.NoError(t, stop)
}
