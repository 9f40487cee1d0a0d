// Package plan turns the feature files into the list of scenarios that a run
// has to account for. An outline is expanded, one scenario a row. Each scenario
// carries exactly one rule, and the plan refuses what would let a run look
// greener than it is: a scenario without a rule, an unknown rule or tag, two
// scenarios of one name, a judged rule without a scenario (KIT-02).
//
// # Ids
//
// A scenario's id is a path that stays the same while the file and its name do:
//
//	auth/pairing-code-age.feature:its age decides/row 2
//
// that is the file below features/, the name as it stands in the file (of an
// outline with its placeholders), and for an outline the number of the row,
// counted from 1 over all its tables.
//
// # Tags
//
// Tags of the feature are inherited by its scenarios; a tag of the scenario
// (or of its Examples) overrides one of the same kind.
//
//	@AUTH-08        the rule; exactly one
//	@seed @omw.v1   the level, where it is not the rule's
//	@role:extension the party whose keeping of the rule it shows, where that is
//	                not the first one that the rule names
//	@wait:301s      the time that the scenario lets pass, if more than 10 s;
//	                @waits may stand beside it and says nothing more
//	@heavy          it takes a tenth of a second or more of the machine; in the
//	                kill matrix it meets the mutants of its own rule alone
//	@lane:virtual   only in this lane; so @lane:real
//	@observer:files the observer, where it is not the rule's; repeatable
package plan

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
)

// Step is one sentence of a scenario.
type Step struct {
	// Keyword is Given, When, Then or *, whatever And or But stood in the file.
	Keyword string
	// Text is the sentence.
	Text string
	// Argument is the table or text block below the sentence as Gherkin, or "".
	Argument string
}

func (s Step) String() string { return s.Keyword + " " + s.Text }

// Scenario is one thing that a run has to account for.
type Scenario struct {
	// ID is the scenario's path, see the package's page.
	ID string
	// Rule is the rule that the scenario shows.
	Rule *ledger.Rule
	// Role is the party under test: several may have to keep one rule, and each
	// has scenarios of its own.
	Role ledger.Role
	// Level is the level at which the scenario binds strangers.
	Level ledger.Level
	// Observers say where the scenario looks.
	Observers []ledger.Observer
	// Lanes are the lanes in which the scenario can run.
	Lanes []ledger.Lane
	// Wait is the time that the scenario lets pass, 0 if at most ledger.Instant.
	Wait time.Duration
	// Heavy scenarios take a tenth of a second or more of the machine.
	Heavy bool
	// File, Line, Feature and Name say where it stands and what it is called;
	// Row is the number of the outline's row, 0 for a plain scenario.
	File    string
	Line    int
	Feature string
	Name    string
	Row     int
	// Steps are the sentences, the background's first.
	Steps []Step
}

// Waits reports whether the scenario lets more time pass than ledger.Instant.
func (s *Scenario) Waits() bool { return s.Wait > 0 }

// In reports whether the scenario can run in that lane.
func (s *Scenario) In(l ledger.Lane) bool { return slices.Contains(s.Lanes, l) }

// Plan is what the feature files ask for.
type Plan struct {
	// Ledger is the ledger whose rules the scenarios show.
	Ledger *ledger.Ledger
	// Scenarios are all of them, by file and line.
	Scenarios []Scenario
}

// Of returns the scenarios of that rule.
func (p *Plan) Of(rule string) []*Scenario {
	var of []*Scenario
	for i := range p.Scenarios {
		if p.Scenarios[i].Rule.ID == rule {
			of = append(of, &p.Scenarios[i])
		}
	}
	return of
}

// For returns the scenarios of that rule that judge the role.
func (p *Plan) For(rule string, role ledger.Role) []*Scenario {
	return slices.DeleteFunc(p.Of(rule), func(s *Scenario) bool { return s.Role != role })
}

// Judges reports whether the scenario judges that role today.
func (s *Scenario) Judges(role ledger.Role) bool { return s.Role == role && s.Rule.JudgedFor(role) }

// Scenario returns the scenario with that id.
func (p *Plan) Scenario(id string) (*Scenario, bool) {
	for i := range p.Scenarios {
		if p.Scenarios[i].ID == id {
			return &p.Scenarios[i], true
		}
	}
	return nil, false
}

// Match reports whether an id matches a pattern, in which * stands for any text
// and ? for any one character.
func Match(pattern, id string) bool {
	head, rest, starred := strings.Cut(pattern, "*")
	for _, want := range head {
		got, size := utf8.DecodeRuneInString(id)
		if size == 0 || want != '?' && want != got {
			return false
		}
		id = id[size:]
	}
	if !starred {
		return id == ""
	}
	for i := range len(id) + 1 {
		if Match(rest, id[i:]) {
			return true
		}
	}
	return false
}
