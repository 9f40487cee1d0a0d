package player

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/sim/diagram"
)

// Label is the event in a few words: what a diagram has on its arrow.
func (e *Event) Label() string {
	if e.Kind == Drop {
		return "connection ends"
	}
	head, body := e.Text, ""
	if i := strings.IndexByte(e.Text, '{'); i >= 0 {
		head, body = strings.TrimSpace(e.Text[:i]), e.Text[i:]
	}
	var m struct {
		Type, Action, Session, Event, Browser string
		OK                                    *bool
		Error                                 struct{ Code string }
	}
	if body == "" || json.Unmarshal([]byte(body), &m) != nil {
		return e.Text
	}
	words := []string{}
	for _, w := range []string{e.ID, strings.TrimPrefix(head, "200"), m.Type, m.Event, m.Action, m.Browser} {
		if w != "" {
			words = append(words, w)
		}
	}
	if m.Session != "" {
		words = append(words, "in "+m.Session)
	}
	switch {
	case m.Error.Code != "":
		words = append(words, m.Error.Code)
	case m.OK != nil && *m.OK:
		words = append(words, "ok")
	}
	return strings.Join(words, " ")
}

// kinds are the events of diagrams.
var kinds = map[Kind]diagram.Kind{
	Message: diagram.Message, Open: diagram.Message, Lost: diagram.Lost, Drop: diagram.Drop, Note: diagram.Note,
}

// Diagram returns the transcript as a sequence diagram. What it marks is what
// the tape is about: what the line that failed was about, or else the answers
// that the tape expects to be errors.
func (t *Transcript) Diagram() diagram.Diagram {
	d := diagram.Diagram{Title: t.Title, Actors: t.Actors}
	if d.Title == "" {
		d.Title = t.Tape
	}
	said := t.Said()
	for i := range said {
		e := &said[i]
		d.Events = append(d.Events, diagram.Event{
			At: e.At, From: e.From, To: e.To, Label: e.Label(), Detail: e.Text, Kind: kinds[e.Kind],
		})
	}
	if failed := t.Failed(); failed != nil {
		t.markFailure(&d, said, failed)
		return d
	}
	for _, c := range t.Checks {
		fields := strings.Fields(c.Text)
		if !strings.Contains(c.Text, " error=") || len(fields) < 3 {
			continue
		}
		for i := len(said) - 1; i >= 0; i-- {
			if e := &said[i]; e.To == fields[0] && e.ID == fields[2] && e.Kind == Message {
				d.Events[i].Marked, d.Events[i].Why = true, fmt.Sprintf("line %d: %s", c.Line, strings.Join(fields, " "))
				break
			}
		}
	}
	return d
}

// markFailure marks the last event before a line failed, or adds a note where
// there is none.
func (t *Transcript) markFailure(d *diagram.Diagram, said []Event, c *Check) {
	why := fmt.Sprintf("line %d: %s: %s", c.Line, strings.Join(strings.Fields(c.Text), " "), c.Reason)
	last := -1
	for i := range said {
		if said[i].Line <= c.Line {
			last = i
		}
	}
	actor, _, _ := strings.Cut(c.Text, " ")
	note := diagram.Event{At: c.At, From: actor, Kind: diagram.Note, Label: "not as the tape says", Marked: true, Why: why}
	d.Events = append(d.Events[:last+1:last+1], append([]diagram.Event{note}, d.Events[last+1:]...)...)
}
