package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
)

// tags are what the tags of one place say; the zero value says nothing.
type tags struct {
	rules     []string
	levels    []ledger.Level
	roles     []ledger.Role
	observers []ledger.Observer
	lanes     []ledger.Lane
	waits     []time.Duration
	waiting   bool
	heavy     bool
}

// readTags judges the tags. A pickle's tags begin with those of its feature.
func (s *Scenario) readTags(feature []*messages.Tag, pickle []*messages.PickleTag, l *ledger.Ledger) error {
	var names []string
	for _, t := range pickle {
		names = append(names, t.Name)
	}
	inherited, err := readTags(names[:len(feature)])
	if err != nil {
		return err
	}
	own, err := readTags(names[len(feature):])
	if err != nil {
		return err
	}
	t := tags{
		rules:     override(inherited.rules, own.rules),
		levels:    override(inherited.levels, own.levels),
		roles:     override(inherited.roles, own.roles),
		observers: override(inherited.observers, own.observers),
		lanes:     override(inherited.lanes, own.lanes),
		waits:     override(inherited.waits, own.waits),
		waiting:   inherited.waiting || own.waiting,
		heavy:     inherited.heavy || own.heavy,
	}
	switch {
	case len(t.rules) == 0:
		return errors.New("the scenario carries no rule")
	case len(t.rules) > 1:
		return fmt.Errorf("the scenario carries the rules %s; it must be exactly one", strings.Join(t.rules, ", "))
	case len(t.levels) > 1:
		return errors.New("the scenario carries two levels")
	case len(t.roles) > 1:
		return errors.New("the scenario carries two roles")
	case len(t.waits) > 1:
		return errors.New("the scenario carries two @wait tags")
	case t.waiting && len(t.waits) == 0:
		return errors.New("@waits does not say how long; write @wait:301s")
	}
	rule, ok := l.Rule(t.rules[0])
	if !ok {
		return fmt.Errorf("the rule %s is not in the ledger", t.rules[0])
	}
	s.Heavy, s.Role = t.heavy, rule.Roles[0]
	if len(t.roles) > 0 {
		s.Role = t.roles[0]
	}
	if !rule.Names(s.Role) {
		return fmt.Errorf("%s does not name the role %s, says the ledger", rule.ID, s.Role)
	}
	s.Rule, s.Level, s.Observers, s.Lanes = rule, rule.Level, rule.Observers, rule.Lanes
	if len(t.levels) > 0 {
		s.Level = t.levels[0]
	}
	if len(t.observers) > 0 {
		s.Observers = t.observers
	}
	if len(t.lanes) > 0 {
		s.Lanes = t.lanes
	}
	for _, lane := range s.Lanes {
		if !rule.In(lane) {
			return fmt.Errorf("%s cannot be seen in the %s lane, says the ledger", rule.ID, lane)
		}
	}
	if len(t.waits) > 0 {
		s.Wait = t.waits[0]
	}
	return nil
}

func override[T any](inherited, own []T) []T {
	if len(own) > 0 {
		return own
	}
	return inherited
}

func readTags(names []string) (tags, error) {
	var t tags
	for _, name := range names {
		word := strings.TrimPrefix(name, "@")
		kind, value, _ := strings.Cut(word, ":")
		switch {
		case ledger.IsID(word):
			if !slices.Contains(t.rules, word) {
				t.rules = append(t.rules, word)
			}
		case word == string(ledger.Seed), word == string(ledger.OMW):
			t.levels = append(t.levels, ledger.Level(word))
		case word == "waits":
			t.waiting = true
		case word == "heavy":
			t.heavy = true
		case kind == "wait":
			d, err := time.ParseDuration(value)
			if err != nil || d <= ledger.Instant {
				return t, fmt.Errorf("%s: it must be a duration above %s", name, ledger.Instant)
			}
			t.waits = append(t.waits, d)
		case kind == "role" && value != "":
			t.roles = append(t.roles, ledger.Role(value))
		case kind == "lane" && (value == string(ledger.Virtual) || value == string(ledger.Real)):
			t.lanes = append(t.lanes, ledger.Lane(value))
		case kind == "observer" && slices.Contains(observers, ledger.Observer(value)):
			t.observers = append(t.observers, ledger.Observer(value))
		default:
			return t, fmt.Errorf("the tag %s is unknown", name)
		}
	}
	return t, nil
}

var observers = []ledger.Observer{ledger.Wire, ledger.Process, ledger.Files, ledger.Manifest, ledger.Source}
