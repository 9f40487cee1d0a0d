package ledger

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// columns is the first line of the table.
var columns = []string{
	"id", "source", "level", "role", "judged", "observer", "lanes", "wait", "browser", "allowed", "rule",
}

var (
	idShape        = regexp.MustCompile(`^[A-Z]+-[0-9]{2}$`)
	allowanceShape = regexp.MustCompile(`^([a-z0-9-]+)=(.+)$`)
)

// IsID reports whether s has the shape of a rule's id.
func IsID(s string) bool { return idShape.MatchString(s) }

// Parse reads a table of tab-separated values whose first line names the
// columns id, source, level, role, judged, observer, lanes, wait, browser,
// allowed and rule. Lists are separated by commas; wait is a duration or
// empty; allowed holds name=sentence pairs separated by semicolons. The error
// names every line that is wrong.
func Parse(tsv string) (*Ledger, error) {
	lines := strings.Split(strings.TrimRight(tsv, "\n"), "\n")
	if got := strings.Split(lines[0], "\t"); !slices.Equal(got, columns) {
		return nil, fmt.Errorf("ledger: the columns are %q, want %q", got, columns)
	}
	l := &Ledger{Rules: make([]Rule, 0, len(lines)-1), byID: make(map[string]*Rule, len(lines)-1)}
	var wrong []error
	for n, line := range lines[1:] {
		r, err := parseRule(strings.Split(line, "\t"))
		if err != nil {
			wrong = append(wrong, fmt.Errorf("ledger: line %d: %w", n+2, err))
			continue
		}
		if _, twice := l.byID[r.ID]; twice {
			wrong = append(wrong, fmt.Errorf("ledger: line %d: %s stands in it twice", n+2, r.ID))
			continue
		}
		l.Rules = append(l.Rules, r)
		l.byID[r.ID] = &l.Rules[len(l.Rules)-1]
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return l, nil
}

func parseRule(f []string) (Rule, error) {
	if len(f) != len(columns) {
		return Rule{}, fmt.Errorf("it has %d columns, want %d", len(f), len(columns))
	}
	r := Rule{ID: f[0], From: f[1], Level: Level(f[2]), Browser: f[8], Sentence: f[10]}
	if !IsID(r.ID) {
		return r, fmt.Errorf("%q is no rule id", r.ID)
	}
	var err error
	if r.Roles, err = list(f[3], Daemon, Extension, Client, Host, Kit, Sim, E2E); err != nil {
		return r, fmt.Errorf("%s: role: %w", r.ID, err)
	}
	if r.Judged, err = list(f[4], r.judgeable()...); err != nil {
		return r, fmt.Errorf("%s: judged: %w", r.ID, err)
	}
	if r.Observers, err = list(f[5], Wire, Process, Files, Manifest, Source); err != nil {
		return r, fmt.Errorf("%s: observer: %w", r.ID, err)
	}
	if r.Lanes, err = list(f[6], Virtual, Real); err != nil {
		return r, fmt.Errorf("%s: lanes: %w", r.ID, err)
	}
	if r.Wait, err = parseWait(f[7]); err != nil {
		return r, fmt.Errorf("%s: wait: %w", r.ID, err)
	}
	if r.Allowed, err = parseAllowed(f[9]); err != nil {
		return r, fmt.Errorf("%s: allowed: %w", r.ID, err)
	}
	switch {
	case !slices.Contains([]string{"omw", "weboperator", "field", "card"}, r.From):
		return r, fmt.Errorf("%s: source: %q is unknown", r.ID, r.From)
	case r.Level != Seed && r.Level != OMW:
		return r, fmt.Errorf("%s: level: %q is unknown", r.ID, r.Level)
	case !slices.Contains([]string{"", "chrome", "firefox"}, r.Browser):
		return r, fmt.Errorf("%s: browser: %q is unknown", r.ID, r.Browser)
	case len(r.Roles) == 0, len(r.Observers) == 0, len(r.Lanes) == 0, r.Sentence == "":
		return r, fmt.Errorf("%s: role, observer, lanes and rule must not be empty", r.ID)
	}
	return r, nil
}

func parseWait(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is no duration", text)
	}
	return d, nil
}

func parseAllowed(text string) ([]Allowance, error) {
	var all []Allowance
	for _, part := range split(text, ";") {
		m := allowanceShape.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("%q is not name=sentence", part)
		}
		all = append(all, Allowance{Name: m[1], Sentence: m[2]})
	}
	return all, nil
}

// list reads a list of words, each of which must be one of those known.
func list[T ~string](text string, known ...T) ([]T, error) {
	var words []T
	for _, part := range split(text, ",") {
		if !slices.Contains(known, T(part)) {
			return nil, fmt.Errorf("%q is none of %q", part, known)
		}
		words = append(words, T(part))
	}
	return words, nil
}

func split(s, sep string) []string {
	var parts []string
	for part := range strings.SplitSeq(s, sep) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// judgeable returns the roles that the rule can be judged for: those that it
// names, and of a rule of the daemon those at its other ends, since they can
// break their half of it: a client by not heeding a refusal, or by taking one
// answer for another's, an extension by letting one session stand in another's
// way.
func (r *Rule) judgeable() []Role {
	if slices.Contains(r.Roles, Daemon) {
		return append(slices.Clone(r.Roles), Client, Extension)
	}
	return r.Roles
}
