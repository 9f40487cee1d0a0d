// Package diagram draws a sequence diagram: who said what to whom, when, what
// was lost, and which message is the one that matters. Text draws it for a
// terminal or a log, SVG for a page. Both are pure functions of a Diagram: the
// same one gives the same bytes, on every machine and in every locale.
package diagram

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Diagram is what is drawn. Its events are drawn in the order in which they
// stand, whatever their times are.
type Diagram struct {
	// Title is the heading; "" is none.
	Title string
	// Name is what a picture without a title is called by what reads it aloud. Two
	// diagrams in one page that differ in nothing else need names that do.
	Name string
	// Actors are the lifelines from left to right. An actor that events alone
	// name gets one to the right of these.
	Actors []string
	Events []Event
}

// Event is one thing that happened.
type Event struct {
	// At is the time since the beginning, to the nanosecond.
	At time.Duration
	// From and To are names of actors. A message, a lost one and a drop need
	// both; a message from an actor to itself is fine. A note stands beside From,
	// or across all lifelines if From is "".
	From, To string
	// Label is what stands on the arrow, in one line and cut to its length.
	Label string
	// Detail is the whole of what was said, of any length. SVG shows it where the
	// pointer rests, Text below an event that is marked.
	Detail string
	Kind   Kind
	// Marked says that this is the event to look at, and Why says the reason.
	Marked bool
	Why    string
}

// Kind says what an event is.
type Kind int

// The kinds.
const (
	// Message is an arrow from From to To.
	Message Kind = iota
	// Lost is a message that To never got: its arrow ends in a cross.
	Lost
	// Note is a remark.
	Note
	// Drop is the end of the connection between From and To.
	Drop
)

// pause is the least time between two events that is shown as a break.
const pause = time.Second

// row is one event on its way onto a picture, with its text made printable.
type row struct {
	Event
	// from and to are the indices of its lifelines; those of a note across all
	// are the first and the last.
	from, to int
	// after is how long nothing happened before it, 0 if that is not worth a
	// break.
	after time.Duration
}

// rows returns the lifelines and the events. It fails for an event that names
// nobody, and for a kind that does not exist.
func (d Diagram) rows() (actors []string, rows []row, err error) {
	actors = slices.Clone(d.Actors)
	for i, e := range d.Events {
		if e.Kind < Message || e.Kind > Drop {
			return nil, nil, fmt.Errorf("draw event %d: the kind %d does not exist", i, e.Kind)
		}
		if e.Kind != Note && (e.From == "" || e.To == "") {
			return nil, nil, fmt.Errorf("draw event %d: %q needs an actor at both ends", i, e.Label)
		}
		for _, name := range []string{e.From, e.To} {
			if name != "" && !slices.Contains(actors, name) {
				actors = append(actors, name)
			}
		}
	}
	for i, e := range d.Events {
		r := row{Event: e, from: slices.Index(actors, e.From), to: slices.Index(actors, e.To)}
		if e.Kind == Note {
			r.to = r.from
			if r.from < 0 {
				r.from, r.to = 0, max(0, len(actors)-1)
			}
		}
		if i > 0 && e.At-d.Events[i-1].At >= pause {
			r.after = e.At - d.Events[i-1].At
		}
		r.Label = line(e.Label)
		rows = append(rows, r)
	}
	return actors, rows, nil
}

// line returns a text as one printable line.
func line(s string) string { return strings.Join(strings.Fields(printable(s)), " ") }

// printable replaces what is no UTF-8, what would steer a terminal, and what
// would turn the direction of the text around it. Line breaks stay.
func printable(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsFunc(s, steers) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if steers(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func steers(r rune) bool {
	return r != '\n' && r != '\t' && r != '\r' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

// offset writes a time as it stands at the left.
func offset(d time.Duration) string {
	if d < 0 {
		return d.String()
	}
	return "+" + d.String()
}
