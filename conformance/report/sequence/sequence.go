// Package sequence makes a sequence diagram of the transcript of a scenario
// that failed: who sent what to whom, what answers what, and which message
// shows the failure. A transcript is what each actor saw for itself, as text;
// what its lines are is read from them, and what cannot be told stands there as
// the remark that it is.
package sequence

import (
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/sim/diagram"
)

// daemon is the actor that everybody else talks to.
const daemon = "daemon"

// Of returns the diagram of a scenario that failed in a run of that role. It is
// a pure function of both. Where no message shows the failure, since nothing
// came or the transcript holds too little, a remark marks the time at which the
// check was made.
func Of(role ledger.Role, e *verdict.Finished) diagram.Diagram {
	r := newReader(role, e.Transcript)
	d := diagram.Diagram{Actors: r.actors()}
	var said []event
	for _, line := range e.Transcript {
		said = append(said, r.read(line))
	}
	mark(r.tested(), e, said, &d)
	return d
}

// event is a line of a transcript as what it is.
type event struct {
	diagram.Event
	text string
}

// reader reads the lines of one transcript, in their order.
type reader struct {
	role ledger.Role
	// left and right are the actors on either side of the daemon: those that ask
	// it, and the browsers.
	left, right []string
	// waiting are the requests that have no answer yet, by who asked.
	waiting map[string][]request
	// short are the short names of long ids.
	short map[string]string
}

type request struct{ id, label string }

func newReader(role ledger.Role, lines []world.Line) *reader {
	r := &reader{role: role, waiting: make(map[string][]request), short: make(map[string]string)}
	for _, l := range lines {
		switch {
		case l.Actor == daemon || l.Actor == "suite":
		case isBrowser(l.Actor):
			r.right = appendNew(r.right, l.Actor)
		default:
			r.left = appendNew(r.left, l.Actor)
		}
	}
	// What the daemon of an extension under test says goes to the extension, even
	// if that one never said a word; likewise with clients.
	switch {
	case role == ledger.Extension && len(r.right) == 0:
		r.right = []string{string(role)}
	case role == ledger.Client && len(r.left) == 0:
		r.left = []string{string(role)}
	}
	return r
}

func appendNew(all []string, name string) []string {
	for _, s := range all {
		if s == name {
			return all
		}
	}
	return append(all, name)
}

// isBrowser reports whether an actor's name is one of a browser or of its
// extension.
func isBrowser(name string) bool {
	for _, kind := range []string{"chrome", "firefox", "extension", "browser"} {
		if strings.HasPrefix(strings.ToLower(name), kind) {
			return true
		}
	}
	return false
}

func (r *reader) actors() []string {
	return append(append(append([]string{}, r.left...), daemon), r.right...)
}

// tested returns the actors that are under test: who breaks the rule is among
// them.
func (r *reader) tested() []string {
	switch r.role {
	case ledger.Extension:
		return r.right
	case ledger.Client:
		return r.left
	}
	return []string{daemon}
}

// peer returns who is at the other end of what an actor says.
func (r *reader) peer(actor, text string) string {
	if actor != daemon {
		return daemon
	}
	side := r.right
	if r.role == ledger.Client || len(side) == 0 || len(r.left) > 0 && r.role != ledger.Extension && isHTTP(text) {
		side = r.left
	}
	if len(side) == 0 {
		return daemon
	}
	return side[0]
}

func (r *reader) read(l world.Line) event {
	e := event{Event: diagram.Event{At: l.At, From: l.Actor, Label: firstLine(l.Text), Detail: l.Text}, text: l.Text}
	switch {
	case l.Actor == "suite":
		e.From, e.Kind = "", diagram.Note
		return e
	case l.Dir == ">":
		e.To = r.peer(l.Actor, l.Text)
	case l.Dir == "<":
		e.From, e.To = r.peer(l.Actor, l.Text), l.Actor
	default:
		e.Kind = diagram.Note
		r.remark(&e, l)
		return e
	}
	r.message(&e, l)
	return e
}

// firstLine returns the beginning of a text, as a label.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

// beside returns how much of a diagram is before and after what is marked, see
// Window.
const (
	opening = 6
	before  = 34
	after   = 8
)

// Window returns what a page has room for: the beginning, and what stands
// around the marked event. What is left out is counted in a remark.
func Window(d diagram.Diagram) diagram.Diagram {
	at := len(d.Events) - 1
	for i, e := range d.Events {
		if e.Marked {
			at = i
		}
	}
	from, to := max(0, at-before), min(len(d.Events), at+after+1)
	if from <= opening+1 {
		from = 0
	}
	if to >= len(d.Events)-1 {
		to = len(d.Events)
	}
	var events []diagram.Event
	if from > 0 {
		events = append(events, d.Events[:opening]...)
		events = append(events, leftOut(d.Events[from].At, from-opening))
	}
	events = append(events, d.Events[from:to]...)
	if n := len(d.Events) - to; n > 0 {
		events = append(events, leftOut(d.Events[to].At, n))
	}
	d.Events = events
	return d
}

func leftOut(at time.Duration, n int) diagram.Event {
	return diagram.Event{At: at, Kind: diagram.Note, Label: plural(n) + " left out"}
}
