package verdict

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Stream is what a run wrote, whole.
type Stream struct {
	Header   *Header
	Started  []*Started
	Steps    []*Step
	Finished []*Finished
	Footer   *Footer
}

// ErrCut is the error of a stream without its footer: the run was cut short,
// and whatever it says is no verdict.
var ErrCut = errors.New("the stream has no footer: the run was cut short")

// Add appends an event. The order that a stream has is an invariant: a header
// first, a footer last.
func (s *Stream) Add(e Event) error {
	switch {
	case s.Footer != nil:
		return errors.New("the stream goes on after its footer")
	case s.Header == nil:
		h, ok := e.(*Header)
		if !ok {
			return errors.New("the stream does not begin with its header")
		}
		s.Header = h
		return nil
	}
	switch e := e.(type) {
	case *Header:
		return errors.New("the stream has two headers")
	case *Started:
		s.Started = append(s.Started, e)
	case *Step:
		s.Steps = append(s.Steps, e)
	case *Finished:
		s.Finished = append(s.Finished, e)
	case *Footer:
		s.Footer = e
	}
	return nil
}

// Write writes one event as a line.
func Write(w io.Writer, e Event) error {
	switch e := e.(type) {
	case *Header:
		e.Type = e.kind()
	case *Started:
		e.Type = e.kind()
	case *Step:
		e.Type = e.kind()
	case *Finished:
		e.Type = e.kind()
	case *Footer:
		e.Type = e.kind()
	}
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	return nil
}

// maxLine is the longest line of a stream: a transcript is bounded.
const maxLine = 16 << 20

// Read reads a stream. A line that is no event of this schema is an error, and
// so is a stream that is cut short: ErrCut.
func Read(r io.Reader) (*Stream, error) {
	s := &Stream{}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for n := 1; lines.Scan(); n++ {
		e, err := decode(lines.Bytes())
		if err == nil {
			err = s.Add(e)
		}
		if err != nil && s.Footer == nil && !lines.Scan() {
			return nil, fmt.Errorf("read stream: line %d: %w: %w", n, ErrCut, err)
		}
		if err != nil {
			return nil, fmt.Errorf("read stream: line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read stream: %w", err)
	}
	if s.Footer == nil {
		return nil, fmt.Errorf("read stream: %w", ErrCut)
	}
	return s, nil
}

func decode(line []byte) (Event, error) {
	var k struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &k); err != nil {
		return nil, err
	}
	var e Event
	switch k.Type {
	case "header":
		e = &Header{}
	case "started":
		e = &Started{}
	case "step":
		e = &Step{}
	case "finished":
		e = &Finished{}
	case "footer":
		e = &Footer{}
	default:
		return nil, fmt.Errorf("the event type %q is unknown", k.Type)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(e); err != nil {
		return nil, err
	}
	if h, ok := e.(*Header); ok && h.Schema != Schema {
		return nil, fmt.Errorf("the stream has schema %d, this suite reads %d", h.Schema, Schema)
	}
	return e, nil
}

// Count fills in the footer's counts from what the stream holds.
func (s *Stream) Count(f *Footer) {
	f.Planned, f.Started, f.Finished = len(s.Header.Scenarios), len(s.Started), len(s.Finished)
	for _, e := range s.Finished {
		switch e.Outcome {
		case Passed:
			f.Passed++
		case Allowed:
			f.Allowed++
		case Failed:
			f.Failed++
		case Unobservable:
			f.Unobservable++
		case Skipped:
			f.Skipped++
		}
	}
}

// Events returns the stream's events in an order in which they may have been
// written: each scenario's start, what its steps did, its end, by the time
// since the run began.
func (s *Stream) Events() []Event {
	type timed struct {
		at time.Duration
		Event
	}
	steps := make(map[string][]*Step)
	for _, e := range s.Steps {
		steps[e.Scenario] = append(steps[e.Scenario], e)
	}
	var middle []timed
	for _, e := range s.Started {
		middle = append(middle, timed{e.Offset, e})
	}
	for _, e := range s.Finished {
		end := e.Offset + e.Took
		for _, step := range steps[e.Scenario] {
			middle = append(middle, timed{end, step})
		}
		delete(steps, e.Scenario)
		middle = append(middle, timed{end, e})
	}
	// What has no end was interrupted: its steps are the last that was written.
	for _, e := range s.Steps {
		if steps[e.Scenario] != nil {
			middle = append(middle, timed{s.Footer.Took, e})
		}
	}
	slices.SortStableFunc(middle, func(a, b timed) int { return cmp.Compare(a.at, b.at) })
	all := []Event{s.Header}
	for _, e := range middle {
		all = append(all, e.Event)
	}
	return append(all, s.Footer)
}
