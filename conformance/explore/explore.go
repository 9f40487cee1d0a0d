// Package explore plays tapes with faults put into them: every fault at every
// step, one at a time and then two, in virtual time, so that thousands of
// schedules are tried in the time of one (KIT-10). Whatever a tape expects is
// left out; what is judged are the invariants that hold in every schedule
// (package player): nobody is told something else than browsers did, commands of
// a session keep their order, every request is answered within its time, every
// slot is given back, nothing is left behind, and there is an end.
//
// A schedule that breaks one is shrunk to the shortest tape that still does.
package explore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Play plays a tape: a strict one to the first line that fails, any other to its
// end. The error says that it could not be played. Nobody waits for one that is
// under way when ctx ends.
type Play func(ctx context.Context, t *tape.Tape, strict bool) (Played, error)

// Played is what came of playing a tape.
type Played struct {
	// Broken is the first invariant that does not hold, "" if all do: its kind, a
	// colon, and how.
	Broken string
	// Missed are the indices of the lines that could not be done.
	Missed []int
	// Hangs is true if the tape did not end within its patience.
	Hangs bool
}

// Exploration is a search. Tapes and Play are required.
type Exploration struct {
	Tapes []*tape.Tape
	Play  Play
	// Schedules is how many are played at least: all with one fault, and as many
	// with two as are left, of tapes that are not large.
	Schedules int
	// Seed decides which pairs of faults.
	Seed uint64
	// Part, if set, is the part of the schedules to play.
	Part *verdict.Shard
	// Jobs is how many play at a time, 1 if it is 0.
	Jobs int
	// Most is how many violations are shrunk before the search ends; 5 if it is 0.
	Most int
	// Progress, if set, is called after each schedule. It must not block.
	Progress func(done, planned int)
}

// Violation is a schedule that broke an invariant.
type Violation struct {
	Of     string   `json:"of"`
	Faults []Placed `json:"faults"`
	// Broken says which invariant, and how.
	Broken string `json:"broken"`
	// Hangs is true if it is that the schedule did not end.
	Hangs bool `json:"hangs"`
	// Tape is the shortest tape that was found to break the same one, Lines how
	// many lines of it act.
	Tape  *tape.Tape `json:"-"`
	Text  string     `json:"tape"`
	Lines int        `json:"lines"`
	// Shrunk is false if the tape may have lines that are not needed: it hangs, or
	// the search was told to end.
	Shrunk bool `json:"shrunk"`
	// Strict is true if it is broken also when the tape is played to the first
	// line that fails, as omw sim play does.
	Strict bool `json:"strict"`
}

// Found is what a search found.
type Found struct {
	// Planned is how many schedules there were to play, Singles how many with one
	// fault there are in all, in this part and others.
	Planned int `json:"planned"`
	Singles int `json:"singles"`
	// Played counts the schedules that were, Single and Double those with one and
	// two faults, and Bare the tapes without any.
	Played int `json:"played"`
	Bare   int `json:"bare"`
	Single int `json:"single"`
	Double int `json:"double"`
	// Interrupted is true if the search was told to end before it had.
	Interrupted bool `json:"interrupted"`
	// Coverage says for each tape and fault at how many of its steps the fault was
	// played, and at how many it makes no sense.
	Coverage   []Row         `json:"coverage"`
	Violations []Violation   `json:"violations"`
	Took       time.Duration `json:"took_ns"`
	Seed       uint64        `json:"seed"`
}

// Row is the coverage of one tape.
type Row struct {
	Tape  string `json:"tape"`
	Steps int    `json:"steps"`
	// Played and Senseless count, by the fault's name; together they are Steps
	// once everything was played.
	Played    map[string]int `json:"played"`
	Senseless map[string]int `json:"senseless"`
}

