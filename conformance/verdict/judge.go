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
	// Part: every scenario that ran passed, others are unobservable or were
	// skipped.
	Part Mark = "part"
	// Broken: a scenario failed that was not expected to.
	Broken Mark = "failed"
	// Expected: a scenario failed, and every one that did was expected to.
	Expected Mark = "expected failure"
	// FailedFlaky: a scenario failed, and every one that did is known to be flaky.
	FailedFlaky Mark = "flaky failure"
	// LeftOut: a line of a file says that none of its scenarios is to run.
	LeftOut Mark = "skipped"
	// Hidden: the target can show none of its scenarios that were to run.
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
// that failed and are known to be flaky, those that are unobservable, those that
// a file says to skip, and those that did not run.
type Counts struct {
	Passed, Failed, Expected, Flaky, Unobservable, Skipped, Missing int
}

// Planned returns how many scenarios there are of all.
func (c *Counts) Planned() int {
	return c.Passed + c.Failed + c.Expected + c.Flaky + c.Unobservable + c.Skipped + c.Missing
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
	// Flaky is the reason why it is known to fail now and then, "" if it is not.
	Flaky string
	// Surprise is true if it passed and a line wanted it to fail.
	Surprise bool
}

// Failed reports whether the scenario failed although it was not expected to.
// An outcome that is none of the known ones is no pass.
func (s *ScenarioVerdict) Failed() bool {
	if s.Event == nil || s.Excused() {
		return false
	}
	return !slices.Contains([]Outcome{Passed, Allowed, Unobservable, Skipped}, s.Event.Outcome)
}

// Excused reports whether the scenario failed as it was expected to, or as it
// is known to do now and then. What says nothing about the target's behaviour
// cannot be expected.
func (s *ScenarioVerdict) Excused() bool {
	return s.Expected+s.Flaky != "" && s.Event != nil && s.Event.Outcome == Failed && s.Event.Cause.AboutRule()
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
	for _, p := range s.Header.Scenarios {
		sv := ScenarioVerdict{Planned: p, Event: ended[p.ID]}
		sv.Expected, sv.Flaky = s.Header.expected(p, sv.Event)
		v.Scenarios = append(v.Scenarios, sv)
		v.count(&sv)
	}
	stale, surprises := s.Header.stale(v.Scenarios)
	v.Stale = stale
	of := make(map[string][]ScenarioVerdict)
	for i := range v.Scenarios {
		sv := &v.Scenarios[i]
		sv.Surprise = surprises[sv.ID]
		of[sv.Rule] = append(of[sv.Rule], *sv)
	}
	v.Levels = levels(v.Scenarios)
	for _, r := range s.Header.Rules {
		v.Rules = append(v.Rules, RuleVerdict{Rule: r, Mark: mark(&r, of[r.ID]), Of: of[r.ID]})
	}
	v.Exit, v.Why = v.exit(s.Footer)
	return v, nil
}

// index returns the finished events by scenario, and an error if the stream
// counts what it does not hold.
func (s *Stream) index() (map[string]*Finished, error) {
	for _, e := range s.Header.Expect {
		if !slices.Contains([]ExpectKind{Failing, Flaky, Skip}, e.Kind) {
			return nil, fmt.Errorf("the stream expects %s to be %q, which nobody knows", e.Name, e.Kind)
		}
	}
	planned := make(map[string]*Planned, len(s.Header.Scenarios))
	for i, p := range s.Header.Scenarios {
		if planned[p.ID] != nil {
			return nil, fmt.Errorf("the stream plans %q twice", p.ID)
		}
		planned[p.ID] = &s.Header.Scenarios[i]
	}
	ended := make(map[string]*Finished, len(s.Finished))
	for _, f := range s.Finished {
		p := planned[f.Scenario]
		switch {
		case p == nil:
			return nil, fmt.Errorf("the stream finished %q, which it had not planned", f.Scenario)
		case ended[f.Scenario] != nil:
			return nil, fmt.Errorf("the stream finished %q twice", f.Scenario)
		case (f.Outcome == Skipped) != (s.Header.Skips(*p) != ""):
			return nil, fmt.Errorf("the stream says of %q that it is %s, and its expectations say otherwise of what is skipped", f.Scenario, f.Outcome)
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
	case s.Event.passed():
		c.Passed++
	case s.Event.Outcome == Unobservable:
		c.Unobservable++
	case s.Event.Outcome == Skipped:
		c.Skipped++
	case s.Excused() && s.Expected != "":
		c.Expected++
	case s.Excused():
		c.Flaky++
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
	case count.Flaky > 0:
		return FailedFlaky
	case count.Passed == 0 && count.Unobservable == 0:
		return LeftOut
	case count.Passed == 0:
		return Hidden
	case count.Unobservable+count.Skipped > 0:
		return Part
	}
	return Kept
}
