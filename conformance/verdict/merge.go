package verdict

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Recording is the stream of one part of a run.
type Recording struct {
	// Name is what errors call it, as the name of its file.
	Name string
	*Stream
}

// ErrMissing is the error of a run some of whose parts are not there: what they
// say is no verdict on the whole.
var ErrMissing = errors.New("parts of the run are missing")

// Merge makes the streams of all the parts of one run one stream. A whole run
// comes back as it is, alone. The parts must be of the same suite, protocol,
// target, role, lane, seed, plan and expectations; each must be there, once, to
// its footer, and together they must hold exactly the plan. ErrMissing says
// that some are not there.
func Merge(parts ...Recording) (*Stream, error) {
	for _, p := range parts {
		switch {
		case p.Header == nil || p.Footer == nil:
			return nil, fmt.Errorf("merge: %s: %w", p.Name, ErrCut)
		case p.Header.Shard == nil && len(parts) > 1:
			return nil, fmt.Errorf("merge: %s is a whole run; the parts of one run are merged, each made with --shard", p.Name)
		}
	}
	switch {
	case len(parts) == 0:
		return nil, errors.New("merge: there is nothing to merge")
	case parts[0].Header.Shard == nil:
		return parts[0].Stream, nil
	}
	for _, p := range parts[1:] {
		if err := sameRun(parts[0], p); err != nil {
			return nil, fmt.Errorf("merge: %w", err)
		}
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b Recording) int { return cmp.Compare(a.Header.Shard.Index, b.Header.Shard.Index) })
	if err := complete(parts); err != nil {
		return nil, fmt.Errorf("merge: %w", err)
	}
	return join(parts)
}

// sameRun says in what two parts are not of one run.
func sameRun(a, b Recording) error {
	differ := func(what string, x, y any) error {
		return fmt.Errorf("%s and %s are not of one run: the %s is %v in one and %v in the other", a.Name, b.Name, what, x, y)
	}
	x, y := a.Header, b.Header
	for _, field := range []struct {
		what string
		x, y any
	}{
		{"suite", x.Suite, y.Suite},
		{"protocol", x.Protocol, y.Protocol},
		{"target", x.Target, y.Target},
		{"role", x.Role, y.Role},
		{"lane", x.Lane, y.Lane},
		{"seed", x.Seed, y.Seed},
		{"plan", x.Plan, y.Plan},
		{"number of parts", x.Shard.Of, y.Shard.Of},
	} {
		if field.x != field.y {
			return differ(field.what, field.x, field.y)
		}
	}
	// Too long to be printed.
	if !reflect.DeepEqual(wholeRules(x.Rules), wholeRules(y.Rules)) {
		return fmt.Errorf("%s and %s are not of one run: their rules differ", a.Name, b.Name)
	}
	if !reflect.DeepEqual(asWritten(x.Expect), asWritten(y.Expect)) {
		return fmt.Errorf("%s and %s are not of one run: their expectations differ", a.Name, b.Name)
	}
	return nil
}

// wholeRules are the rules without what is of the part alone.
func wholeRules(rules []Rule) []Rule {
	all := slices.Clone(rules)
	for i := range all {
		all[i].Planned = 0
	}
	return all
}

// asWritten are the expectations as they stand in their files. What they are
// called depends on where the part ran.
func asWritten(all []Expectation) []Expectation {
	all = append([]Expectation{}, all...)
	for i := range all {
		all[i].State, all[i].File = "", ""
	}
	return all
}

// complete says which parts, sorted by their index, are not there or there
// twice.
func complete(parts []Recording) error {
	of := parts[0].Header.Shard.Of
	there := make(map[int]string, of)
	for _, p := range parts {
		i := p.Header.Shard.Index
		if i < 1 || i > of {
			return fmt.Errorf("%s says that it is part %d of %d", p.Name, i, of)
		}
		if other := there[i]; other != "" {
			return fmt.Errorf("%s and %s overlap: both are part %d of %d", other, p.Name, i, of)
		}
		there[i] = p.Name
	}
	var missing []string
	for i := range of {
		if there[i+1] == "" {
			missing = append(missing, Shard{i + 1, of}.String())
		}
	}
	if missing != nil {
		return fmt.Errorf("%w: %s", ErrMissing, strings.Join(missing, ", "))
	}
	return nil
}

// join makes one stream of all the parts.
func join(parts []Recording) (*Stream, error) {
	first := *parts[0].Header
	s := &Stream{Header: &first, Footer: &Footer{}}
	first.Shard = nil
	first.Rules, first.Expect = slices.Clone(first.Rules), slices.Clone(first.Expect)
	first.Scenarios = []Planned{}
	for i := range first.Rules {
		first.Rules[i].Planned = 0
	}
	owner := make(map[string]string)
	for _, p := range parts {
		h := p.Header
		if h.Started.Before(first.Started) {
			first.Started = h.Started
		}
		for i := range h.Rules {
			first.Rules[i].Planned += h.Rules[i].Planned
		}
		for i := range h.Expect {
			if h.Expect[i].State == Selected {
				first.Expect[i].State = Selected
			}
		}
		for _, sc := range h.Scenarios {
			if other := owner[sc.ID]; other != "" {
				return nil, fmt.Errorf("merge: %s and %s overlap: both plan %q", other, p.Name, sc.ID)
			}
			owner[sc.ID] = p.Name
		}
		first.Scenarios = append(first.Scenarios, h.Scenarios...)
		s.Started = append(s.Started, p.Stream.Started...)
		s.Steps = append(s.Steps, p.Steps...)
		s.Finished = append(s.Finished, p.Stream.Finished...)
		s.Footer.Took = max(s.Footer.Took, p.Footer.Took)
		s.Footer.fail(p)
	}
	ids := make([]string, len(first.Scenarios))
	for i, sc := range first.Scenarios {
		ids[i] = sc.ID
	}
	if Digest(ids) != first.Plan {
		return nil, fmt.Errorf("merge: the parts together are not the plan %s that each of them names", first.Plan)
	}
	slices.SortFunc(first.Scenarios, func(a, b Planned) int { return naturally(a.ID, b.ID) })
	byTime(s)
	s.Count(s.Footer)
	return s, nil
}

// fail takes over why a part ended early. Of several the suite's own fault goes
// first, then the target's.
func (f *Footer) fail(p Recording) {
	rank := map[Cause]int{CauseHarness: 2, CauseTarget: 1}
	if p.Footer.Fatal == "" || f.Fatal != "" && rank[f.Cause] >= rank[p.Footer.Cause] {
		return
	}
	f.Fatal, f.Cause = fmt.Sprintf("part %s: %s", p.Header.Shard, p.Footer.Fatal), p.Footer.Cause
}

// byTime brings the events of parts that ran side by side into one order.
func byTime(s *Stream) {
	slices.SortStableFunc(s.Started, func(a, b *Started) int { return cmp.Compare(a.Offset, b.Offset) })
	end := func(f *Finished) time.Duration { return f.Offset + f.Took }
	slices.SortStableFunc(s.Finished, func(a, b *Finished) int { return cmp.Compare(end(a), end(b)) })
}

// naturally compares ids so that row 2 stands before row 10.
func naturally(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns how many digits a text begins with.
func digits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}
