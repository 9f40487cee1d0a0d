package player

import (
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/sim/tape"
)

// ordered returns the events in the one order that a transcript has. What passes
// on one connection is in the order in which it did. What passes on several of
// them at the same instant, between two moments at which everything had come to
// rest, has none but that causes come before effects: here it is always the same
// one, so that a tape that is played twice has the same transcript. p.mu is held.
func (p *play) ordered() []Event {
	if !p.stage.Clock.Exact() {
		return p.events
	}
	var out []Event
	for rest := p.events; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(e Event) bool {
			return e.At != rest[0].At || e.Line != rest[0].Line || e.stage != rest[0].stage
		})
		if n < 0 {
			n = len(rest)
		}
		out = append(out, p.merged(rest[:n])...)
		rest = rest[n:]
	}
	return out
}

// merged is ordered for events of one instant: those of each connection in a
// queue, and each time the first queue whose next event nothing else must precede.
func (p *play) merged(events []Event) []Event {
	if len(events) < 2 {
		return events
	}
	queues := make([][]Event, 1+len(p.order)+len(p.requests))
	for _, e := range events {
		n := p.queueOf(&e)
		queues[n] = append(queues[n], e)
	}
	queues = slices.DeleteFunc(queues, func(q []Event) bool { return len(q) == 0 })
	var out []Event
	for len(queues) > 0 {
		n := max(0, slices.IndexFunc(queues, func(q []Event) bool { return p.first(&q[0], queues) }))
		out = append(out, queues[n][0])
		if queues[n] = queues[n][1:]; len(queues[n]) == 0 {
			queues = slices.Delete(queues, n, n+1)
		}
	}
	return out
}

// queueOf numbers the connection of an event: 0 is the daemon itself, then come
// the browsers, and then the requests of agents, which have one each.
func (p *play) queueOf(e *Event) int {
	if tape.RoleOf(e.From) == tape.Agent || tape.RoleOf(e.To) == tape.Agent {
		return 1 + len(p.order) + max(0, slices.Index(p.requests, p.byID[e.ID]))
	}
	return 1 + slices.IndexFunc(p.order, func(b *browser) bool { return b.name == e.From || b.name == e.To })
}

// first reports whether nothing in any queue must come before e: an earlier hop
// of the same request, and before an agent is told something, the end of the
// connections that it may be told of.
func (p *play) first(e *Event, queues [][]Event) bool {
	told := tape.RoleOf(e.To) == tape.Agent
	for _, q := range queues {
		for i := range q {
			other := &q[i]
			if &q[0] == e {
				break
			}
			if e.ID != "" && other.ID == e.ID && p.hop(other) < p.hop(e) {
				return false
			}
			if told && tape.RoleOf(other.From) != tape.Agent && tape.RoleOf(other.To) != tape.Agent && ends(other) {
				return false
			}
		}
	}
	return true
}

// ends reports whether an event is the end of a connection, or what comes before.
func ends(e *Event) bool {
	return e.Kind == Drop || e.Kind == Note || e.Kind == Message && strings.HasPrefix(e.Text, "close ")
}

// hop says how far a request has come: it is sent, given to a browser, answered
// there, and told to who sent it.
func (p *play) hop(e *Event) int {
	actor := ""
	if r := p.byID[e.ID]; r != nil {
		actor = r.actor
	}
	switch {
	case e.From == actor:
		return 0
	case e.To == actor:
		return 3
	case e.From == daemonName:
		return 1
	}
	return 2
}
