package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/sim"
)

// simPrinter prints what a simulated browser does. Frames come from several
// goroutines and must not wait for a slow reader of the output, so that one
// goroutine of its own writes, and what it cannot keep up with is counted.
type simPrinter struct {
	w       io.Writer
	json    bool
	browser string
	lines   chan simLine
	done    chan struct{}
	mu      sync.Mutex
	dropped int
	tries   int
}

// simLine is one line of output.
type simLine struct {
	Event string          `json:"event"`
	At    time.Time       `json:"at"`
	Conn  int             `json:"conn,omitempty"`
	Dir   sim.Dir         `json:"dir,omitempty"`
	Kind  string          `json:"kind,omitempty"`
	Frame json.RawMessage `json:"frame,omitempty"`
	Text  string          `json:"text,omitempty"`
}

// shownBytes is how much of a frame is printed for people.
const shownBytes = 300

func newSimPrinter(w io.Writer, asJSON bool, browser string) *simPrinter {
	p := &simPrinter{w: w, json: asJSON, browser: browser, lines: make(chan simLine, 64), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		for l := range p.lines {
			p.print(l)
		}
	}()
	return p
}

// stop waits until everything is printed. Nothing may come after it.
func (p *simPrinter) stop() {
	p.mu.Lock()
	dropped := p.dropped
	p.mu.Unlock()
	if dropped > 0 {
		p.lines <- simLine{Event: "dropped", At: time.Now(), Text: fmt.Sprintf("%d lines were not printed: the reader was too slow", dropped)}
	}
	close(p.lines)
	<-p.done
}

func (p *simPrinter) frame(e sim.TraceEvent) {
	l := simLine{Event: "frame", At: e.At, Conn: e.Conn, Dir: e.Dir, Kind: e.Kind}
	switch {
	case !p.json && len(e.Frame) > shownBytes:
		l.Text = fmt.Sprintf("%s… (%d bytes)", e.Frame[:shownBytes], len(e.Frame))
	case p.json && json.Valid(e.Frame):
		l.Frame = append(l.Frame, e.Frame...)
	default:
		l.Text = string(e.Frame)
	}
	p.put(l)
}

// attempts prints the tries to connect that are new and failed.
func (p *simPrinter) attempts(all []sim.Attempt) {
	for _, a := range all[min(p.tries, len(all)):] {
		if a.Err != nil {
			p.put(simLine{Event: "refused", At: a.At, Text: a.Err.Error()})
		}
	}
	p.tries = len(all)
}

func (p *simPrinter) put(l simLine) {
	select {
	case p.lines <- l:
	default:
		p.mu.Lock()
		p.dropped++
		p.mu.Unlock()
	}
}

func (p *simPrinter) print(l simLine) {
	if p.json {
		_ = writeJSON(p.w, l)
		return
	}
	arrow := map[sim.Dir]string{sim.In: "<", sim.Out: ">"}[l.Dir]
	what := l.Kind
	if what == "" {
		what = l.Event
	}
	_, _ = fmt.Fprintf(p.w, "%s %s %s%s %s\n", l.At.Format("15:04:05.000"), p.browser, arrow, what, clean(l.Text))
}
