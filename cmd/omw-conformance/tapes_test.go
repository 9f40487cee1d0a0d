package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// TestTapesAreLeftBesideWhatFailed requires a tape that parses of each scenario
// that failed, and of no other one.
func TestTapesAreLeftBesideWhatFailed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tapes")
	require.Equal(t, "", beside("", "tapes"))
	require.Equal(t, filepath.Join("out", "tapes"), beside("out/run.ndjson", "tapes"))
	s := &verdict.Stream{Header: &verdict.Header{Seed: 7}, Finished: []*verdict.Finished{
		{Scenario: "x/f.feature:a", Outcome: verdict.Passed}, {Scenario: "x/f.feature:b/row 1", Rule: "A-01", Outcome: verdict.Failed, Reason: "it was late\nby far"},
	}}
	var told bytes.Buffer
	require.NoError(t, leaveTapes("", s, &told))
	require.NoError(t, leaveTapes(dir, s, &told))
	require.Contains(t, told.String(), "1 in "+dir)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.Equal(t, "x-f.feature-b-row-1.tape", left[0].Name())
	text, err := os.ReadFile(filepath.Join(dir, left[0].Name()))
	require.NoError(t, err)
	parsed, err := tape.Parse(left[0].Name(), text)
	require.NoError(t, err)
	require.EqualValues(t, 7, parsed.Seed)
	require.Equal(t, "A-01: x/f.feature:b/row 1", parsed.Title())

	none := filepath.Join(t.TempDir(), "none")
	require.NoError(t, leaveTapes(none, &verdict.Stream{Header: s.Header, Finished: s.Finished[:1]}, &told))
	require.NoDirExists(t, none)
}
