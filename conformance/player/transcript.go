package player

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Transcript is what came of playing a tape. It holds no token and no pairing
// code.
type Transcript struct {
	// Tape is the tape's name, Title its sentence.
	Tape  string `json:"tape"`
	Title string `json:"title"`
	// Lane is where it was played, "" where Perform's caller knows.
	Lane ledger.Lane `json:"lane,omitempty"`
	// Seed is what decided every chance.
	Seed uint64 `json:"seed"`
	// Actors are those of the tape, in the order in which they first act, and the
	// daemon.
	Actors []string `json:"actors"`
	// Events are what happened, in its order.
	Events []Event `json:"events"`
	// Checks are the verdicts: one for each line that expects something, and one
	// for the line that failed, whatever it is.
	Checks []Check `json:"checks"`
	// Dishonest says which request was told something else than browsers did
	// (KIT-10), "" if none was.
	Dishonest string `json:"dishonest,omitempty"`
	// Invariants are those that do not hold, each as its kind, a colon, and how:
	// unanswered, late, answered twice, unasked, sent twice, out of order, slot kept, bytes kept.
	Invariants []string `json:"invariants,omitempty"`
	// Elapsed is how long it took in the lane's time, in nanoseconds.
	Elapsed time.Duration `json:"elapsed_ns"`
}

// Kind says what an event is.
type Kind string

// The kinds.
const (
	// Message was said by From to To.
	Message Kind = "message"
	// Lost was said and never read.
	Lost Kind = "lost"
	// Open and Drop are the beginning and the end of a connection between From
	// and To. Of a Drop, Text says how it ended.
	Open Kind = "open"
	Drop Kind = "drop"
	// Note is what an actor did that is no message.
	Note Kind = "note"
)

// Event is one thing that happened.
type Event struct {
	// At is the time since the tape began, in nanoseconds.
	At time.Duration `json:"at_ns"`
	// From is who did it, To to whom; To is "" for a Note.
	From string `json:"from"`
	To   string `json:"to,omitempty"`
	Kind Kind   `json:"kind"`
	// Text is what was said, in one line, cut at 2 KiB.
	Text string `json:"text"`
	// ID is the request that it is about, as the tape calls it; "" for none.
	ID string `json:"id,omitempty"`
	// Line is the line of the tape that was being done.
	Line int `json:"line"`
	// stage counts the moments before it at which everything had come to rest.
	stage int
}

// Outcome is what became of a line.
type Outcome string

// The outcomes.
const (
	Held   Outcome = "held"
	Failed Outcome = "failed"
	// NotReached: a line before it failed.
	NotReached Outcome = "not reached"
)

// Check is the verdict on one line of the tape.
type Check struct {
	// Line is its number, Text the line as the tape has it. Index counts the lines
	// behind the header, from 0, comments included.
	Line  int    `json:"line"`
	Index int    `json:"-"`
	Text  string `json:"text"`
	// Expects is true for lines that say what must be seen; the other ones are
	// here only if they failed: nobody could do what they say.
	Expects bool    `json:"expects"`
	Outcome Outcome `json:"outcome"`
	// Reason says what was seen instead.
	Reason string `json:"reason,omitempty"`
	// At is when it was judged.
	At time.Duration `json:"at_ns"`
}

// OK reports whether everything was as the tape says.
func (t *Transcript) OK() bool { return t.Failed() == nil && t.Broken() == "" }

// Broken returns what does not hold though it does in every tape, "" if all is
// well: a kind, a colon, and how it is broken.
func (t *Transcript) Broken() string {
	if t.Dishonest != "" {
		return "dishonest: " + t.Dishonest
	}
	if len(t.Invariants) > 0 {
		return t.Invariants[0]
	}
	return ""
}

// Failed returns the line that failed, nil if none did.
func (t *Transcript) Failed() *Check {
	for i := range t.Checks {
		if t.Checks[i].Outcome == Failed {
			return &t.Checks[i]
		}
	}
	return nil
}

// Said returns the events without the pings that keep connections alive and
// their pongs, which nobody asked about.
func (t *Transcript) Said() []Event {
	return slices.DeleteFunc(slices.Clone(t.Events), func(e Event) bool {
		return e.Kind == Message && (e.Text == `{"type":"ping"}` || e.Text == `{"type":"pong"}`)
	})
}

// check adds the verdict on a line, unless it goes without saying.
func (p *play) check(l *tape.Line, o Outcome, reason string) {
	v := tape.Lookup(tape.RoleOf(l.Actor), l.Verb)
	expects := v != nil && v.Judges
	if !expects && o != Failed {
		return
	}
	plain := *l
	plain.Comment = ""
	p.mu.Lock()
	defer p.mu.Unlock()
	p.checks = append(p.checks, Check{
		Line: l.N, Index: p.indexOf(l), Text: p.redact(plain.String()), Expects: expects, Outcome: o, Reason: p.redact(reason), At: p.elapsed(),
	})
}

// indexOf is where a line stands among the tape's.
func (p *play) indexOf(l *tape.Line) int {
	for i := range p.t.Lines {
		if &p.t.Lines[i] == l {
			return i
		}
	}
	return -1
}

func (p *play) failed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.checks)
	return n > 0 && p.checks[n-1].Outcome != Held
}

// event records what happened. p.mu is held.
func (p *play) event(e Event) {
	if p.over {
		p.wake()
		return
	}
	e.At, e.Line, e.stage, e.Text = p.elapsed(), p.line, p.rests, p.redact(brief(e.Text))
	p.events = append(p.events, e)
	if p.stage.Observe != nil {
		p.stage.Observe(e)
	}
	p.wake()
}

// note records what an actor did.
func (p *play) note(actor, text, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.event(Event{From: actor, Kind: Note, Text: text, ID: id})
}

// mostText is how much of a message a transcript has, in bytes.
const mostText = 2 << 10

// brief returns a text in one line, cut.
func brief(s string) string {
	cut := ""
	if len(s) > mostText {
		s, cut = s[:mostText], "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")) + cut
}

// redact removes the token, and what looks like one, and puts the tape's names
// in place of the ids that the daemon makes up: a tape that is played twice has
// the same transcript. p.mu is held.
func (p *play) redact(s string) string {
	if p.token != "" {
		s = strings.ReplaceAll(s, p.token, "[token]")
	}
	if len(p.known) > 0 && strings.Contains(s, `"id"`) {
		s = strings.NewReplacer(p.known...).Replace(s)
	}
	return world.Redact(s)
}

// called says by which name an id of the daemon stands in the transcript. p.mu
// is held.
func (p *play) called(id, name string) {
	if id != "" && id != name {
		p.known = append(p.known, strconv.Quote(id), strconv.Quote("<"+name+">"))
	}
}

// transcript returns what came of the play.
func (p *play) transcript() *Transcript {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := &Transcript{
		Tape: p.t.Name, Title: p.t.Title(), Seed: p.seed, Events: p.ordered(), Checks: p.checks, Elapsed: p.overAt, Invariants: p.broken,
		Dishonest: p.honesty.check(),
	}
	for _, actor := range p.t.Actors() {
		if actor != daemonName && tape.RoleOf(actor) == tape.Agent {
			out.Actors = append(out.Actors, actor)
		}
	}
	out.Actors = append(out.Actors, daemonName)
	for _, actor := range p.t.Actors() {
		if tape.RoleOf(actor) == tape.Browser {
			out.Actors = append(out.Actors, actor)
		}
	}
	return out
}

// daemonName is the daemon's as an actor.
const daemonName = "daemon"
