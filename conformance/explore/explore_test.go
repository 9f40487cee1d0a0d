package explore_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/explore"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

const script = `# A tape to put faults into.
use omw.v1
chrome  join sessions=shop
agent   do a1 click ref=@e4 session=shop timeout=2s
chrome  expect a1 action=click
chrome  reply a1 ok
agent   expect a1 ok at=0s
+1s
agent   do a2 snapshot session=shop
chrome  reply a2 file=page.json
agent   expect a2 ok
-- page.json --
{"text":""}
`

func parse(t *testing.T, text string) *tape.Tape {
	t.Helper()
	tp, err := tape.Parse("x.tape", []byte(text))
	require.NoError(t, err)
	return tp
}

// collect is a Play that keeps what it is given, and says what broken says of it.
type collect struct {
	mu     sync.Mutex
	played []string
	broken func(t *tape.Tape) string
	missed func(t *tape.Tape) []int
}

func (c *collect) play(_ context.Context, t *tape.Tape, _ bool) (explore.Played, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.played = append(c.played, string(t.Format()))
	var out explore.Played
	if c.broken != nil {
		out.Broken = c.broken(t)
	}
	if c.missed != nil {
		out.Missed = c.missed(t)
	}
	return out, nil
}

func has(t *tape.Tape, verb string) bool {
	return slices.ContainsFunc(t.Lines, func(l tape.Line) bool { return l.Verb == verb })
}

func TestEveryFaultIsPlayedAtEveryStepThatItFits(t *testing.T) {
	c := &collect{}
	e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Play: c.play, Schedules: 1, Seed: 1, Jobs: 3}
	found, err := e.Do(t.Context())
	require.NoError(t, err)
	require.Empty(t, found.Violations)
	row := found.Coverage[0]
	require.Equal(t, 7, row.Steps, "six lines that act, and before the first")
	total := 0
	require.Equal(t, found.Planned, found.Played)
	require.Equal(t, found.Singles, found.Single)
	require.False(t, found.Interrupted)
	for _, f := range explore.Faults {
		require.Equal(t, row.Steps, row.Played[f.Name]+row.Senseless[f.Name], f.Name)
		total += row.Played[f.Name]
	}
	for fault, steps := range map[string]int{"drop": 7, "restart": 7, "busy": 7, "hang-up": 5, "duplicate": 4, "late": 6, "reorder": 0} {
		require.Equal(t, steps, row.Played[fault], fault)
	}
	require.Equal(t, 1, found.Bare)
	require.Equal(t, total, found.Single)
	require.Zero(t, found.Double, "no more were asked for")
	require.Len(t, c.played, 1+total)
	for _, text := range c.played {
		again, err := tape.Parse("again", []byte(text))
		require.NoError(t, err, "whatever is played is a tape")
		require.False(t, slices.ContainsFunc(again.Lines, func(l tape.Line) bool { return strings.HasPrefix(l.Verb, "expect") }))
	}
}

func TestAnswersComeLateOrInAnotherOrder(t *testing.T) {
	c := &collect{}
	e := explore.Exploration{Schedules: 1, Play: c.play, Tapes: []*tape.Tape{parse(t, `use omw.v1
chrome join
agent  do a1 click ref=@e1 session=s1
agent  do a2 click ref=@e2 session=s2
chrome reply a1 ok within=2s
chrome reply a2 ok
`)}}
	found, err := e.Do(t.Context())
	require.NoError(t, err)
	require.Equal(t, 4, found.Coverage[0].Played["reorder"], "behind each step before the first answer")
	require.Equal(t, 2, found.Coverage[0].Senseless["reorder"])
	whole := strings.Join(c.played, "\n")
	require.Contains(t, whole, "chrome  reply a2 ok\nchrome  reply a1 ok within=2s\n")
	require.Contains(t, whole, "chrome  late a1 ok after=3s\nchrome  reply a2 ok\n")
	require.Contains(t, whole, "chrome  reply a1 ok within=2s\nchrome  late a2 ok after=3s\n")
}

