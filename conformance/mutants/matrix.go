package mutants

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
)

// Matrix is the kill matrix: what the suite said of every mutant.
type Matrix struct {
	// Rules are the rules that must have a mutant, by role.
	Rules  []Judged     `json:"rules"`
	Trials []Trial      `json:"mutants"`
	Silly  []SillyTrial `json:"silly"`
}

// Judged is a rule that a role is judged by.
type Judged struct {
	Role ledger.Role `json:"role"`
	Rule string      `json:"rule"`
}

// Bare returns the rules that have no mutant.
func (m *Matrix) Bare() []Judged {
	var bare []Judged
	for _, r := range m.Rules {
		if !slices.ContainsFunc(m.Trials, r.is) {
			bare = append(bare, r)
		}
	}
	return bare
}

// is reports whether a trial is that of the rule in that role.
func (r Judged) is(t Trial) bool { return t.Role == r.Role && t.Rule == r.Rule }

// Good reports whether every rule has a mutant, every mutant died by its own
// rule alone, and every silly daemon was noticed.
func (m *Matrix) Good() bool {
	return len(m.Bare()) == 0 &&
		!slices.ContainsFunc(m.Trials, func(t Trial) bool { return !t.Clean() }) &&
		!slices.ContainsFunc(m.Silly, func(t SillyTrial) bool { return t.Error != "" || len(t.Passed) > 0 })
}

// WriteJSON writes the matrix as one JSON object.
func (m *Matrix) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(m)
}

// WriteText writes a line for each rule and each thing that is not as it must
// be; the last line counts rules, mutants, killed and false kills.
func (m *Matrix) WriteText(w io.Writer) error {
	var b strings.Builder
	for i, r := range m.Rules {
		if i == 0 || r.Role != m.Rules[i-1].Role {
			fmt.Fprintf(&b, "%s\n", r.Role)
		}
		var names []string
		for _, t := range m.Trials {
			if !r.is(t) {
				continue
			}
			state := "†"
			if !t.Clean() {
				state = "!"
			}
			names = append(names, strings.TrimPrefix(t.Name, r.Rule+"-")+" "+state)
		}
		if names == nil {
			names = []string{"no mutant !"}
		}
		fmt.Fprintf(&b, "  %-9s %s\n", r.Rule, strings.Join(names, ", "))
	}
	killed, strays := 0, 0
	for _, t := range m.Trials {
		if len(t.Killed) > 0 {
			killed++
		}
		strays += len(t.Strays)
		switch {
		case t.Error != "":
			fmt.Fprintf(&b, "! %s: %s\n", t.Name, t.Error)
		case len(t.Killed) == 0:
			fmt.Fprintf(&b, "! %s survived: %s\n", t.Name, t.Breaks)
		}
		for _, s := range t.Strays {
			fmt.Fprintf(&b, "! %s also failed %s\n", t.Name, s)
		}
	}
	for _, t := range m.Silly {
		fmt.Fprintf(&b, "the %s that does nothing but %q failed %d rules\n", t.Role, t.Name, t.Failed)
		if t.Error != "" {
			fmt.Fprintf(&b, "! %s: %s\n", t.Name, t.Error)
		}
		if len(t.Passed) > 0 {
			fmt.Fprintf(&b, "! %s passed %s\n", t.Name, strings.Join(t.Passed, ", "))
		}
	}
	fmt.Fprintf(&b, "%d rules, %d mutants, %d killed, %d false kills\n", len(m.Rules), len(m.Trials), killed, strays)
	_, err := io.WriteString(w, b.String())
	return err
}
