package player_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/tape"
	"github.com/oh-my-webbridge/omw/sim/tape/examples"
)

// ours is the daemon of this project, with limits of its own if they are given.
func ours(limits ...protocol.Limits) target.Target {
	t := &target.InProcess{New: func(dir string, l protocol.Limits, log *slog.Logger) (target.Server, error) {
		return daemon.New(daemon.Config{Dir: dir, Version: "0", Limits: l, Log: log})
	}}
	if len(limits) > 0 {
		t.Limits = limits[0]
	}
	return t
}

func virtual(t *testing.T) lane.Lane { return lane.NewVirtual(lane.InTest(t)) }

// parse reads a script; the header is added.
func parse(t *testing.T, script string) *tape.Tape {
	t.Helper()
	tp, err := tape.Parse("x.tape", []byte("use omw.v1\n"+script))
	require.NoError(t, err)
	return tp
}

// play plays a script in the virtual lane.
func play(t *testing.T, script string) *player.Transcript {
	t.Helper()
	return playOn(t, parse(t, script), player.Options{Lane: virtual(t), Target: ours()})
}

func playOn(t *testing.T, tp *tape.Tape, o player.Options) *player.Transcript {
	t.Helper()
	tr, err := player.Play(context.Background(), tp, o)
	require.NoError(t, err)
	return tr
}

// verdicts are what a transcript says of the tape's lines, without when.
func verdicts(tr *player.Transcript) []string {
	var out []string
	for _, c := range tr.Checks {
		out = append(out, fmt.Sprintf("%d %s: %s %s", c.Line, c.Text, c.Outcome, c.Reason))
	}
	return out
}

// TestExamples plays every example in both lanes: each is as it says, and the
// verdicts are the same. Those that wait by the wall clock do so together.
func TestExamples(t *testing.T) {
	var waiting sync.WaitGroup
	slow := make([]*player.Transcript, len(examples.Names()))
	errs := make([]error, len(slow))
	for i, name := range examples.Names() {
		tp, ok := examples.Find(name)
		require.True(t, ok)
		waiting.Go(func() {
			slow[i], errs[i] = player.Play(t.Context(), tp, player.Options{Lane: lane.NewReal(), Target: ours()})
		})
	}
	waiting.Wait()
	for i, name := range examples.Names() {
		t.Run(name, func(t *testing.T) {
			tp, _ := examples.Find(name)
			require.NotEmpty(t, tp.Title(), "it is explained in a sentence")
			quick := playOn(t, tp, player.Options{Lane: virtual(t), Target: ours()})
			require.True(t, quick.OK(), quick.Verdict())
			require.NoError(t, errs[i])
			require.True(t, slow[i].OK(), slow[i].Verdict())
			require.Equal(t, verdicts(quick), verdicts(slow[i]))
			require.GreaterOrEqual(t, slow[i].Elapsed, quick.Elapsed, "the wall clock is never early")
		})
	}
}

// TestAThousandPlays plays an example over and over in one process, as the
// explorer of schedules does: nothing is left of one for the next.
func TestAThousandPlays(t *testing.T) {
	tp, ok := examples.Find("outcome-unknown-dropped-link")
	require.True(t, ok)
	first, err := json.Marshal(playOn(t, tp, player.Options{Lane: virtual(t), Target: ours()}))
	require.NoError(t, err)
	for range 1000 {
		tr := playOn(t, tp, player.Options{Lane: virtual(t), Target: ours()})
		require.True(t, tr.OK(), tr.Verdict())
		require.Equal(t, 7*time.Second, tr.Elapsed)
		again, err := json.Marshal(tr)
		require.NoError(t, err)
		require.Equal(t, string(first), string(again))
	}
}

// BenchmarkPlay plays each example in the virtual lane, whose bubbles are those
// of a test: a benchmark has none.
func BenchmarkPlay(b *testing.B) {
	all := func(string, string) (bool, error) { return true, nil }
	for _, name := range examples.Names() {
		tp, _ := examples.Find(name)
		b.Run(name, func(b *testing.B) {
			ok := testing.RunTests(all, []testing.InternalTest{{Name: name, F: func(t *testing.T) {
				for b.Loop() {
					tr := playOn(t, tp, player.Options{Lane: virtual(t), Target: ours()})
					require.True(t, tr.OK(), tr.Verdict())
				}
			}}})
			if !ok {
				b.Fail()
			}
		})
	}
}