func TestPairsFillUpWhatWasAskedFor(t *testing.T) {
	play := func(seed uint64, n int) ([]string, *explore.Found) {
		c := &collect{}
		e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Play: c.play, Schedules: n, Seed: seed}
		found, err := e.Do(t.Context())
		require.NoError(t, err)
		return c.played, found
	}
	first, found := play(1, 300)
	require.Equal(t, 300, found.Played)
	require.Equal(t, 300-found.Bare-found.Single, found.Double)
	again, _ := play(1, 300)
	require.Equal(t, first, again, "a seed decides everything")
	other, _ := play(2, 300)
	require.NotEqual(t, first, other)
}

func TestPartsAreTheWhole(t *testing.T) {
	whole, sum, drops := 0, 0, 0
	for i := range 4 {
		c := &collect{}
		e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Play: c.play, Schedules: 200, Seed: 1}
		if i > 0 {
			e.Part = &verdict.Shard{Index: i, Of: 3}
		}
		found, err := e.Do(t.Context())
		require.NoError(t, err)
		if i == 0 {
			whole = found.Played
			drops = found.Coverage[0].Played["drop"]
		} else {
			sum += found.Played
			drops -= found.Coverage[0].Played["drop"]
		}
		require.Equal(t, found.Planned, found.Played)
	}
	require.Equal(t, whole, sum)
	require.Zero(t, drops, "a part counts what it plays itself")
}

func TestAViolationIsShrunk(t *testing.T) {
	// It needs a busy browser and the command behind it, whatever else happens.
	broken := func(tp *tape.Tape) string {
		if has(tp, "busy") && has(tp, "do") {
			return "odd: a busy browser was asked"
		}
		return ""
	}
	c := &collect{broken: broken, missed: func(tp *tape.Tape) []int {
		// What names a request that is answered already cannot be done.
		for i, l := range tp.Lines {
			if l.Verb == "reply" {
				return []int{i}
			}
		}
		return nil
	}}
	e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Play: c.play, Schedules: 1, Seed: 1}
	found, err := e.Do(t.Context())
	require.NoError(t, err)
	require.Len(t, found.Violations, 1, "many schedules show it, and it is told once")
	v := found.Violations[0]
	require.Equal(t, "busy", v.Faults[0].Fault)
	require.True(t, v.Strict)
	require.True(t, v.Shrunk)
	require.Equal(t, 2, v.Lines)
	tp := parse(t, v.Text)
	require.Equal(t, "Found by the explorer: odd: a busy browser was asked.", tp.Title())
	require.Empty(t, tp.Files, "a payload that nothing names any more is gone")
	require.True(t, has(tp, "busy") && has(tp, "do"))
}

func TestKindsAreToldApart(t *testing.T) {
	c := &collect{broken: func(tp *tape.Tape) string {
		switch {
		case has(tp, "stall"):
			return "late: by a second"
		case has(tp, "suspend"):
			return "late: by two seconds"
		case has(tp, "restart"):
			return "unasked: a click"
		}
		return ""
	}}
	e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Play: c.play, Schedules: 1, Seed: 1}
	found, err := e.Do(t.Context())
	require.NoError(t, err)
	var kinds []string
	for _, v := range found.Violations {
		kinds = append(kinds, explore.Kind(v.Broken))
	}
	slices.Sort(kinds)
	require.Equal(t, []string{"late", "unasked"}, kinds)
}

func TestEnoughIsEnough(t *testing.T) {
	n := 0
	c := &collect{broken: func(*tape.Tape) string {
		n++
		return strings.Repeat("x", n) + ": another kind each time"
	}}
	e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Play: c.play, Schedules: 1000, Seed: 1, Most: 2}
	found, err := e.Do(t.Context())
	require.NoError(t, err)
	require.Less(t, found.Played, 5)
}

func TestATapeThatCannotBePlayedEndsTheSearch(t *testing.T) {
	e := explore.Exploration{Tapes: []*tape.Tape{parse(t, script)}, Schedules: 1, Play: func(context.Context, *tape.Tape, bool) (explore.Played, error) {
		return explore.Played{}, errors.New("no daemon")
	}}
	_, err := e.Do(t.Context())
	require.ErrorContains(t, err, "play x.tape with []: no daemon")
}

func TestStimulusIsWhatActorsDo(t *testing.T) {
	tp := explore.Stimulus(parse(t, script))
	require.NoError(t, tp.Check())
	require.False(t, has(tp, "expect"))
	require.True(t, has(tp, "reply"))
	require.Len(t, tp.Files, 1)
}
