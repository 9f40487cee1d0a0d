package mutants

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Matrix is the kill matrix: what the suite said of every mutant.
type Matrix struct {
	// Rules are the rules that must have a mutant.
	Rules  []string     `json:"rules"`
	Trials []Trial      `json:"mutants"`
	Silly  []SillyTrial `json:"silly_daemons"`
}

// Bare returns the rules that have no mutant.
func (m *Matrix) Bare() []string {
	var bare []string
	for _, rule := range m.Rules {
		if !slices.ContainsFunc(m.Trials, func(t Trial) bool { return t.Rule == rule }) {
			bare = append(bare, rule)
		}
	}
	return bare
}

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
	for _, rule := range m.Rules {
		var names []string
		for _, t := range m.Trials {
			if t.Rule != rule {
				continue
			}
			state := "†"
			if !t.Clean() {
				state = "!"
			}
			names = append(names, strings.TrimPrefix(t.Name, rule+"-")+" "+state)
		}
		if names == nil {
			names = []string{"no mutant !"}
		}
		fmt.Fprintf(&b, "%-9s %s\n", rule, strings.Join(names, ", "))
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
		fmt.Fprintf(&b, "the daemon that does nothing but %q failed %d rules\n", t.Name, t.Failed)
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
