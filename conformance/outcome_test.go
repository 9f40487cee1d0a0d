package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// TestOutcomes shows that nothing that happens in a scenario can look greener
// than it is, in either lane.
func TestOutcomes(t *testing.T) {
	for _, tc := range []struct {
		sentences string
		outcome   verdict.Outcome
		cause     verdict.Cause
		check     string
		reason    string
		exit      verdict.Exit
		// virtual is true for what the real lane cannot notice.
		virtual bool
	}{
		{"it works", verdict.Passed, "", "", "", 0, false},
		{"it works; a daemon answers 200; it works", verdict.Passed, "", "", "", 0, false},
		{"it fails", verdict.Failed, verdict.CauseCheck, "A-01/broken", "it is broken", 1, false},
		{"it works; it fails; it panics", verdict.Failed, verdict.CauseCheck, "A-01/broken", "it is broken", 1, false},
		{"a daemon answers 404", verdict.Failed, verdict.CauseCheck, "A-01/status", "got 200", 1, false},
		{"it cannot", verdict.Failed, verdict.CauseUnexpected, "", "no such thing", 1, false},
		{"it is undefined", verdict.Failed, verdict.CauseUndefined, "", "no step definition", 5, false},
		{"it works; it is undefined; it works", verdict.Failed, verdict.CauseUndefined, "", "no step definition", 5, false},
		{"it is pending", verdict.Failed, verdict.CausePending, "", "pending", 5, false},
		{"it skips", verdict.Failed, verdict.CauseSkipped, "", "skipped", 5, false},
		{"it works; it skips; it fails", verdict.Failed, verdict.CauseSkipped, "", "skipped", 5, false},
		{"it is one of two", verdict.Failed, verdict.CauseAmbiguous, "", "ambiguous", 6, false},
		{"it is one of three", verdict.Passed, "", "", "", 0, false},
		{"it panics", verdict.Failed, verdict.CausePanic, "", "oh no", 6, false},
		{"it is hidden", verdict.Unobservable, "", "", "it has no log", 5, false},
		{"it is hidden; it fails", verdict.Unobservable, "", "", "it has no log", 5, false},
		{"it is clamped", verdict.Failed, verdict.CauseCheck, "A-01/only-allowed", "allowed to strangers", 1, false},
		{"it leaks", verdict.Failed, verdict.CauseLeak, "", "blocked goroutines remain", 1, true},
		{"it leaks; it fails", verdict.Failed, verdict.CauseCheck, "A-01/broken", "it is broken", 1, true},
		{"it waits for ever", verdict.Failed, verdict.CauseLeak, "", "blocked", 1, true},
		{"it waits for its context", verdict.Failed, verdict.CauseHang, "", "the scenario's time is over", 1, true},
		{"it uses up 10s", verdict.Passed, "", "", "", 0, true},
		{"it uses up 10.000000001s", verdict.Failed, verdict.CauseHarness, "", "it needs @wait", 6, true},
		{"it cleans up badly", verdict.Failed, verdict.CauseUnexpected, "", "it is still dirty", 1, false},
		{"it cleans up badly; it fails", verdict.Failed, verdict.CauseCheck, "A-01/broken", "it is broken", 1, false},
		{"a lie", verdict.Failed, verdict.CauseCheck, "KIT-10/refused-and-started", "m1", 1, false},
		{"a hook fails afterwards", verdict.Failed, verdict.CauseUnexpected, "", "the hook failed", 1, false},
		{"the daemon is told to die", verdict.Failed, verdict.CauseTarget, "", "killed by a request", 3, false},
		{"the daemon is told to die; it fails", verdict.Failed, verdict.CauseTarget, "", "it is broken", 3, false},
		{"it says its secret and fails", verdict.Failed, verdict.CauseCheck, "A-01/told", "it told [secret]", 1, false},
	} {
		for _, l := range []lane.Lane{lane.NewVirtual(lane.InTest(t)), lane.NewReal()} {
			if tc.virtual && l.Name() == ledger.Real {
				continue
			}
			s, v := run(t, script(t, "s: "+tc.sentences), func(r *conformance.Run) { r.Lane = l })
			at := string(l.Name()) + ": " + tc.sentences
			require.Len(t, s.Finished, 1, at)
			e := s.Finished[0]
			require.Equal(t, tc.outcome, e.Outcome, "%s: %s", at, e.Reason)
			require.Equal(t, tc.cause, e.Cause, "%s: %s", at, e.Reason)
			require.Equal(t, tc.check, e.Check, at)
			require.Contains(t, e.Reason, tc.reason, at)
			require.Equal(t, tc.exit, v.Exit, "%s: %s", at, v.Why)
			require.Equal(t, tc.outcome == verdict.Failed, len(s.Steps) == 1, at)
			require.Equal(t, l.Name(), e.Lane)
			require.NotContains(t, e.Reason, "t0psecret")
			if tc.cause == verdict.CauseLeak {
				require.Contains(t, e.Transcript[len(e.Transcript)-1].Text, "rig_test.go", "it says where")
			}
			for _, line := range e.Transcript {
				require.NotContains(t, line.Text, "t0psecret")
			}
		}
	}
}

func TestAllowedToStrangers(t *testing.T) {
	s, v := run(t, script(t, "s: it is clamped"), func(r *conformance.Run) { r.Target = lenient{inProcess()} })
	require.Equal(t, verdict.Allowed, s.Finished[0].Outcome)
	require.Equal(t, []string{"clamped"}, s.Finished[0].Allowed)
	require.Equal(t, verdict.Conformant, v.Exit)
	require.Equal(t, 1, v.Passed)
}
