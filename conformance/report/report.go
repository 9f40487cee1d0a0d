// Package report turns the event stream of a run into what people and their
// tools read. Every format is a pure function of the stream: nothing in it
// depends on how the run was started or on the machine that formats it.
package report

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// EventsSchema is the JSON Schema of the lines of an event stream.
//
//go:embed events.schema.json
var EventsSchema []byte

// Format is the name of a format.
type Format string

// The formats.
const (
	// Console is for people: a line a rule, the failures with their transcripts,
	// and alone on the last line "N passed, N failed", counted in scenarios.
	Console Format = "console"
	// JUnit is JUnit XML: a test suite a rule, a test case a scenario.
	JUnit Format = "junit"
	// JSON is one object with the verdict on each rule and scenario.
	JSON Format = "json"
	// TAP is TAP version 14: a test point a rule, with its scenarios as subtest.
	TAP Format = "tap"
	// Markdown is a summary for a CI system's page.
	Markdown Format = "markdown"
	// HTML is one self-contained page, with a sequence diagram of each failure.
	HTML Format = "html"
	// Badge is a picture, SVG, and Shields the JSON that shields.io makes one of
	// (https://shields.io/badges/endpoint-badge).
	Badge   Format = "badge"
	Shields Format = "shields"
	// Events is the stream itself, of parts that were merged one. Each line
	// follows EventsSchema.
	Events Format = "events"
)

// Formats are all of them.
var Formats = []Format{Console, JUnit, JSON, TAP, Markdown, HTML, Badge, Shields, Events}

// Parse returns the format of that name.
func Parse(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats, f) {
		return f, nil
	}
	return "", fmt.Errorf("the format %q is none of %v", name, Formats)
}

// Write writes the report of a stream and returns its verdict.
func Write(w io.Writer, f Format, s *verdict.Stream) (*verdict.Verdict, error) {
	v, err := verdict.Judge(s)
	if err != nil {
		return nil, fmt.Errorf("judge the stream: %w", err)
	}
	b := &strings.Builder{}
	switch f {
	case Console:
		console(b, s, v)
	case JUnit:
		err = junit(b, s, v)
	case JSON:
		err = object(b, s, v)
	case TAP:
		tap(b, s, v)
	case Markdown:
		err = markdown(b, s, v)
	case HTML:
		err = page(b, s, v)
	case Badge:
		badge(b, s, v)
	case Shields:
		err = shields(b, s, v)
	case Events:
		err = events(b, s)
	default:
		_, err = Parse(string(f))
	}
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return nil, fmt.Errorf("write report: %w", err)
	}
	return v, nil
}

// Repeat returns the command that runs one scenario of a stream again, quoted
// for a shell. A client that is watched repeats nothing on request: it is watched
// again.
func Repeat(h *verdict.Header, scenario string) string {
	if h.Target.Kind == "watch" {
		return commandLine(h)
	}
	return strings.TrimSpace(commandLine(h) + " --scenario " + quote(scenario))
}

func quote(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+@", r)
	}
	if arg != "" && !strings.ContainsFunc(arg, func(r rune) bool { return !plain(r) }) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// commandLine is the command that repeats a whole run, quoted for a shell.
func commandLine(h *verdict.Header) string {
	quoted := make([]string, len(h.Command))
	for i, arg := range h.Command {
		quoted[i] = quote(arg)
	}
	return strings.Join(quoted, " ")
}
