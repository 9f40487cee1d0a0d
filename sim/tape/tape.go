// Package tape is the language of tapes: one text file says what browsers,
// agents and the daemon do, in which order and at which time, so that a bug
// report, a scenario of the suite and a recording of a real browser are the same
// thing (KIT-08). The package reads and writes tapes and judges their form; it
// plays nothing. TAPES.md beside it is the language's reference.
//
// A tape is a txtar archive: the script first, then the payloads that it names.
//
//	# CMD-04: a dropped connection ends what is in flight with outcome_unknown
//	use omw.v1 seed=7
//	chrome  connect
//	chrome  hello sessions=shop
//	agent   do a1 click ref=@e4 session=shop
//	chrome  expect a1 action=click
//	+7s
//	chrome  drop rst
//	agent   expect a1 error=outcome_unknown at=7s
package tape

import (
	"strings"
	"time"
)

// Protocol is the protocol that tapes speak, as their header names it.
const Protocol = "omw.v1"

// Tape is one script with its payloads.
type Tape struct {
	// Name is the file's, for what is said about it. Format does not write it.
	Name string
	// Head are the comment lines above the header, without their #. The first one
	// is the tape's sentence.
	Head []string
	// Seed decides what is random when the tape is played; 1 if the header names
	// none.
	Seed uint64
	// Lines are what stands below the header.
	Lines []Line
	// Files are the payloads, in their order.
	Files []File
}

// Line is one line of a script: what an actor does, a time line, a comment, or
// nothing.
type Line struct {
	// N is its number in the file, from 1. Format does not write it.
	N int
	// Wait is what a time line lets pass; 0 for every other line.
	Wait time.Duration
	// Actor is who acts: daemon, or an agent or a browser by its name. It is ""
	// for a line in which nobody does.
	Actor string
	// Verb is what it does, of the verbs that Verbs lists: "hello", or two words
	// as in "expect nothing".
	Verb string
	// Words are what follows the verb without a name, Args what has one.
	Words []string
	Args  []Arg
	// Comment is what stands behind #, or the whole of a comment line.
	Comment string
}

// Arg is one key=value of a line.
type Arg struct{ Key, Value string }

// File is one payload.
type File struct {
	Name string
	// Text is what stands in the archive, without the last line's end: the
	// payload itself, or its base64 if the name ends in .b64.
	Text string
}

// Title returns the tape's sentence, "" if it has none.
func (t *Tape) Title() string {
	for _, line := range t.Head {
		if line != "" {
			return line
		}
	}
	return ""
}

// File returns the payload of that name; false if there is none.
func (t *Tape) File(name string) (File, bool) {
	for _, f := range t.Files {
		if f.Name == name {
			return f, true
		}
	}
	return File{}, false
}

// Acts reports whether somebody does something in the line.
func (l *Line) Acts() bool { return l.Actor != "" }

// Arg returns the value of a named argument; false if the line has none of that
// name. Of several it is the first.
func (l *Line) Arg(key string) (string, bool) {
	for _, a := range l.Args {
		if a.Key == key {
			return a.Value, true
		}
	}
	return "", false
}

// Word returns the n-th word behind the verb, from 0; "" if there is none.
func (l *Line) Word(n int) string {
	if n < len(l.Words) {
		return l.Words[n]
	}
	return ""
}

// Duration returns the value of a named argument that is a duration; false if
// the line has none of that name.
func (l *Line) Duration(key string) (time.Duration, bool) {
	v, ok := l.Arg(key)
	if !ok {
		return 0, false
	}
	d, err := time.ParseDuration(v)
	return d, err == nil
}

// Role is what an actor is.
type Role string

// The roles.
const (
	Browser Role = "browser"
	Agent   Role = "agent"
	Daemon  Role = "daemon"
)

// RoleOf returns the role of an actor by its name: chrome, firefox and agent,
// each with digits behind it or none, and daemon. It is "" for any other name.
func RoleOf(actor string) Role {
	if actor == "daemon" {
		return Daemon
	}
	switch base := strings.TrimRight(actor, "0123456789"); base {
	case "chrome", "firefox":
		return Browser
	case "agent":
		return Agent
	}
	return ""
}

// Actors returns the names of those who act in the tape, in the order in which
// they first do: what a time line or a comment is about, nobody does.
func (t *Tape) Actors() []string {
	var out []string
	seen := map[string]bool{}
	for i := range t.Lines {
		if name := t.Lines[i].Actor; name != "" && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}
