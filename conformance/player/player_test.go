package player_test

import (
	"context"
	"fmt"
	"log/slog"
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
// verdicts are the same.
func TestExamples(t *testing.T) {
	for _, name := range examples.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tp, ok := examples.Find(name)
			require.True(t, ok)
			require.NotEmpty(t, tp.Title(), "it is explained in a sentence")
			quick := playOn(t, tp, player.Options{Lane: virtual(t), Target: ours()})
			require.True(t, quick.OK(), quick.Verdict())
			slow := playOn(t, tp, player.Options{Lane: lane.NewReal(), Target: ours()})
			require.True(t, slow.OK(), slow.Verdict())
			require.Equal(t, verdicts(quick), verdicts(slow))
		})
	}
}

// TestAThousandPlaysAreInstant plays examples over and over in one process, as
// the explorer of schedules does.
func TestAThousandPlaysAreInstant(t *testing.T) {
	tp, ok := examples.Find("outcome-unknown-dropped-link")
	require.True(t, ok)
	began := time.Now()
	for range 1000 {
		tr := playOn(t, tp, player.Options{Lane: virtual(t), Target: ours()})
		require.True(t, tr.OK(), tr.Verdict())
	}
	took := time.Since(began)
	t.Logf("1000 plays of %s of protocol time each: %s, %s a play", "7s", took.Round(time.Millisecond), (took / 1000).Round(time.Microsecond))
}
