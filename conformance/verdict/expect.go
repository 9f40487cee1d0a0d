package verdict

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// ReadExpectations reads a file of expected failures: a line is a rule's id or
// a scenario's, a # and the reason. Blank lines and lines that begin with #
// are left out. A line without a reason is an error.
func ReadExpectations(r io.Reader) ([]Expectation, error) {
	var all []Expectation
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		name, reason, _ := strings.Cut(text, "#")
		e := Expectation{Name: strings.TrimSpace(name), Reason: strings.TrimSpace(reason), Line: n}
		if e.Reason == "" {
			return nil, fmt.Errorf("line %d: %q has no reason; write it behind a #", n, e.Name)
		}
		all = append(all, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read expected failures: %w", err)
	}
	return all, nil
}

// Resolve fills in the states of the expectations. known says what the whole
// plan holds, selected what the run has to account for, each by the id of a
// rule or of a scenario.
func Resolve(all []Expectation, known, selected func(name string) bool) {
	seen := make(map[string]bool, len(all))
	for i := range all {
		e := &all[i]
		switch {
		case seen[e.Name]:
			e.State = Duplicate
		case !known(e.Name):
			e.State = Unmatched
		case !selected(e.Name):
			e.State = NotSelected
		default:
			e.State = Selected
		}
		seen[e.Name] = true
	}
}

// expected returns the reason why the scenario is expected to fail.
func (h *Header) expected(p Planned) string {
	for _, e := range h.Expect {
		if e.State == Selected && (e.Name == p.ID || e.Name == p.Rule) {
			return e.Reason
		}
	}
	return ""
}

// stale returns what is wrong with the expectations, a sentence each.
func stale(all []Expectation, of []ScenarioVerdict) []string {
	var wrong []string
	for _, e := range all {
		switch e.State {
		case Unmatched:
			wrong = append(wrong, fmt.Sprintf("line %d: %s names no rule or scenario that is judged", e.Line, e.Name))
		case Duplicate:
			wrong = append(wrong, fmt.Sprintf("line %d: %s stands there already", e.Line, e.Name))
		case Selected:
			if !failed(e.Name, of) {
				wrong = append(wrong, fmt.Sprintf("line %d: %s was expected to fail (%s) and did not", e.Line, e.Name, e.Reason))
			}
		case NotSelected:
		}
	}
	return wrong
}

func failed(name string, of []ScenarioVerdict) bool {
	for i := range of {
		if s := &of[i]; (s.ID == name || s.Rule == name) && s.Event != nil && s.Event.Outcome == Failed {
			return true
		}
	}
	return false
}
