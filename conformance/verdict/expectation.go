package verdict

import "regexp"

// Expectation is a line of a file of expectations.
type Expectation struct {
	// Kind is the kind of the file.
	Kind ExpectKind `json:"kind"`
	// Name is a rule's id, a scenario's, or that of a check.
	Name string `json:"name"`
	// Reason says why that is expected.
	Reason string `json:"reason"`
	// File is the file as its user named it, and Line the line in it.
	File string `json:"file,omitempty"`
	Line int    `json:"line"`
	// State says whether it concerns the run: Selected, NotSelected, Unmatched or
	// Duplicate.
	State ExpectState `json:"state"`
}

// ExpectKind says what a file of expectations expects.
type ExpectKind string

// The kinds.
const (
	// Failing must fail: a rule in one of its scenarios at least, a scenario, or
	// one scenario at least by that check.
	Failing ExpectKind = "failing"
	// Flaky may fail. Where it does, it is counted apart, and where it passes, it
	// passed.
	Flaky ExpectKind = "flaky"
	// Skip must not run at all, for what would do harm. It is counted apart.
	Skip ExpectKind = "skip"
)

// ExpectState says what an expectation is worth in a run.
type ExpectState string

// The states. Unmatched and Duplicate lines are errors of the file.
const (
	Selected    ExpectState = "selected"
	NotSelected ExpectState = "not selected"
	Unmatched   ExpectState = "unmatched"
	Duplicate   ExpectState = "duplicate"
)

// checkName is what the name of a check looks like: its rule and a word.
var checkName = regexp.MustCompile(`^([A-Z]+-[0-9]{2})/[a-z][a-z0-9-]*$`)

// subject returns the rule or the scenario that a line speaks of.
func (e *Expectation) subject() string {
	if m := checkName.FindStringSubmatch(e.Name); m != nil {
		return m[1]
	}
	return e.Name
}

// Resolve fills in the states of the expectations. known says what the whole
// plan holds, selected what the run has to account for, each by the id of a
// rule or of a scenario. A name that stands there before, in whichever file,
// is a duplicate.
func Resolve(all []Expectation, known, selected func(name string) bool) {
	seen := make(map[string]bool, len(all))
	for i := range all {
		e := &all[i]
		switch {
		case seen[e.Name]:
			e.State = Duplicate
		case !known(e.subject()):
			e.State = Unmatched
		case !selected(e.subject()):
			e.State = NotSelected
		default:
			e.State = Selected
		}
		seen[e.Name] = true
	}
}

// names reports whether a line speaks of a scenario. A line that names a check
// does so only where the scenario failed by it, since no plan says which checks
// a scenario makes.
func (e *Expectation) names(p Planned, f *Finished) bool {
	return e.State == Selected &&
		(e.Name == p.ID || e.Name == p.Rule || f != nil && f.Outcome == Failed && f.Check == e.Name)
}

// expected returns the reasons why a scenario is expected to fail, or known to
// be flaky; "" if it is not. What must fail goes before what may.
func (h *Header) expected(p Planned, f *Finished) (failing, flaky string) {
	for i := range h.Expect {
		switch e := &h.Expect[i]; {
		case !e.names(p, f):
		case e.Kind == Flaky && flaky == "":
			flaky = e.Reason
		case e.Kind == Failing && failing == "":
			failing = e.Reason
		}
	}
	if failing != "" {
		flaky = ""
	}
	return failing, flaky
}

// Skips returns the reason why a scenario is not to run, "" if it is.
func (h *Header) Skips(p Planned) string {
	for i := range h.Expect {
		if e := &h.Expect[i]; e.Kind == Skip && e.names(p, nil) {
			return e.Reason
		}
	}
	return ""
}
