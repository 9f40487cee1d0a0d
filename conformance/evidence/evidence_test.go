package evidence_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/evidence"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/steps"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/features"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// mutant is the daemon of this project with other limits.
func mutant(change func(*protocol.Limits)) target.Target {
	l := protocol.DefaultLimits()
	change(&l)
	return &target.InProcess{Limits: l, New: func(dir string, l protocol.Limits, log *slog.Logger) (target.Server, error) {
		return daemon.New(daemon.Config{Dir: dir, Version: "0", Limits: l, Log: log})
	}}
}

// failures runs the scenarios of rules against a target and returns those that
// failed.
func failures(t *testing.T, tg target.Target, rules ...string) []*verdict.Finished {
	t.Helper()
	l, err := ledger.Load()
	require.NoError(t, err)
	p, err := plan.Parse(features.FS, l)
	require.NoError(t, err)
	r := &conformance.Run{
		Plan: p, Selection: plan.Selection{Role: ledger.Daemon, Rules: rules}, Target: tg, Register: steps.Register,
		Lane: lane.NewVirtual(lane.InTest(t)), Seed: 1, Jobs: 2, Scratch: t.TempDir(),
	}
	s, err := r.Do(context.Background())
	require.NoError(t, err)
	var out []*verdict.Finished
	for _, e := range s.Finished {
		if e.Outcome == verdict.Failed {
			out = append(out, e)
		}
	}
	return out
}

func play(t *testing.T, tp *tape.Tape, tg target.Target) *player.Transcript {
	t.Helper()
	tr, err := player.Play(context.Background(), tp, player.Options{Lane: lane.NewVirtual(lane.InTest(t)), Target: tg})
	require.NoError(t, err)
	return tr
}

// TestTheTapeOfAFailureFailsTheSame plays what broken daemons left: the tape
// fails before the same daemon, by the line that says what the scenario's step
// expected. It holds before a daemon that keeps the rule, unless the browser's
// part behind what failed was never seen, and so is in no tape.
func TestTheTapeOfAFailureFailsTheSame(t *testing.T) {
	right := mutant(func(*protocol.Limits) {})
	for _, tc := range []struct {
		name  string
		rule  string
		least int
		part  bool
		broke func(*protocol.Limits)
	}{
		{"default timeout two nanoseconds long", "CMD-09", 1, false, func(l *protocol.Limits) { l.DefaultTimeout += 2 }},
		{"default timeout two nanoseconds short", "CMD-09", 1, false, func(l *protocol.Limits) { l.DefaultTimeout -= 2 }},
		{"one command fewer", "LIMIT-02", 1, true, func(l *protocol.Limits) { l.Commands-- }},
		{"a longer maximum", "CMD-10", 1, false, func(l *protocol.Limits) { l.MaxTimeout += time.Millisecond }},
		{"one session fewer", "LIMIT-05", 1, true, func(l *protocol.Limits) { l.Sessions-- }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			broken := mutant(tc.broke)
			failed := failures(t, broken, tc.rule)
			require.NotEmpty(t, failed, "the suite notices")
			same := 0
			for _, e := range failed {
				left := evidence.Tape(e, 1)
				parsed, err := tape.Parse(left.Name, left.Format())
				require.NoError(t, err, "%s", left.Format())
				var said []int
				for _, l := range parsed.Lines {
					if l.Comment == evidence.Failed {
						said = append(said, l.N)
					}
				}
				if len(said) == 0 {
					t.Logf("%s cannot be said: %s", e.Scenario, e.Reason)
					continue
				}
				tr := play(t, parsed, broken)
				require.NotNil(t, tr.Failed(), "%s\n%s", e.Reason, left.Format())
				require.Contains(t, said, tr.Failed().Line, "%s: %s\n%s", e.Reason, tr.Verdict(), left.Format())
				ok := play(t, parsed, right)
				require.True(t, tc.part || ok.OK(), "%s\n%s", ok.Verdict(), left.Format())
				same++
			}
			t.Logf("%d of %d scenarios", same, len(failed))
			require.GreaterOrEqual(t, same, tc.least)
		})
	}
}
