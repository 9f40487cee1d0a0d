package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
)

// Parse reads every *.feature in fsys, whose paths become part of the
// scenarios' ids. The error names every problem of every file.
func Parse(fsys fs.FS, l *ledger.Ledger) (*Plan, error) {
	p := &Plan{Ledger: l}
	var wrong []error
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".feature") {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		found, problems := parseFile(name, text, l)
		p.Scenarios = append(p.Scenarios, found...)
		wrong = append(wrong, problems...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read features: %w", err)
	}
	wrong = append(wrong, duplicates(p.Scenarios)...)
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return p, nil
}

func duplicates(all []Scenario) []error {
	var wrong []error
	first := make(map[string]int, len(all))
	for i := range all {
		s := &all[i]
		if line, twice := first[s.ID]; twice {
			wrong = append(wrong, fmt.Errorf("%s:%d: the scenario %q stands on line %d already", s.File, s.Line, s.Name, line))
			continue
		}
		first[s.ID] = s.Line
	}
	return wrong
}

func parseFile(name string, text []byte, l *ledger.Ledger) ([]Scenario, []error) {
	newID := (&messages.Incrementing{}).NewId
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(text), newID)
	if err != nil {
		return nil, []error{fmt.Errorf("%s: %w", name, err)}
	}
	if doc.Feature == nil {
		return nil, []error{fmt.Errorf("%s: it holds no feature", name)}
	}
	outlines, err := readOutlines(doc.Feature)
	if err != nil {
		return nil, []error{fmt.Errorf("%s: %w", name, err)}
	}
	var found []Scenario
	var wrong []error
	for _, pickle := range gherkin.Pickles(*doc, name, newID) {
		s := Scenario{File: name, Feature: doc.Feature.Name, Line: int(pickle.Location.Line)}
		o := outlines[pickle.AstNodeIds[0]]
		s.Name = o.name
		s.ID = name + ":" + o.name
		if len(pickle.AstNodeIds) > 1 {
			s.Row = o.rows[pickle.AstNodeIds[1]]
			s.ID = fmt.Sprintf("%s/row %d", s.ID, s.Row)
		}
		o.ran = true
		err := errors.Join(
			s.readName(),
			s.readTags(doc.Feature.Tags, pickle.Tags, l),
			s.readSteps(pickle.Steps),
		)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", name, s.Line, err))
			continue
		}
		found = append(found, s)
	}
	for _, o := range outlines {
		if !o.ran {
			wrong = append(wrong, fmt.Errorf("%s:%d: %q has no step or no row, so it would never run", name, o.line, o.name))
		}
	}
	if len(outlines) == 0 {
		wrong = append(wrong, fmt.Errorf("%s: it holds no scenario", name))
	}
	return found, wrong
}

// outline is a scenario as it stands in the file, before it is expanded.
type outline struct {
	name string
	line int
	rows map[string]int
	ran  bool
}

func readOutlines(f *messages.Feature) (map[string]*outline, error) {
	all := make(map[string]*outline)
	for _, child := range f.Children {
		if child.Rule != nil {
			return nil, fmt.Errorf("line %d: a Rule block; tag the scenario with the rule's id instead", child.Rule.Location.Line)
		}
		sc := child.Scenario
		if sc == nil {
			continue
		}
		o := &outline{name: sc.Name, line: int(sc.Location.Line), rows: make(map[string]int)}
		for _, ex := range sc.Examples {
			for _, row := range ex.TableBody {
				o.rows[row.Id] = len(o.rows) + 1
			}
		}
		all[sc.Id] = o
	}
	return all, nil
}

func (s *Scenario) readName() error {
	switch {
	case strings.TrimSpace(s.Name) == "":
		return errors.New("the scenario has no name")
	case strings.ContainsAny(s.Name, "#\n"):
		return fmt.Errorf("the name %q holds a #, which begins the reason in a file of expected failures", s.Name)
	}
	return nil
}
