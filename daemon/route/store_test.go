package route

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestChangesThatComeDuringASaveAreSavedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var writes, at atomic.Int64
		s := newStore(func(map[string]protocol.Browser) error {
			require.Equal(t, int64(1), at.Add(1), "two saves at a time")
			time.Sleep(time.Second)
			at.Add(-1)
			writes.Add(1)
			return nil
		})
		var change atomic.Uint64
		now := func() (map[string]protocol.Browser, uint64) { return nil, change.Load() }
		for range 10 {
			mine := change.Add(1)
			go func() { require.NoError(t, s.save(mine, now, func() {})) }()
		}
		time.Sleep(time.Minute)
		require.LessOrEqual(t, writes.Load(), int64(2))
		require.Equal(t, uint64(10), s.saved.Load())
	})
}

func command(session string, b protocol.Browser) protocol.Command {
	click, _ := protocol.LookupAction("click")
	return protocol.Command{Action: click, Session: session, Browser: b}
}

func newRouter(l protocol.Limits, begin map[string]protocol.Browser, save func(map[string]protocol.Browser) error) *Router {
	return New(l, slog.New(slog.DiscardHandler), begin, save)
}

func TestBindSavesBeforeItReturns(t *testing.T) {
	var saved map[string]protocol.Browser
	r := newRouter(protocol.DefaultLimits(), map[string]protocol.Browser{"old": protocol.Firefox}, func(b map[string]protocol.Browser) error {
		saved = maps.Clone(b)
		return nil
	})
	require.NoError(t, r.Bind(command("shop", ""), protocol.Chrome))
	require.Equal(t, map[string]protocol.Browser{"old": protocol.Firefox, "shop": protocol.Chrome}, saved)
}

func TestBindingThatCannotBeSavedIsNone(t *testing.T) {
	full := true
	r := newRouter(protocol.DefaultLimits(), nil, func(map[string]protocol.Browser) error {
		if full {
			return errors.Join(errors.New("write"), syscall.ENOSPC)
		}
		return nil
	})
	err := protocol.AsError(r.Bind(command("shop", ""), protocol.Chrome))
	require.Equal(t, protocol.FileError, err.Code)
	require.Equal(t, protocol.DeliveredNo, err.Delivered)
	require.Contains(t, err.Message, "no space left")
	require.False(t, r.Bound("shop"))
	full = false
	require.NoError(t, r.Bind(command("shop", ""), protocol.Firefox))
	require.Equal(t, map[string]protocol.Browser{"shop": protocol.Firefox}, r.Bindings())
}

func TestSessionsOfABrowserAreCounted(t *testing.T) {
	most := protocol.DefaultLimits().Sessions
	r := newRouter(protocol.DefaultLimits(), nil, func(map[string]protocol.Browser) error { return nil })
	for i := range most {
		require.NoError(t, r.Bind(command(strconv.Itoa(i), ""), protocol.Chrome))
	}
	require.NoError(t, r.Bind(command("0", ""), protocol.Chrome), "a bound session begins none")
	require.Equal(t, protocol.Busy, protocol.AsError(r.Bind(command("one more", ""), protocol.Chrome)).Code)
	require.NoError(t, r.Bind(command("one more", ""), protocol.Firefox), "the other browser has its own")
	require.Equal(t, protocol.SessionBound, protocol.AsError(r.Bind(command("0", ""), protocol.Firefox)).Code)
}

func TestPlaceIsForOneAtATime(t *testing.T) {
	r := newRouter(protocol.DefaultLimits(), nil, func(map[string]protocol.Browser) error { return nil })
	first, err := r.Reserve(protocol.Chrome)
	require.NoError(t, err)
	_, err = r.Reserve(protocol.Chrome)
	require.Equal(t, protocol.Conflict, protocol.AsError(err).Code)
	require.Equal(t, protocol.Conflict, protocol.AsError(r.Free(protocol.Chrome)).Code)
	_, err = r.Reserve(protocol.Firefox)
	require.NoError(t, err)
	first.Leave()
	second, err := r.Reserve(protocol.Chrome)
	require.NoError(t, err)
	first.Leave() // a place that was left is nobody's to leave again
	_, err = r.Reserve(protocol.Chrome)
	require.Error(t, err)
	second.Leave()
	require.NoError(t, r.Free(protocol.Chrome))
}

// The agent is told what is wrong with the disk, and not where the config directory is.
func TestCauseNamesNoPath(t *testing.T) {
	for want, err := range map[string]error{
		"no space left on device": fmt.Errorf("write: %w", &fs.PathError{Op: "write", Path: "/home/me/x", Err: syscall.ENOSPC}),
		"file already closed":     fmt.Errorf("write: %w", &fs.PathError{Op: "write", Path: "/home/me/x", Err: fs.ErrClosed}),
		"it could not be written": errors.New("/home/me/x is bewitched"),
	} {
		require.Equal(t, want, cause(err))
	}
}
