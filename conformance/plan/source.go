package plan

import (
	"errors"
	"fmt"
	"strings"

	messages "github.com/cucumber/messages/go/v34"
)

// keywords are what a rebuilt scenario says for each type of step, so that
// steps that are registered with Given, When or Then are found again.
var keywords = map[messages.PickleStepType]string{
	messages.PickleStepType_CONTEXT: "Given",
	messages.PickleStepType_ACTION:  "When",
	messages.PickleStepType_OUTCOME: "Then",
	messages.PickleStepType_UNKNOWN: "*",
}

func (s *Scenario) readSteps(steps []*messages.PickleStep) error {
	if len(steps) == 0 {
		return errors.New("the scenario has no steps")
	}
	for _, st := range steps {
		if strings.ContainsAny(st.Text, "\n\r") {
			return fmt.Errorf("the step %q breaks its line", st.Text)
		}
		step := Step{Keyword: keywords[st.Type], Text: st.Text}
		if a := st.Argument; a != nil && a.DataTable != nil {
			step.Argument = tableText(a.DataTable)
		} else if a != nil && a.DocString != nil {
			step.Argument = blockText(a.DocString)
		}
		s.Steps = append(s.Steps, step)
	}
	return nil
}

// Source returns the scenario as a feature of its own, outline and background
// resolved, as godog is given it and as explain prints it.
func (s *Scenario) Source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Feature: %s\n\n  Scenario: %s\n", s.Feature, s.Name)
	for _, st := range s.Steps {
		fmt.Fprintf(&b, "    %s\n", st)
		for line := range strings.Lines(st.Argument) {
			b.WriteString("      " + line)
		}
	}
	return b.String()
}

var cellEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", `\n`)

func tableText(t *messages.PickleTable) string {
	var b strings.Builder
	for _, row := range t.Rows {
		b.WriteString("|")
		for _, cell := range row.Cells {
			b.WriteString(" " + cellEscapes.Replace(cell.Value) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func blockText(d *messages.PickleDocString) string {
	const fence = `"""`
	content := strings.ReplaceAll(d.Content, fence, `\"\"\"`)
	return fence + d.MediaType + "\n" + content + "\n" + fence + "\n"
}
