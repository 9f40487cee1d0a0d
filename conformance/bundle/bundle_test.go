package bundle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/oh-my-webbridge/omw/conformance/bundle"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

func failure() (*verdict.Header, *verdict.Finished) {
	return &verdict.Header{
		Suite: "1", Protocol: "omw.v1", Target: verdict.Target{Kind: "inproc", Name: "omw"}, Role: ledger.Daemon, Lane: ledger.Virtual, Seed: 7,
		Command: []string{"omw-conformance", "run", "--seed", "7"}, Rules: []verdict.Rule{{ID: "CMD-11", Sentence: "It ends."}},
	}, &verdict.Finished{
		Scenario: "command/deadline.feature:it ends/row 1", Rule: "CMD-11", Lane: ledger.Virtual, Outcome: verdict.Failed,
		Cause: verdict.CauseCheck, Check: "CMD-11/late", Step: "it took 30s", Reason: "it took 31s",
		Transcript: []world.Line{{At: time.Second, Actor: "agent", Dir: ">", Text: "POST /command"}},
	}
}

func TestBundle(t *testing.T) {
	h, f := failure()
	b := bundle.Of(h, f, "# a tape\nuse omw.v1\nchrome join\n-- x.json --\n{}\n")
	require.Equal(t, "It ends.", b.Sentence)
	text, err := b.Format()
	require.NoError(t, err)
	require.Contains(t, string(text), "CMD-11 failed: It ends.\nit took 31s\n")
	require.Contains(t, string(text), "+1s             agent    > POST /command\n")
	again, err := bundle.Parse(text)
	require.NoError(t, err)
	require.Equal(t, b, again)
	require.Equal(t, "CMD-11-command-deadline.feature-it-ends-row-1.bundle", b.Name())
}

// TestRoundTrip holds for whatever was said: also for lines that look like the
// archive's own.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"-- x --", "-- bundle.json --", "| a", "text", "", "é"})
		h, f := failure()
		f.Reason = strings.Join(rapid.SliceOfN(line, 0, 4).Draw(t, "reason"), "\n")
		f.Transcript[0].Text = strings.Join(rapid.SliceOfN(line, 0, 4).Draw(t, "said"), "\n")
		tape := strings.Join(rapid.SliceOfN(line, 0, 4).Draw(t, "tape"), "\n")
		if tape != "" {
			tape += "\n"
		}
		b := bundle.Of(h, f, tape)
		text, err := b.Format()
		require.NoError(t, err)
		again, err := bundle.Parse(text)
		require.NoError(t, err)
		require.Equal(t, b, again)
	})
}

func TestParseRefuses(t *testing.T) {
	h, f := failure()
	text, err := bundle.Of(h, f, "").Format()
	require.NoError(t, err)
	for name, c := range map[string][2]string{
		"no bundle":      {"-- bundle.json --", "-- other.json --"},
		"another format": {`"bundle": 1`, `"bundle": 2`},
		"no scenario":    {`"scenario": "command/deadline.feature:it ends/row 1"`, `"scenario": ""`},
		"no JSON":        {`{`, `[`},
	} {
		_, err := bundle.Parse([]byte(strings.Replace(string(text), c[0], c[1], 1)))
		require.ErrorContains(t, err, "read bundle: ", name)
	}
}

func TestNamesAreShort(t *testing.T) {
	h, f := failure()
	f.Scenario = strings.Repeat("ü/", 200)
	name := bundle.Of(h, f, "").Name()
	require.Len(t, name, 150+len(".bundle"))
	require.NotContains(t, name, "/")
}
