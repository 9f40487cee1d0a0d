package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/player"
	daemons "github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	recording "github.com/oh-my-webbridge/omw/sim/record"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// behind is a daemon that is reached through a recorder.
type behind struct {
	daemons.Instance
	addr string
	dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

func (b *behind) Addr() string { return b.addr }

func (b *behind) Dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return b.dial(ctx, network, b.addr)
}

// recorded plays a tape before a daemon in this process, with a recorder between
// them, and returns what came of it and what was recorded.
func recorded(t *testing.T, l lane.Lane, played *tape.Tape) (*player.Transcript, *tape.Tape) {
	t.Helper()
	made := &daemons.InProcess{New: func(dir string, l protocol.Limits, log *slog.Logger) (daemons.Server, error) {
		return daemon.New(daemon.Config{Dir: dir, Limits: l, Log: log})
	}}
	scratch := t.TempDir()
	var transcript *player.Transcript
	var out *tape.Tape
	var err error
	ran := l.Run(time.Minute, func(c lane.Clock, n daemons.Network) {
		ctx := context.Background()
		var d daemons.Instance
		if d, err = made.Start(ctx, daemons.Setup{Scratch: scratch, Network: n}); err != nil {
			return
		}
		r := recording.New(recording.Config{Upstream: d.Addr(), Dial: d.Dial, Title: played.Title()})
		ln, lerr := n.Listen(ctx, "127.0.0.1:0")
		serving, stop := context.WithCancel(ctx)
		served := make(chan error, 1)
		go func() { served <- r.Serve(serving, ln) }()
		transcript, err = player.Perform(ctx, played, player.Stage{Clock: c, Daemon: &behind{d, ln.Addr().String(), n.Dial}})
		c.Settle()
		stop()
		err = errors.Join(err, lerr, <-served, d.Release(ctx))
		// What lingers in net/http runs out.
		if c.Exact() {
			_ = c.Elapse(ctx, 2*time.Second)
		}
		var terr error
		out, terr = r.Tape()
		err = errors.Join(err, terr)
	})
	require.NoError(t, ran)
	require.NoError(t, err)
	return transcript, out
}

func parse(t *testing.T, name string, text []byte) *tape.Tape {
	t.Helper()
	out, err := tape.Parse(name, text)
	require.NoError(t, err)
	return out
}

// Whatever a tape shows, its recording shows again: it plays with good verdicts
// for as many answers, and is recorded as the same tape.
func TestARecordingPlaysTheSame(t *testing.T) {
	tapes, err := filepath.Glob("testdata/record/*.tape")
	require.NoError(t, err)
	examples, err := filepath.Glob("../../sim/tape/examples/*.tape")
	require.NoError(t, err)
	require.NotEmpty(t, tapes)
	require.NotEmpty(t, examples)
	virtual := lane.NewVirtual(lane.InTest(t))
	for _, name := range append(tapes, examples...) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".tape"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			transcript, first := recorded(t, virtual, parse(t, name, text))
			require.True(t, transcript.OK(), "%v %s", transcript.Failed(), transcript.Dishonest)
			t.Logf("\n%s", first.Format())

			transcript, second := recorded(t, virtual, parse(t, "recorded", first.Format()))
			require.True(t, transcript.OK(), "%v %s\n%s", transcript.Failed(), transcript.Dishonest, first.Format())
			require.Equal(t, instants(first), instants(second))
		})
	}
}

// instants are the lines of a tape and its files, those of one instant sorted:
// what comes at the same time on several connections has no order.
func instants(t *tape.Tape) []string {
	var out []string
	begin := 0
	for _, l := range t.Lines {
		if l.Wait > 0 {
			slices.Sort(out[begin:])
			begin = len(out) + 1
		}
		out = append(out, l.String())
	}
	slices.Sort(out[begin:])
	for _, f := range t.Files {
		out = append(out, f.Name, f.Text)
	}
	return out
}
