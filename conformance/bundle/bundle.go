// Package bundle is what a failing scenario leaves: one file that says what
// failed, by which rule, against what, what was said until then, and how it
// fails again. It is written of the event stream alone, so that it holds no
// secret that the stream does not hold.
//
// A bundle is a txtar archive: bundle.json for machines, transcript.txt for
// people, and scenario.tape, if the scenario can be written as a tape, for
// omw sim play.
package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/tools/txtar"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// Schema is the version of the format.
const Schema = 1

// Bundle is one failure.
type Bundle struct {
	Schema int `json:"bundle"`
	// Suite is the version of the suite, Protocol the one it judged by.
	Suite    string         `json:"suite"`
	Protocol string         `json:"protocol"`
	Target   verdict.Target `json:"target"`
	Role     ledger.Role    `json:"role"`
	Lane     ledger.Lane    `json:"lane"`
	Seed     uint64         `json:"seed"`
	// Command is the command line of the run.
	Command  []string `json:"command"`
	Scenario string   `json:"scenario"`
	Rule     string   `json:"rule"`
	Sentence string   `json:"sentence"`
	// Cause, Check, Step and Reason say what failed.
	Cause  verdict.Cause `json:"cause"`
	Check  string        `json:"check,omitempty"`
	Step   string        `json:"step,omitempty"`
	Reason string        `json:"reason"`

	// Transcript is what the actors said, a line each with its time.
	Transcript string `json:"-"`
	// Tape is the scenario as a tape, "" if there is none.
	Tape string `json:"-"`
}

// Of returns the bundle of a scenario that failed.
func Of(h *verdict.Header, f *verdict.Finished, tape string) *Bundle {
	b := &Bundle{
		Schema: Schema, Suite: h.Suite, Protocol: h.Protocol, Target: h.Target, Role: h.Role, Lane: f.Lane, Seed: h.Seed,
		Command: h.Command, Scenario: f.Scenario, Rule: f.Rule, Cause: f.Cause, Check: f.Check, Step: f.Step, Reason: f.Reason,
		Tape: tape,
	}
	for _, r := range h.Rules {
		if r.ID == f.Rule {
			b.Sentence = r.Sentence
		}
	}
	var said strings.Builder
	for _, line := range f.Transcript {
		fmt.Fprintf(&said, "%s\n", line)
	}
	b.Transcript = said.String()
	return b
}

// The files of the archive.
const (
	metaFile       = "bundle.json"
	transcriptFile = "transcript.txt"
	tapeFile       = "scenario.tape"
)

// Format returns the bundle as text.
func (b *Bundle) Format() ([]byte, error) {
	meta, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write bundle: %w", err)
	}
	archive := &txtar.Archive{
		Comment: fmt.Appendf(nil, "%s failed: %s\n%s\n\nIt fails again by\n\n    omw-conformance repro FILE\n\nwhere FILE is this file.\n", b.Rule, b.Sentence, quote(b.Reason)),
		Files: []txtar.File{
			{Name: metaFile, Data: append(meta, '\n')},
			{Name: transcriptFile, Data: []byte(quote(b.Transcript))},
		},
	}
	if b.Tape != "" {
		// A tape is an archive of its own, whose markers would end this file's.
		archive.Files = append(archive.Files, txtar.File{Name: tapeFile, Data: []byte(shift(b.Tape))})
	}
	return txtar.Format(archive), nil
}

// Parse reads a bundle.
func Parse(text []byte) (*Bundle, error) {
	b := &Bundle{}
	found := false
	for _, f := range txtar.Parse(text).Files {
		switch f.Name {
		case metaFile:
			if err := json.Unmarshal(f.Data, b); err != nil {
				return nil, fmt.Errorf("read bundle: %s: %w", metaFile, err)
			}
			found = true
		case transcriptFile:
			b.Transcript = unquote(string(f.Data))
		case tapeFile:
			b.Tape = unquote(string(f.Data))
		}
	}
	switch {
	case !found:
		return nil, fmt.Errorf("read bundle: it holds no %s, so it is none", metaFile)
	case b.Schema != Schema:
		return nil, fmt.Errorf("read bundle: it has the format %d, and this suite reads %d", b.Schema, Schema)
	case b.Scenario == "" || b.Role == "" || b.Lane == "":
		return nil, errors.New("read bundle: it names no scenario, role or lane")
	}
	return b, nil
}

// quote keeps a line that looks like a marker of the archive from being one.
func quote(s string) string {
	if !strings.Contains(s, "-- ") {
		return s
	}
	return shift(s)
}

// shift puts a bar before every line, so that none is a marker.
func shift(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = bar + line
		}
	}
	return strings.Join(lines, "")
}

const bar = "| "

// unquote undoes quote and shift.
func unquote(s string) string {
	if !strings.HasPrefix(s, bar) {
		return s
	}
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, bar)
	}
	return strings.Join(lines, "")
}

// nameSize is the most bytes of a bundle's name before its ending.
const nameSize = 150

// Name returns the name of the bundle's file: the rule and the scenario's id, in
// the letters that every file system has.
func (b *Bundle) Name() string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '-' || r == '.' {
			return r
		}
		return '-'
	}, b.Rule+"-"+b.Scenario)
	return name[:min(len(name), nameSize)] + ".bundle"
}
