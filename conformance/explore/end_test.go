package explore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/explore"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// stuck is a Play whose n-th play does not end, as one in a bubble that stands
// still.
type stuck struct {
	collect
	n     int
	began chan struct{}
	over  chan struct{}
}

func newStuck(t *testing.T, n int) *stuck {
	s := &stuck{n: n, began: make(chan struct{}), over: make(chan struct{})}
	t.Cleanup(func() { close(s.over) })
	return s
}

func (s *stuck) play(ctx context.Context, t *tape.Tape, strict bool) (explore.Played, error) {
	played, err := s.collect.play(ctx, t, strict)
	s.mu.Lock()
	nth := len(s.played)
	s.mu.Unlock()
	if nth == s.n {
		close(s.began)
		<-s.over
	}
	return played, err
}

func TestASearchThatIsToldToEndWaitsForNothing(t *testing.T) {
	s := newStuck(t, 11)
	s.broken = func(tp *tape.Tape) string {
		if has(tp, "restart") {
			return "odd: it restarted"
		}
		return ""
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-s.began
		stop()
	}()
	e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Play: s.play, Schedules: 500, Seed: 1}
	found, err := e.Do(ctx)
	require.NoError(t, err)
	require.True(t, found.Interrupted)
	require.Equal(t, 10, found.Played, "the one that was under way does not count")
	require.Equal(t, 500, found.Planned)
	require.Equal(t, 9, found.Single)
	counted := 0
	for _, n := range found.Coverage[0].Played {
		counted += n
	}
	require.Equal(t, found.Single, counted)
	require.Len(t, found.Violations, 1)
	v := found.Violations[0]
	require.False(t, v.Shrunk, "there was no time for it")
	require.NoError(t, parse(t, v.Text).Check())

	var said strings.Builder
	require.NoError(t, explore.Print(&said, found, []string{"1-odd.tape"}))
	require.Contains(t, said.String(), "\n10 of 500 in ")
	require.Contains(t, said.String(), "9 of 78 with one, ")
	require.Contains(t, said.String(), "; 8 lines so far, not shrunk to the end:")
}

func TestShrinkingEndsWithTheSearch(t *testing.T) {
	// All 79 schedules are played, and then the shrinking is at its third try.
	s := newStuck(t, 82)
	s.broken = func(tp *tape.Tape) string {
		if has(tp, "busy") {
			return "odd: busy"
		}
		return ""
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-s.began
		stop()
	}()
	e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Play: s.play, Schedules: 1, Seed: 1}
	found, err := e.Do(ctx)
	require.NoError(t, err)
	require.True(t, found.Interrupted)
	require.Equal(t, found.Planned, found.Played)
	v := found.Violations[0]
	require.False(t, v.Shrunk)
	require.True(t, v.Strict, "that was known before")
	require.True(t, has(parse(t, v.Text), "busy"), "the shortest so far")
}

func TestAScheduleThatHangsIsAViolationAndEndsTheSearch(t *testing.T) {
	plays := 0
	e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Schedules: 500, Seed: 1, Play: func(_ context.Context, tp *tape.Tape, _ bool) (explore.Played, error) {
		plays++
		if has(tp, "suspend") {
			return explore.Played{Broken: "hangs: it did not end within 30s", Hangs: true}, nil
		}
		return explore.Played{}, nil
	}}
	found, err := e.Do(t.Context())
	require.NoError(t, err)
	require.False(t, found.Interrupted)
	require.Equal(t, plays, found.Played, "it is not shrunk: each try would take as long")
	require.Less(t, plays, 10)
	require.Len(t, found.Violations, 1)
	v := found.Violations[0]
	require.Equal(t, "suspend", v.Faults[0].Fault)
	require.False(t, v.Shrunk)
	require.True(t, has(parse(t, v.Text), "suspend"))
	require.Equal(t, "Found by the explorer: hangs: it did not end within 30s.", parse(t, v.Text).Title())

	var said strings.Builder
	require.NoError(t, explore.Print(&said, found, []string{"out/1-hangs.tape"}))
	require.Contains(t, said.String(), "\n! hangs: it did not end within 30s\n  found in x.tape with suspend behind step 0; its 8 lines, since ")
	require.Contains(t, said.String(), "  omw sim play out/1-hangs.tape\n")
}

func TestAShorterTapeThatHangsEndsTheShrinking(t *testing.T) {
	e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Schedules: 1, Seed: 1, Play: func(_ context.Context, tp *tape.Tape, strict bool) (explore.Played, error) {
		switch {
		case strict && len(tp.Lines) < 6:
			return explore.Played{Broken: "hangs: it did not end within 30s", Hangs: true}, nil
		case has(tp, "busy"):
			return explore.Played{Broken: "odd: busy"}, nil
		}
		return explore.Played{}, nil
	}}
	found, err := e.Do(t.Context())
	require.NoError(t, err)
	require.Len(t, found.Violations, 1)
	v := found.Violations[0]
	require.Equal(t, "odd: busy", v.Broken)
	require.False(t, v.Shrunk)
	require.True(t, v.Strict)
	require.Equal(t, 6, v.Lines, "the shortest that did not hang")
}
