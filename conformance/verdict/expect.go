package verdict

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// ReadExpectations reads a file of expectations of one kind: a line is the id
// of a rule or of a scenario, or the name of a check, then a # and the reason.
// Blank lines and lines that begin with # are left out. A line without a reason
// is an error, and so is a check that is to be skipped, since it is known to
// have been made only after the scenario ran. name is what messages call the
// file.
func ReadExpectations(r io.Reader, kind ExpectKind, name string) ([]Expectation, error) {
	var all []Expectation
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		subject, reason, _ := strings.Cut(text, "#")
		e := Expectation{Kind: kind, Name: strings.TrimSpace(subject), Reason: strings.TrimSpace(reason), File: name, Line: n}
		switch {
		case e.Reason == "":
			return nil, fmt.Errorf("line %d: %q has no reason; write it behind a #", n, e.Name)
		case kind == Skip && e.subject() != e.Name:
			return nil, fmt.Errorf("line %d: %s is a check; skip its rule or its scenarios", n, e.Name)
		}
		all = append(all, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read expectations: %w", err)
	}
	return all, nil
}

// where says where a line stands.
func (e *Expectation) where() string {
	if e.File == "" {
		return fmt.Sprintf("line %d", e.Line)
	}
	return fmt.Sprintf("%s:%d", e.File, e.Line)
}

// stale returns what is wrong with the expectations, a sentence each, and the
// scenarios that passed although a line that names them wanted a failure.
func (h *Header) stale(of []ScenarioVerdict) (wrong []string, passed map[string]bool) {
	passed = make(map[string]bool)
	for i := range h.Expect {
		e := &h.Expect[i]
		switch {
		case e.State == Unmatched:
			wrong = append(wrong, fmt.Sprintf("%s: %s names no rule, scenario or check of what is judged", e.where(), e.Name))
		case e.State == Duplicate:
			wrong = append(wrong, fmt.Sprintf("%s: %s stands there already", e.where(), e.Name))
		case e.State == NotSelected, e.Kind != Failing, failed(e.Name, of):
		case h.Shard != nil && !planned(e.Name, of):
			// Another part of the run may hold what fails; who merges them knows.
		default:
			wrong = append(wrong, fmt.Sprintf("%s: %s was expected to fail (%s) and did not", e.where(), e.Name, e.Reason))
			for j := range of {
				if s := &of[j]; (s.ID == e.Name || s.Rule == e.Name) && s.Event != nil && s.Event.passed() {
					passed[s.ID] = true
				}
			}
		}
	}
	return wrong, passed
}

func (f *Finished) passed() bool { return f.Outcome == Passed || f.Outcome == Allowed }

// failed reports whether what a line names failed.
func failed(name string, of []ScenarioVerdict) bool {
	for i := range of {
		s := &of[i]
		if s.Event != nil && s.Event.Outcome == Failed && (s.ID == name || s.Rule == name || s.Event.Check == name) {
			return true
		}
	}
	return false
}

// planned reports whether a line names one of the scenarios by its id.
func planned(name string, of []ScenarioVerdict) bool {
	for i := range of {
		if of[i].ID == name {
			return true
		}
	}
	return false
}
