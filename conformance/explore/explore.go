// Package explore plays tapes with faults put into them: every fault at every
// step, one at a time and then two, in virtual time, so that thousands of
// schedules are tried in the time of one (KIT-10). Whatever a tape expects is
// left out; what is judged are the invariants that hold in every schedule
// (package player): nobody is told something else than browsers did, commands of
// a session keep their order, every request is answered within its time, every
// slot is given back, nothing is left behind.
//
// A schedule that breaks one is shrunk to the shortest tape that still does.
package explore

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Play plays a tape: a strict one to the first line that fails, any other to its
// end. The error says that it could not be played.
type Play func(ctx context.Context, t *tape.Tape, strict bool) (Played, error)

// Played is what came of playing a tape.
type Played struct {
	// Broken is the first invariant that does not hold, "" if all do: its kind, a
	// colon, and how.
	Broken string
	// Missed are the indices of the lines that could not be done.
	Missed []int
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

// Schedule is a tape with faults in it.
type Schedule struct {
	Tape *tape.Tape
	// Of is the name of the tape that it was made of.
	Of string
	// At are the faults, each with the step of the tape behind which it is put.
	At []Placed
}

// Placed is a fault at a step.
type Placed struct {
	Fault string `json:"fault"`
	// Step is the number of the step in its tape, from 0: before the first.
	Step int `json:"step"`
	// Behind is the line as the tape has it.
	Behind string `json:"behind,omitempty"`
}

// Violation is a schedule that broke an invariant.
type Violation struct {
	Of     string   `json:"of"`
	Faults []Placed `json:"faults"`
	// Broken says which invariant, and how.
	Broken string `json:"broken"`
	// Shrunk is the shortest tape that was found to break the same one, Lines how
	// many lines of it act.
	Shrunk *tape.Tape `json:"-"`
	Text   string     `json:"tape"`
	Lines  int        `json:"lines"`
	// Strict is true if it is broken also when the tape is played to the first
	// line that fails, as omw sim play does.
	Strict bool `json:"strict"`
}

// Found is what a search found.
type Found struct {
	// Played counts the schedules, Single and Double those with one and two
	// faults, and Bare the tapes without any.
	Played int `json:"played"`
	Bare   int `json:"bare"`
	Single int `json:"single"`
	Double int `json:"double"`
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
	// Played and Senseless count, by the fault's name; together they are Steps.
	Played    map[string]int `json:"played"`
	Senseless map[string]int `json:"senseless"`
}

// Do searches, until everything is played, ctx ends or enough is found.
func (e *Exploration) Do(ctx context.Context) (*Found, error) {
	began := time.Now()
	found := &Found{Seed: e.Seed, Violations: []Violation{}}
	all, planned := e.plan(found)
	ctx, enough := context.WithCancel(ctx)
	defer enough()
	var mu sync.Mutex
	var failed error
	var broken []Violation
	next := make(chan *Schedule)
	var players sync.WaitGroup
	for range max(1, e.Jobs) {
		players.Go(func() {
			for s := range next {
				played, err := e.Play(ctx, s.Tape, false)
				mu.Lock()
				found.Played++
				found.count(s)
				if e.Progress != nil {
					e.Progress(found.Played, planned)
				}
				switch {
				case err != nil && failed == nil && ctx.Err() == nil:
					failed = fmt.Errorf("play %s with %v: %w", s.Of, s.At, err)
					enough()
				case played.Broken != "":
					broken = append(broken, Violation{Of: s.Of, Faults: s.At, Broken: played.Broken, Shrunk: s.Tape})
				}
				if len(distinct(broken)) >= e.most() {
					enough()
				}
				mu.Unlock()
			}
		})
	}
	for s := range all {
		if ctx.Err() != nil {
			break
		}
		next <- s
	}
	close(next)
	players.Wait()
	if failed != nil {
		return nil, failed
	}
	for _, v := range distinct(broken) {
		shrunk, err := shrink(context.WithoutCancel(ctx), e.Play, v)
		if err != nil {
			return nil, err
		}
		found.Violations = append(found.Violations, shrunk)
	}
	found.Took = time.Since(began)
	return found, nil
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

func (f *Found) count(s *Schedule) {
	switch len(s.At) {
	case 0:
		f.Bare++
	case 1:
		f.Single++
	default:
		f.Double++
	}
}

// plan lists the schedules: the tapes alone, every fault at every step, and
// pairs of them by chance up to the number that is asked for. It fills in the
// coverage.
func (e *Exploration) plan(found *Found) (all iter.Seq[*Schedule], planned int) {
	var first, single, light []*Schedule
	for _, t := range e.Tapes {
		bare := Stimulus(t)
		row := Row{Tape: t.Name, Steps: len(steps(bare)), Played: map[string]int{}, Senseless: map[string]int{}}
		first = append(first, &Schedule{Tape: bare, Of: t.Name, At: []Placed{}})
		for n, at := range steps(bare) {
			for _, f := range Faults {
				s, ok := place(bare, t.Name, f, n, at)
				if !ok {
					row.Senseless[f.Name]++
					continue
				}
				row.Played[f.Name]++
				single = append(single, s)
				if !large(t) {
					light = append(light, s)
				}
			}
		}
		found.Coverage = append(found.Coverage, row)
	}
	first = append(first, single...)
	for i := range max(len(first), e.Schedules) {
		if e.holds(i) {
			planned++
		}
	}
	return func(yield func(*Schedule) bool) {
		i := 0
		for _, each := range []iter.Seq[*Schedule]{slices.Values(first), e.pairs(light, e.Schedules-len(first))} {
			for s := range each {
				if e.holds(i) && !yield(s) {
					return
				}
				i++
			}
		}
	}, planned
}

// holds reports whether the i-th schedule is of the part that is played.
func (e *Exploration) holds(i int) bool { return e.Part == nil || e.Part.Holds(i) }

// large reports whether a tape moves so much that it takes a hundred times as
// long as another: its faults are played one at a time alone.
func large(t *tape.Tape) bool {
	return slices.ContainsFunc(t.Lines, func(l tape.Line) bool {
		text, _ := l.Arg("bytes")
		n, err := strconv.Atoi(text)
		return err == nil && n > 64<<10
	})
}

// pairs puts a second fault behind the first, for n schedules. They are made when
// they are played, since a long search has too many to hold.
func (e *Exploration) pairs(single []*Schedule, n int) iter.Seq[*Schedule] {
	return func(yield func(*Schedule) bool) {
		if len(single) == 0 {
			return
		}
		chance := rand.New(rand.NewPCG(e.Seed, 0))
		for tries, made := 0, 0; made < n && tries < 20*n; tries++ {
			s := single[chance.IntN(len(single))]
			at := steps(s.Tape)
			i := chance.IntN(len(at))
			second, ok := place(s.Tape, s.Of, Faults[chance.IntN(len(Faults))], i, at[i])
			if !ok {
				continue
			}
			second.At = append(slices.Clone(s.At), second.At...)
			if !yield(second) {
				return
			}
			made++
		}
	}
}

// place puts a fault behind the n-th step, whose line has the index at.
func place(t *tape.Tape, of string, f Fault, n, at int) (*Schedule, bool) {
	changed, ok := f.insert(t, at)
	if !ok || changed.Check() != nil {
		return nil, false
	}
	p := Placed{Fault: f.Name, Step: n}
	if at >= 0 {
		p.Behind = t.Lines[at].String()
	}
	return &Schedule{Tape: changed, Of: of, At: []Placed{p}}, true
}

// steps are the indices of the lines that act or let time pass, and -1 for the
// beginning.
func steps(t *tape.Tape) []int {
	all := []int{-1}
	for i := range t.Lines {
		if t.Lines[i].Acts() || t.Lines[i].Wait > 0 {
			all = append(all, i)
		}
	}
	return all
}

// Stimulus returns the tape without what it expects, since a fault changes
// that: what is left is what its actors do.
func Stimulus(t *tape.Tape) *tape.Tape {
	out := *t
	out.Lines = nil
	for _, l := range t.Lines {
		v := tape.Lookup(tape.RoleOf(l.Actor), l.Verb)
		if l.Acts() && v != nil && v.Judges && !(v.Of == tape.Browser && l.Verb == "started") {
			continue
		}
		l.Args = slices.DeleteFunc(slices.Clone(l.Args), func(a tape.Arg) bool {
			return a.Key == "at" || a.Key == "took" || a.Key == "refused" || a.Key == "closed"
		})
		if l.Acts() || l.Wait > 0 {
			out.Lines = append(out.Lines, l)
		}
	}
	out.Files = used(&out)
	return &out
}
