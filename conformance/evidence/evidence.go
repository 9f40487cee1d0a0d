// Package evidence makes the tape of a scenario that failed (KIT-08): what its
// actors said and did, at which time, and what its steps expected of the daemon.
// Played against the same daemon it fails as the scenario did, where the
// language of tapes can say what the scenario was about. What it cannot say
// stands in the tape as a comment.
package evidence

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Failed is the comment of the lines of which one is what failed. A tape without
// any cannot say it.
const Failed = "what failed"

// Tape returns the tape of a scenario that failed. It is a function of the event
// alone, so that the stream of a run holds every tape, and it always parses.
func Tape(e *verdict.Finished, seed uint64) *tape.Tape {
	b := &teller{
		t:        &tape.Tape{Name: Name(e.Scenario), Seed: seed},
		requests: map[string]string{}, open: map[string]bool{}, links: map[string]string{},
	}
	b.answered = answers(e.Transcript)
	b.t.Head = []string{
		fmt.Sprintf("%s: %s", e.Rule, e.Scenario),
		fmt.Sprintf("It failed (%s) at the step: %s", cause(e), e.Step),
		"Reason: " + e.Reason,
	}
	said := false
	for _, l := range e.Transcript {
		said = b.line(l) || said
	}
	if !said {
		b.comment("The check that failed has no words in a tape: " + e.Reason)
	}
	return b.done()
}

// Name is the name of the file that a scenario's tape has.
func Name(scenario string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r == '.', r == '-':
			return r
		}
		return '-'
	}, scenario)
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-")
	}
	return strings.Trim(s[:min(len(s), 200)], "-.") + ".tape"
}

func cause(e *verdict.Finished) string {
	if e.Check != "" {
		return e.Check
	}
	return string(e.Cause)
}

// judges reports whether a line of that verb can be what failed: an expectation,
// or a browser that is to be let in.
func judges(verb string) bool { return verb == "expect" || verb == "join" }

// teller writes the lines of a tape.
type teller struct {
	t   *tape.Tape
	now time.Duration
	// requests are those that were sent, by their ids, with their bodies; sent
	// are the ids in order.
	requests map[string]string
	sent     []string
	// open are the browsers that are connected, links the requests of the
	// daemon's ids on links.
	open  map[string]bool
	links map[string]string
	// answered are the daemon's ids that the browsers answered.
	answered map[string]bool
	numbered int
}

// at lets time pass up to when a line stands in the transcript.
func (b *teller) at(when time.Duration) {
	if when > b.now {
		b.t.Lines = append(b.t.Lines, tape.Line{Wait: when - b.now})
		b.now = when
	}
}

// add adds a line.
func (b *teller) add(when time.Duration, l tape.Line) {
	b.at(when)
	b.t.Lines = append(b.t.Lines, l)
}

// comment adds what the language cannot say.
func (b *teller) comment(s string) {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	b.t.Lines = append(b.t.Lines, tape.Line{Comment: s})
}

// done is the tape, with somebody in it who does something, and without what the
// language does not have.
func (b *teller) done() *tape.Tape {
	for {
		if len(b.t.Actors()) == 0 {
			b.t.Lines = append(b.t.Lines, tape.Line{Actor: "agent", Verb: "send", Words: []string{"ping", "GET", "/ping"}, Comment: "nothing was said that a tape can say"})
		}
		wrong, ok := errors.AsType[*tape.Error](b.t.Check())
		if !ok {
			return b.t
		}
		b.mend(wrong)
	}
}

// mend makes comments of lines that are wrong, and leaves out files that are:
// each time there is less of it.
func (b *teller) mend(wrong *tape.Error) {
	above := len(b.t.Head) + 1
	for _, f := range wrong.Faults {
		if i := f.Line - above - 1; i >= 0 && i < len(b.t.Lines) {
			l := b.t.Lines[i]
			if l.Acts() || l.Wait > 0 {
				b.t.Lines[i] = tape.Line{Comment: "not in a tape: " + l.String()}
				continue
			}
		}
	}
	used := map[string]bool{}
	for _, l := range b.t.Lines {
		for _, w := range l.Words {
			used[w] = true
		}
	}
	b.t.Files = slices.DeleteFunc(b.t.Files, func(f tape.File) bool { return !used[f.Name] })
}

// line tells one line of the transcript; true if it is what the step expected
// that failed.
func (b *teller) line(l world.Line) (failed bool) {
	switch {
	case l.Tape:
		return b.does(l)
	case l.Dir == ">" && tape.RoleOf(l.Actor) == tape.Browser:
		b.said(l)
	case l.Dir == "<" && tape.RoleOf(l.Actor) == tape.Browser:
		b.heard(l)
	case l.Dir == ">":
		b.request(l)
	default:
		b.comment(fmt.Sprintf("%s %s %s", l.Actor, map[string]string{"<": "was told", "-": "-"}[l.Dir], l.Text))
	}
	return false
}

// does tells what stands in the transcript in the words of a tape.
func (b *teller) does(l world.Line) bool {
	role := tape.RoleOf(l.Actor)
	parsed, err := tape.ParseLine(l.Actor + " " + l.Text)
	if err != nil || role == "" {
		b.comment(l.Actor + " " + l.Text)
		return false
	}
	failed := judges(parsed.Verb) && !l.Held
	if failed {
		parsed.Comment = Failed
	}
	b.add(l.At, parsed)
	return failed
}
