package record

import (
	"slices"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// shutdownTime is how long a daemon takes at most to end.
const shutdownTime = 6 * time.Second

// down writes that the daemon ended, before the first thing that came of it: its
// answers to what waited come before it closes its links.
func (c *composer) down(at time.Time, verb string) {
	if c.gone {
		return
	}
	c.gone = true
	n := len(c.steps)
	for n > 0 && at.Sub(c.steps[n-1].at) <= shutdownTime && cameOfTheEnd(&c.steps[n-1].line) {
		n--
		at = c.steps[n].at
	}
	c.steps = slices.Insert(c.steps, n, &step{at: at, line: tape.Line{Actor: "daemon", Verb: verb}})
}

// cameOfTheEnd reports whether a line is what a daemon says when it, or a link,
// ends.
func cameOfTheEnd(l *tape.Line) bool {
	code, _ := l.Arg("error")
	switch {
	case l.Verb == "expect close":
		return true
	case l.Actor != agent || l.Verb != "expect":
		return false
	}
	return l.Word(1) == "no-answer" || code == string(protocol.OutcomeUnknown) || code == string(protocol.NotConnected)
}

// leaving is the close code of a daemon that ends (RFC 6455, section 7.4.1).
const leaving = 1001

// up writes that the daemon is there again, once somebody has reached it.
func (c *composer) up(at time.Time) {
	if c.gone {
		c.gone = false
		c.add(at, "daemon", "start", nil)
	}
}

// deaths finds the ends of links after which nobody listened: a daemon that has
// ended. One that took its leave said so in its close frame.
func deaths(entries []entry) map[*relay.End]bool {
	out := map[*relay.End]bool{}
	var open []*relay.End
	for _, e := range entries {
		switch e := e.event.(type) {
		case *relay.End:
			if e.From == relay.Server {
				open = append(open, e)
			}
		case *relay.Answer:
			if !e.Cut {
				open = nil
			}
		case *relay.Unreachable:
			for _, end := range open {
				out[end] = true
			}
			open = nil
		}
	}
	return out
}
