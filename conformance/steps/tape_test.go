package steps_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/steps"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// TestAFeatureMayPlayATape plays one before a daemon as it should be and before
// one that is not, and one that does not exist.
func TestAFeatureMayPlayATape(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	p, err := plan.Parse(fstest.MapFS{"command/x.feature": {Data: []byte(`@CMD-01
Feature: F

  Scenario: plays
    Given tape "body-too-large"

  Scenario: is not there
    Given tape "nowhere"
`)}}, l)
	require.NoError(t, err)
	for _, wide := range []int64{0, 1} {
		limits := protocol.DefaultLimits()
		limits.Body += wide
		r := &conformance.Run{
			Plan: p, Selection: plan.Selection{Role: ledger.Daemon, Rules: []string{"CMD-01"}}, Register: steps.Register,
			Target: &target.InProcess{Limits: limits, New: func(dir string, l protocol.Limits, log *slog.Logger) (target.Server, error) {
				return daemon.New(daemon.Config{Dir: dir, Version: "0", Limits: l, Log: log})
			}},
			Lane: lane.NewVirtual(lane.InTest(t)), Seed: 1, Jobs: 1, Scratch: t.TempDir(),
		}
		s, err := r.Do(context.Background())
		require.NoError(t, err)
		require.Len(t, s.Finished, 2)
		plays, missing := s.Finished[0], s.Finished[1]
		require.Equal(t, verdict.CauseUnexpected, missing.Cause)
		require.Contains(t, missing.Reason, `there is no tape "nowhere"`)
		if wide == 0 {
			require.Equal(t, verdict.Passed, plays.Outcome, plays.Reason)
			continue
		}
		require.Equal(t, "CMD-01/tape", plays.Check, plays.Reason)
		require.Contains(t, plays.Reason, "body-too-large:9")
	}
}
