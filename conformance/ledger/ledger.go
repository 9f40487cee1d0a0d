// Package ledger holds the numbered rules of the suite as data: for each the
// sentence that it was taken from, who has to keep it, at which level it binds
// a stranger, who can observe it, how long it may take to show and what a seed
// permits beside our decision (KIT-02).
//
// The table is rules.tsv beside this file. It is the only place where a rule's
// sentence stands; features, steps and reports name a rule by its id alone.
package ledger

import (
	_ "embed"
	"slices"
	"strings"
	"time"
)

//go:embed rules.tsv
var table string

// Level says what binds a stranger's build to a rule or a scenario.
type Level string

// The levels. A stranger's build is judged at both, apart: Seed is what one of
// the two seed documents says, OMW is what this project decided where they are
// silent.
const (
	Seed Level = "seed"
	OMW  Level = "omw.v1"
)

// Role is a party that has to keep rules.
type Role string

// The roles under test, and the parts of this project that rules also name.
const (
	Daemon    Role = "daemon"
	Extension Role = "extension"
	Client    Role = "client"
	Host      Role = "host"
	Kit       Role = "kit"
	Sim       Role = "sim"
	E2E       Role = "e2e"
)

// Observer says where a rule can be seen to be kept or broken.
type Observer string

// The observers.
const (
	Wire     Observer = "wire"
	Process  Observer = "process"
	Files    Observer = "files"
	Manifest Observer = "manifest"
	Source   Observer = "source"
)

// Lane is the name of a way in which time passes; package lane implements them.
type Lane string

// The lanes.
const (
	Virtual Lane = "virtual"
	Real    Lane = "real"
)

// Rule is one row of the ledger.
type Rule struct {
	// ID is the rule's id, as AUTH-08.
	ID string
	// From names the document that the rule was taken from: omw or weboperator
	// (the seeds), field or card.
	From string
	// Level is Seed for the rules of the seeds, else OMW. A scenario may say
	// otherwise of itself.
	Level Level
	// Roles are the parties that have to keep the rule.
	Roles []Role
	// Judged are the roles for which the suite judges the rule today. A rule
	// that is judged for no role is listed as not judged yet. A client or
	// an extension may be judged by a rule that names the daemon alone: by its
	// own half of it.
	Judged []Role
	// Observers say where the rule can be seen.
	Observers []Observer
	// Lanes are the lanes in which the rule can be seen.
	Lanes []Lane
	// Wait is the longest time that one scenario of the rule has to let pass, 0
	// for a rule that shows within the time that Instant allows.
	Wait time.Duration
	// Browser is "chrome" or "firefox" if the rule concerns that browser alone.
	Browser string
	// Allowed are the outcomes that a seed permits to strangers beside our
	// decision, by their name.
	Allowed []Allowance
	// Sentence is the rule itself.
	Sentence string
}

// Instant is how much time a scenario may let pass without being counted among
// those that wait.
const Instant = 10 * time.Second

// Allowance is an outcome that a seed permits beside our decision.
type Allowance struct {
	// Name is how a step claims it.
	Name string
	// Sentence says what it is.
	Sentence string
}

// Waits reports whether the rule's scenarios let more time pass than Instant.
func (r *Rule) Waits() bool { return r.Wait > 0 }

// Names reports whether the rule names that role, or is judged for it.
func (r *Rule) Names(role Role) bool {
	return slices.Contains(r.Roles, role) || slices.Contains(r.Judged, role)
}

// JudgedFor reports whether the suite judges the rule for that role today.
func (r *Rule) JudgedFor(role Role) bool { return slices.Contains(r.Judged, role) }

// In reports whether the rule can be seen in that lane.
func (r *Rule) In(l Lane) bool { return slices.Contains(r.Lanes, l) }

// Allows returns the allowance of that name.
func (r *Rule) Allows(name string) (Allowance, bool) {
	for _, a := range r.Allowed {
		if a.Name == name {
			return a, true
		}
	}
	return Allowance{}, false
}

// Short returns the sentence cut at about n characters, at a blank, for a line
// of a report.
func (r *Rule) Short(n int) string { return Short(r.Sentence, n) }

// Short cuts a sentence at about n characters, at a blank.
func Short(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	cut := string(runes[:n])
	if i := strings.LastIndexByte(cut, ' '); i > n/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:.(") + "…"
}

// Ledger is the table of rules.
type Ledger struct {
	// Rules are the rules in the order of the table. They are not to be changed.
	Rules []Rule
	byID  map[string]*Rule
}

// Load returns the suite's own ledger.
func Load() (*Ledger, error) { return Parse(table) }

// Rule returns the rule with that id.
func (l *Ledger) Rule(id string) (*Rule, bool) {
	r, ok := l.byID[id]
	return r, ok
}

// For returns the rules that name the role, in the order of the table.
func (l *Ledger) For(role Role) []*Rule {
	var rules []*Rule
	for i := range l.Rules {
		if l.Rules[i].Names(role) {
			rules = append(rules, &l.Rules[i])
		}
	}
	return rules
}
