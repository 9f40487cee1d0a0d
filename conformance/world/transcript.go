package world

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/oh-my-webbridge/omw/conformance/lane"
)

// Transcript records what the actors of a scenario said, each line with the
// time since the scenario began. What it returns holds no token and no pairing
// code: those that it was told by Secret, and whatever looks like one.
type Transcript struct {
	clock lane.Clock
	began time.Time

	mu      sync.Mutex
	lines   []Line
	dropped int
	secrets []string
}

// Line is one line of a transcript.
type Line struct {
	// At is the time since the scenario began, in the lane's time.
	At time.Duration `json:"at_ns"`
	// Actor is who spoke or heard: agent, chrome, daemon…
	Actor string `json:"actor"`
	// Dir is ">" for what the actor sent, "<" for what it received, "-" for a
	// remark.
	Dir string `json:"dir"`
	// Text is what was said, cut at 2 KiB.
	Text string `json:"text"`
	// ID is the name that steps have for the request that was sent, "" if they
	// have none.
	ID string `json:"id,omitempty"`
	// Tape is true for a remark that says, in the words of a tape, what the actor
	// did that no message shows, or what was expected of the daemon.
	Tape bool `json:"tape,omitempty"`
	// Held is true for such a remark of a step that passed.
	Held bool `json:"held,omitempty"`
}

func (l Line) String() string {
	return fmt.Sprintf("+%-14s %-8s %s %s", l.At, l.Actor, l.Dir, l.Text)
}

const (
	maxLines = 400
	maxText  = 2 << 10
)

func newTranscript(clock lane.Clock, began time.Time) *Transcript {
	return &Transcript{clock: clock, began: began}
}

// Sent records what an actor sent.
func (t *Transcript) Sent(actor string, text []byte) { t.SentAs(actor, "", text) }

// SentAs is Sent for a request that the scenario's tape calls id.
func (t *Transcript) SentAs(actor, id string, text []byte) {
	t.add(Line{Actor: actor, Dir: ">", ID: id}, text)
}

// Received records what an actor received.
func (t *Transcript) Received(actor string, text []byte) {
	t.add(Line{Actor: actor, Dir: "<"}, text)
}

// Note records a remark.
func (t *Transcript) Note(actor, format string, a ...any) {
	t.add(Line{Actor: actor, Dir: "-"}, fmt.Appendf(nil, format, a...))
}

// Does records in the words of a tape, "drop rst", what an actor does that no
// message shows, or what a step expects: "expect a1 error=busy". It is what the
// tape of a scenario that fails is made of, beside the messages (KIT-08).
func (t *Transcript) Does(actor, format string, a ...any) {
	t.add(Line{Actor: actor, Dir: "-", Tape: true}, fmt.Appendf(nil, format, a...))
}

// Secret keeps s out of the transcript and out of every reason, also where it
// was recorded before.
func (t *Transcript) Secret(s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s != "" && !slices.Contains(t.secrets, s) {
		t.secrets = append(t.secrets, s)
	}
}

// Passed says that the step has passed whose remarks were the last: what they
// expect was so.
func (t *Transcript) Passed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := len(t.lines) - 1; i >= 0 && !t.lines[i].Held; i-- {
		t.lines[i].Held = t.lines[i].Tape
	}
}

func (t *Transcript) add(line Line, text []byte) {
	line.At, line.Text = t.clock.Since(t.began), cut(text)
	t.mu.Lock()
	defer t.mu.Unlock()
	// The beginning says how it came to that, the end what went wrong.
	if len(t.lines) == maxLines {
		t.lines = slices.Delete(t.lines, maxLines/2, maxLines/2+1)
		t.dropped++
	}
	t.lines = append(t.lines, line)
}

// Lines returns what was recorded, secrets removed. Of a long scenario it is
// the beginning and the end.
func (t *Transcript) Lines() []Line {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := slices.Clone(t.lines)
	for i := range lines {
		lines[i].Text = redact(lines[i].Text, t.secrets)
	}
	if t.dropped > 0 {
		gap := Line{At: lines[maxLines/2].At, Actor: "suite", Dir: "-", Text: fmt.Sprintf("%d lines left out", t.dropped)}
		lines = slices.Insert(lines, maxLines/2, gap)
	}
	return lines
}

// Redact removes from s what Lines removes.
func (t *Transcript) Redact(s string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return redact(s, t.secrets)
}

// cut returns the beginning of a text as people can read it: what is no UTF-8,
// and what would steer a terminal, is written as an escape.
func cut(text []byte) string {
	if len(text) <= maxText {
		return readable(text)
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes)", readable(text[:n]), len(text))
}

func readable(text []byte) string {
	s := strings.ToValidUTF8(string(text), "\uFFFD")
	steers := func(r rune) bool {
		return r != '\n' && r != '\t' && r != '\r' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
	}
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
