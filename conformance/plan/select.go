package plan

import (
	"fmt"
	"slices"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
)

// Waits says which scenarios are selected by the time that they let pass.
type Waits string

// The choices of Waits.
const (
	WaitsAll  Waits = "all"
	WaitsNo   Waits = "no"
	WaitsOnly Waits = "only"
)

// Selection says which part of a plan is to run. The zero value of a field
// selects everything.
type Selection struct {
	// Role is the role under test; scenarios of other roles, and of rules that
	// are not judged for it, are not selected.
	Role ledger.Role
	// Lane is the lane in which it is to run.
	Lane ledger.Lane
	// Level keeps the scenarios of one level alone.
	Level ledger.Level
	// Rules are patterns for rule ids, as AUTH-*; see Match.
	Rules []string
	// Scenarios are patterns for scenario ids, or ids.
	Scenarios []string
	// Waits selects by the time that a scenario lets pass.
	Waits Waits
}

// Select returns the scenarios that sel names, in the plan's order. A pattern
// that matches no rule or scenario of the whole plan is an error, since
// whoever wrote it meant something.
func (p *Plan) Select(sel Selection) ([]*Scenario, error) {
	for _, pattern := range sel.Rules {
		if !slices.ContainsFunc(p.Ledger.Rules, func(r ledger.Rule) bool { return Match(pattern, r.ID) }) {
			return nil, fmt.Errorf("--rule %s matches no rule", pattern)
		}
	}
	for _, pattern := range sel.Scenarios {
		if !slices.ContainsFunc(p.Scenarios, func(s Scenario) bool { return s.matches(pattern) }) {
			return nil, fmt.Errorf("--scenario %q matches no scenario", pattern)
		}
	}
	var chosen []*Scenario
	for i := range p.Scenarios {
		if s := &p.Scenarios[i]; sel.takes(s) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// Covers reports whether the selection takes the rule as a whole, and not some
// of its scenarios by their ids.
func (sel *Selection) Covers(r *ledger.Rule) bool {
	return len(sel.Scenarios) == 0 && sel.names(r.ID)
}

func (sel *Selection) names(rule string) bool {
	return len(sel.Rules) == 0 || slices.ContainsFunc(sel.Rules, func(p string) bool { return Match(p, rule) })
}

func (s *Scenario) matches(pattern string) bool { return s.ID == pattern || Match(pattern, s.ID) }

func (sel *Selection) takes(s *Scenario) bool {
	switch {
	case sel.Role != "" && !s.Judges(sel.Role),
		sel.Lane != "" && !s.In(sel.Lane),
		sel.Level != "" && s.Level != sel.Level,
		sel.Waits == WaitsNo && s.Waits(),
		sel.Waits == WaitsOnly && !s.Waits(),
		!sel.names(s.Rule.ID),
		len(sel.Scenarios) > 0 && !slices.ContainsFunc(sel.Scenarios, s.matches):
		return false
	}
	return true
}