// Do searches, until everything is played, ctx ends or enough is found: several
// invariants that are broken, or a schedule that hangs, behind which there may be
// hundreds that each take as long. When ctx ends, it returns at once with what it
// has found.
func (e *Exploration) Do(ctx context.Context) (*Found, error) {
	began := time.Now()
	s := &search{of: e, enough: make(chan struct{}), found: &Found{Seed: e.Seed, Violations: []Violation{}}}
	all := e.plan(s.found)
	next := make(chan *Schedule)
	var players sync.WaitGroup
	for range max(1, e.Jobs) {
		players.Go(func() {
			for one := range next {
				if !s.over() {
					played, err := e.play(ctx, one.Tape, false)
					s.add(ctx, one, played, err)
				}
			}
		})
	}
deal:
	for one := range all {
		select {
		case <-ctx.Done():
			break deal
		case <-s.enough:
			break deal
		case next <- one:
		}
	}
	close(next)
	players.Wait()
	if s.failed != nil {
		return nil, s.failed
	}
	for _, v := range distinct(s.broken) {
		shortest, err := e.shrink(ctx, v)
		if err != nil {
			return nil, err
		}
		s.found.Violations = append(s.found.Violations, shortest)
	}
	s.found.Interrupted = ctx.Err() != nil
	s.found.Took = time.Since(began)
	return s.found, nil
}

// lastWait is how long a play that is under way may go on when it is told to end,
// so that it can put away what it has: most take milliseconds.
const lastWait = 500 * time.Millisecond

// play plays a tape, and returns soon after ctx has ended. What runs in a bubble
// cannot be ended from outside of it: a play that goes on then is left to itself,
// as one that hangs is.
func (e *Exploration) play(ctx context.Context, t *tape.Tape, strict bool) (Played, error) {
	if ctx.Err() != nil {
		return Played{}, context.Cause(ctx)
	}
	type outcome struct {
		played Played
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		played, err := e.Play(ctx, t, strict)
		done <- outcome{played, err}
	}()
	select {
	case o := <-done:
		return o.played, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.played, o.err
	case <-time.After(lastWait):
		return Played{}, context.Cause(ctx)
	}
}

// search is what a search knows while it lasts.
type search struct {
	of *Exploration
	// enough is closed once nothing more is to be played.
	enough chan struct{}

	mu     sync.Mutex
	ended  bool
	found  *Found
	broken []Violation
	failed error
}

// over reports whether nothing more is to be played.
func (s *search) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// add notes what came of a schedule.
func (s *search) add(ctx context.Context, one *Schedule, played Played, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err != nil && ctx.Err() != nil:
		return
	case err != nil:
		s.failed = fmt.Errorf("play %s with %v: %w", one.Of, one.At, err)
		s.end()
		return
	}
	s.found.count(one)
	if s.of.Progress != nil {
		s.of.Progress(s.found.Played, s.found.Planned)
	}
	if played.Broken == "" {
		return
	}
	s.broken = append(s.broken, Violation{Of: one.Of, Faults: one.At, Broken: played.Broken, Hangs: played.Hangs, Tape: one.Tape})
	if played.Hangs || len(distinct(s.broken)) >= s.of.most() {
		s.end()
	}
}

// end has nothing more played. s.mu is held.
func (s *search) end() {
	if !s.ended {
		s.ended = true
		close(s.enough)
	}
}

func (e *Exploration) most() int {
	if e.Most == 0 {
		return 5
	}
	return e.Most
}

// distinct keeps one violation of each kind, the one with the fewest faults:
// many schedules show one fault.
func distinct(all []Violation) []Violation {
	var out []Violation
	for _, v := range all {
		i := slices.IndexFunc(out, func(o Violation) bool { return Kind(o.Broken) == Kind(v.Broken) })
		switch {
		case i < 0:
			out = append(out, v)
		case len(v.Faults) < len(out[i].Faults):
			out[i] = v
		}
	}
	return out
}

// count notes that a schedule was played.
func (f *Found) count(s *Schedule) {
	f.Played++
	switch len(s.At) {
	case 0:
		f.Bare++
	case 1:
		f.Single++
		f.Coverage[s.row].Played[s.At[0].Fault]++
	default:
		f.Double++
	}
}
