package verdict

import (
	"fmt"
	"slices"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
)

// Mark is the verdict on a rule.
type Mark string

// The marks of a rule.
const (
	// Kept: every planned scenario passed.
	Kept Mark = "passed"
	// Part: every scenario that this target can show passed, others are
	// unobservable.
	Part Mark = "part"
	// Broken: a scenario failed that was not expected to.
	Broken Mark = "failed"
	// Expected: a scenario failed, and every one that did was expected to.
	Expected Mark = "expected failure"
	// Hidden: the target can show none of its scenarios.
	Hidden Mark = "unobservable"
	// Missing: a planned scenario did not run.
	Missing Mark = "did not run"
	// Untested: the rule is judged, and no scenario shows it.
	Untested Mark = "has no scenario"
	// Unplanned: none of its scenarios was selected for this run.
	Unplanned Mark = "not selected"
	// Unjudged: the suite does not judge the rule yet.
	Unjudged Mark = "not judged yet"
)

// Verdict is what a run says, a pure function of its stream.
type Verdict struct {
	// Rules are the verdicts on the rules, in the order of the header.
	Rules []RuleVerdict
	// Scenarios are the planned scenarios, in the order of the header.
	Scenarios []ScenarioVerdict
	Counts
	// Levels are the counts of each level that was planned, the seed's first.
	Levels []LevelCounts
	// Stale are the expectations that are wrong: those whose scenarios all
	// passed, and those that name nothing or something twice.
	Stale []string
	// Exit is the exit code, and Why says in a sentence why it is that.
	Exit Exit
	Why  string
}

// Counts divide the planned scenarios: those that passed or were allowed, those
// that failed and were not expected to, those that failed as expected, those
// that are unobservable, and those that did not run.
type Counts struct {
	Passed, Failed, Expected, Unobservable, Missing int
}

// LevelCounts are the counts of one level.
type LevelCounts struct {
	Level ledger.Level
	Counts
}

// RuleVerdict is the verdict on one rule.
type RuleVerdict struct {
	Rule
	Mark Mark
	// Of are its planned scenarios.
	Of []ScenarioVerdict
}

// ScenarioVerdict is what became of one scenario.
type ScenarioVerdict struct {
	Planned
	// Event is nil for a scenario that did not run.
	Event *Finished
	// Expected is the reason why it was expected to fail, "" if it was not.
	Expected string
}

// Failed reports whether the scenario failed although it was not expected to.
// An outcome that is none of the known ones is no pass.
func (s *ScenarioVerdict) Failed() bool {
	if s.Event == nil || s.excused() {
		return false
	}
	return !slices.Contains([]Outcome{Passed, Allowed, Unobservable}, s.Event.Outcome)
}

// excused reports whether the scenario failed as it was expected to. What says
// nothing about the target's behaviour cannot be expected.
func (s *ScenarioVerdict) excused() bool {
	return s.Expected != "" && s.Event != nil && s.Event.Outcome == Failed && s.Event.Cause.AboutRule()
}

// AboutRule reports whether a failure with this cause says something about
// how the target keeps the rule.
func (c Cause) AboutRule() bool {
	return slices.Contains([]Cause{CauseCheck, CauseUnexpected, CauseLeak, CauseHang}, c)
}

// Judge returns the verdict of a stream. It fails for a stream that
// contradicts itself.
func Judge(s *Stream) (*Verdict, error) {
	if s.Header == nil || s.Footer == nil {
		return nil, ErrCut
	}
	ended, err := s.index()
	if err != nil {
		return nil, err
	}
	v := &Verdict{}
	of := make(map[string][]ScenarioVerdict)
	for _, p := range s.Header.Scenarios {
		sv := ScenarioVerdict{Planned: p, Event: ended[p.ID], Expected: s.Header.expected(p)}
		v.Scenarios = append(v.Scenarios, sv)
		of[p.Rule] = append(of[p.Rule], sv)
		v.count(&sv)
	}
	v.Levels = levels(v.Scenarios)
	for _, r := range s.Header.Rules {
		v.Rules = append(v.Rules, RuleVerdict{Rule: r, Mark: mark(&r, of[r.ID]), Of: of[r.ID]})
	}
	v.Stale = stale(s.Header.Expect, v.Scenarios)
	v.Exit, v.Why = v.exit(s.Footer)
	return v, nil
}

// index returns the finished events by scenario, and an error if the stream
// counts what it does not hold.
func (s *Stream) index() (map[string]*Finished, error) {
	planned := make(map[string]bool, len(s.Header.Scenarios))
	for _, p := range s.Header.Scenarios {
		if planned[p.ID] {
			return nil, fmt.Errorf("the stream plans %q twice", p.ID)
		}
		planned[p.ID] = true
	}
	ended := make(map[string]*Finished, len(s.Finished))
	for _, f := range s.Finished {
		if !planned[f.Scenario] {
			return nil, fmt.Errorf("the stream finished %q, which it had not planned", f.Scenario)
		}
		if ended[f.Scenario] != nil {
			return nil, fmt.Errorf("the stream finished %q twice", f.Scenario)
		}
		ended[f.Scenario] = f
	}
	want := Footer{Type: s.Footer.Type, Took: s.Footer.Took, Fatal: s.Footer.Fatal, Cause: s.Footer.Cause}
	s.Count(&want)
	if *s.Footer != want {
		return nil, fmt.Errorf("the stream's footer counts %+v, its events %+v", *s.Footer, want)
	}
	return ended, nil
}

func (c *Counts) count(s *ScenarioVerdict) {
	switch {
	case s.Event == nil:
		c.Missing++
	case s.Event.Outcome == Passed, s.Event.Outcome == Allowed:
		c.Passed++
	case s.Event.Outcome == Unobservable:
		c.Unobservable++
	case s.excused():
		c.Expected++
	default:
		c.Failed++
	}
}

func levels(of []ScenarioVerdict) []LevelCounts {
	var all []LevelCounts
	for _, level := range []ledger.Level{ledger.Seed, ledger.OMW} {
		c := LevelCounts{Level: level}
		for i := range of {
			if of[i].Level == level {
				c.count(&of[i])
			}
		}
		if c.Counts != (Counts{}) {
			all = append(all, c)
		}
	}
	return all
}

func mark(r *Rule, of []ScenarioVerdict) Mark {
	var count Counts
	for i := range of {
		count.count(&of[i])
	}
	switch {
	case !r.Judged:
		return Unjudged
	case r.Selected && r.Scenarios == 0:
		return Untested
	case len(of) == 0:
		return Unplanned
	case count.Failed > 0:
		return Broken
	case count.Missing > 0:
		return Missing
	case count.Expected > 0:
		return Expected
	case count.Passed == 0:
		return Hidden
	case count.Unobservable > 0:
		return Part
	}
	return Kept
}
