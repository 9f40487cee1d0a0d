package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/explore"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// standstill is a daemon that waits for a mutex, which in a bubble stops the
// clock: whatever is played before it has no end.
type standstill struct {
	began chan<- struct{}
	over  *sync.Mutex
}

func (d *standstill) Serve(_ context.Context, ln net.Listener) error {
	d.began <- struct{}{}
	d.over.Lock()
	defer d.over.Unlock()
	return ln.Close()
}

// still returns how tapes are played before such a daemon, and a channel that
// says that one waits. They end with the test.
func still(t *testing.T, patience time.Duration) (player.Options, <-chan struct{}) {
	began := make(chan struct{}, 100)
	over := &sync.Mutex{}
	over.Lock()
	t.Cleanup(over.Unlock)
	dir := t.TempDir()
	return player.Options{
		Lane: lane.NewVirtual(lane.InTest(t)), Scratch: dir, Patience: patience,
		Target: &target.InProcess{New: func(config string, limits protocol.Limits, log *slog.Logger) (target.Server, error) {
			// It makes its token, as every daemon does.
			if _, err := newDaemon(config, limits, log); err != nil {
				return nil, err
			}
			return &standstill{began, over}, nil
		}},
	}, began
}

func click(t *testing.T) *tape.Tape {
	tp, err := tape.Parse("click.tape", []byte("use omw.v1\nchrome join\nagent do a click ref=@e1 session=shop\nchrome reply a ok\n"))
	require.NoError(t, err)
	return tp
}

func TestAScheduleWithoutEndIsAViolationWithItsTape(t *testing.T) {
	o, began := still(t, 300*time.Millisecond)
	e := explore.Exploration{Tapes: []*tape.Tape{click(t)}, Play: performer(o), Schedules: 100, Seed: 1, Jobs: 1}
	found, err := e.Do(t.Context())
	require.NoError(t, err)
	<-began
	require.Empty(t, began, "no other was played")
	require.Equal(t, 1, found.Played)
	require.Len(t, found.Violations, 1)
	v := found.Violations[0]
	require.True(t, v.Hangs)
	require.Equal(t, "hangs: it did not end within 300ms", v.Broken)
	again, err := tape.Parse("again", []byte(v.Text))
	require.NoError(t, err)
	require.Equal(t, "Found by the explorer: hangs: it did not end within 300ms.", again.Title())

	f := &exploreFlags{out: t.TempDir()}
	files, err := f.keep(found)
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, v.Text, string(text))
}

func TestAnInterruptWaitsForNoScheduleWithoutEnd(t *testing.T) {
	o, began := still(t, scheduleTime)
	e := explore.Exploration{Tapes: []*tape.Tape{click(t)}, Play: performer(o), Schedules: 100, Seed: 1, Jobs: 2}
	ctx, interrupt := context.WithCancel(t.Context())
	var told time.Time
	go func() {
		<-began
		<-began
		told = time.Now()
		interrupt()
	}()
	found, err := e.Do(ctx)
	require.NoError(t, err)
	require.Less(t, time.Since(told), 5*time.Second, "half a second, and what the machine is late")
	require.True(t, found.Interrupted)
	require.Zero(t, found.Played)
	require.Empty(t, found.Violations)
}
