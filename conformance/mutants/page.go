package mutants

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/report"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("matrix.html").ParseFS(pageFiles, "page/matrix.html"))

// WriteHTML writes the matrix as one HTML page that holds all it needs: rules
// down, mutants across, a dot where a mutant was killed, a ring where it broke
// another rule with it and the reason, a cross where nothing explains that. It
// is a pure function of what WriteJSON writes.
func (m *Matrix) WriteHTML(w io.Writer) error {
	style, err := pageFiles.ReadFile("page/matrix.css")
	if err != nil {
		return fmt.Errorf("read the page's style: %w", err)
	}
	p := m.page()
	p.Style = template.CSS(report.PageStyle + string(style))
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("write the kill matrix: %w", err)
	}
	return nil
}

// pageData is what the template of the page says.
type pageData struct {
	Style      template.CSS
	Tone, Why  string
	Facts      []pageFact
	Tables     []pageTable
	Silly      []SillyTrial
	Collateral int
}

type pageFact struct {
	Name  string
	Value int
}

// pageTable is the matrix of one role.
type pageTable struct {
	Role    ledger.Role
	Mutants []pageMutant
	Rows    []pageRow
}

type pageMutant struct {
	Trial
	Class, Short, Spent string
	With                []pageCollateral
}

type pageCollateral struct{ Rule, Why string }

type pageRow struct {
	Rule  string
	Bare  bool
	Cells []pageCell
}

// pageCell is what one mutant did to one rule; the zero value is nothing.
type pageCell struct{ Sign, Class, Mutant, Says string }

func (m *Matrix) page() *pageData {
	p := &pageData{Tone: "good", Why: "every rule has a mutant, and each died by its own rule", Silly: m.Silly}
	killed, strays := 0, 0
	for i := range m.Trials {
		t := &m.Trials[i]
		if len(t.Killed) > 0 {
			killed++
		}
		strays += len(t.Strays)
		p.Collateral += len(t.Collateral)
	}
	if !m.Good() {
		p.Tone, p.Why = "bad", "not everything died as it had to"
	}
	p.Facts = []pageFact{
		{"rules", len(m.Rules)},
		{"mutants", len(m.Trials)},
		{"killed", killed},
		{"false kills", strays},
		{"explained collateral", p.Collateral},
	}
	for _, r := range m.Rules {
		at := slices.IndexFunc(p.Tables, func(t pageTable) bool { return t.Role == r.Role })
		if at < 0 {
			at = len(p.Tables)
			p.Tables = append(p.Tables, m.table(r.Role))
		}
		p.Tables[at].Rows = append(p.Tables[at].Rows, row(r, p.Tables[at].Mutants))
	}
	return p
}

// table returns a role's mutants, in the order of its rules.
func (m *Matrix) table(role ledger.Role) pageTable {
	t := pageTable{Role: role}
	place := make(map[string]int)
	for i, r := range m.Rules {
		if r.Role == role {
			place[r.Rule] = i
		}
	}
	for _, trial := range m.Trials {
		if trial.Role != role {
			continue
		}
		one := pageMutant{
			Trial: trial, Class: "passed", Short: strings.TrimPrefix(trial.Name, trial.Rule+"-"), Spent: trial.Took.Round(10 * time.Millisecond).String(),
		}
		if !trial.Clean() {
			one.Class = "failed"
		}
		for _, rule := range trial.Collateral {
			one.With = append(one.With, pageCollateral{rule, trial.Reasons[rule]})
		}
		t.Mutants = append(t.Mutants, one)
	}
	slices.SortStableFunc(t.Mutants, func(a, b pageMutant) int { return place[a.Rule] - place[b.Rule] })
	return t
}

func row(r Judged, mutants []pageMutant) pageRow {
	out := pageRow{Rule: r.Rule, Bare: !slices.ContainsFunc(mutants, func(m pageMutant) bool { return m.Rule == r.Rule })}
	for i := range mutants {
		out.Cells = append(out.Cells, cell(r.Rule, &mutants[i]))
	}
	return out
}

func cell(rule string, m *pageMutant) pageCell {
	c := pageCell{Mutant: m.Name}
	switch {
	case m.Rule == rule && m.Error != "":
		c.Sign, c.Class, c.Says = "!", "wrong", m.Name+" has no verdict: "+m.Error
	case m.Rule == rule && len(m.Killed) == 0:
		c.Sign, c.Class, c.Says = "○", "alive", m.Name+" survived: "+m.Breaks
	case m.Rule == rule:
		c.Sign, c.Class, c.Says = "●", "killed", m.Name+" was killed by "+strings.Join(m.Killed, ", ")
	case slices.Contains(m.Collateral, rule):
		c.Sign, c.Class, c.Says = "◦", "with", m.Name+" breaks "+rule+", too: "+m.Reasons[rule]
	default:
		for _, s := range m.Strays {
			if strings.HasPrefix(s, rule+":") {
				c.Sign, c.Class, c.Says = "×", "stray", m.Name+" also failed "+s
			}
		}
	}
	return c
}
