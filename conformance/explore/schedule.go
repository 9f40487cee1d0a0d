package explore

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Schedule is a tape with faults in it.
type Schedule struct {
	Tape *tape.Tape
	// Of is the name of the tape that it was made of.
	Of string
	// At are the faults, each with the step of the tape behind which it is put.
	At []Placed

	// row is the index of its tape's coverage.
	row int
}

// Placed is a fault at a step.
type Placed struct {
	Fault string `json:"fault"`
	// Step is the number of the step in its tape, from 0: before the first.
	Step int `json:"step"`
	// Behind is the line as the tape has it.
	Behind string `json:"behind,omitempty"`
}

// plan lists the schedules: the tapes alone, every fault at every step, and
// pairs of them by chance up to the number that is asked for. It fills in how
// many there are, and the coverage but for what is played.
func (e *Exploration) plan(found *Found) iter.Seq[*Schedule] {
	var first, single, light []*Schedule
	for i, t := range e.Tapes {
		bare := Stimulus(t)
		row := Row{Tape: t.Name, Steps: len(steps(bare)), Played: map[string]int{}, Senseless: map[string]int{}}
		first = append(first, &Schedule{Tape: bare, Of: t.Name, At: []Placed{}, row: i})
		for n, at := range steps(bare) {
			for _, f := range Faults {
				s, ok := place(bare, t.Name, f, n, at)
				if !ok {
					row.Senseless[f.Name]++
					continue
				}
				s.row = i
				single = append(single, s)
				if !large(t) {
					light = append(light, s)
				}
			}
		}
		found.Coverage = append(found.Coverage, row)
	}
	first = append(first, single...)
	found.Singles = len(single)
	for i := range max(len(first), e.Schedules) {
		if e.holds(i) {
			found.Planned++
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
	}
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
