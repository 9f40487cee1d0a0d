package player

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// request is one request of an agent, or of an extension, from its sending on.
// What is below sent is guarded by the play's mutex.
type request struct {
	// id is the tape's name for it.
	id    string
	actor string
	// asked: it is an extension's own.
	asked bool
	// good: it is a command that browsers may be given, and these are its fields.
	good            bool
	action, session string
	args            jsontext.Value
	browser         protocol.Browser
	// within is how much time it has.
	within time.Duration

	call *sim.Call
	sent time.Time

	done     bool
	doneAt   time.Time
	answer   sim.Answer
	err      error
	hungUp   bool
	expected bool
	// more: something came behind the answer.
	more bool

	receipts []*receipt
}

// receipt is one arrival of a request in a browser.
type receipt struct {
	r  *request
	b  *browser
	at time.Time
	// conn and id are the connection's number and the daemon's id on it.
	conn    int
	id      string
	command protocol.CommandFrame
	// unread: it was lost before the extension read it.
	unread   bool
	expected bool

	started   bool
	startedAt time.Time
	start     sim.Start
	// muted: the extension says nothing about it by itself. pass lets the one
	// answer through that the tape gave it.
	muted, pass bool
	// answers counts what was sent, and last is the last of it.
	answers int
	last    []byte
}

// fields takes the request's fields from its body, as the daemon does.
func (r *request) fields(body []byte) {
	c, err := protocol.DecodeCommand(body, protocol.DefaultLimits())
	if err != nil {
		return
	}
	r.good, r.action, r.session, r.args, r.browser = true, c.Action.Name, c.Session, c.Args, c.Browser
	r.within = c.Timeout
}

// add makes a request known. p.mu is held.
func (p *play) add(r *request) {
	p.requests = append(p.requests, r)
	p.byID[r.id] = r
	if r.good {
		p.honesty.count.Asked(r.id)
	}
}

// ids returns the requests that an id of a line stands for: one, or each of
// those that one line sent.
func (p *play) ids(id string) []*request {
	p.mu.Lock()
	defer p.mu.Unlock()
	base, all := strings.CutSuffix(id, ".*")
	if !all {
		if r := p.byID[id]; r != nil {
			return []*request{r}
		}
		return nil
	}
	var out []*request
	for n := 1; ; n++ {
		r := p.byID[base+"."+strconv.Itoa(n)]
		if r == nil {
			return out
		}
		out = append(out, r)
	}
}

// received finds the request that a command in a browser belongs to: the daemon
// has ids of its own on the link, so that it is told by what it is. Of several
// that are alike, the first that was sent is the first that comes, since the
// daemon keeps a session's order. p.mu is held.
func (p *play) received(b *browser, conn int, f *protocol.CommandFrame) *receipt {
	c := &receipt{b: b, at: p.stage.Clock.Now(), conn: conn, id: f.ID, command: *f}
	if a, ok := protocol.LookupAction(f.Action); ok && a.Internal {
		return nil
	}
	c.r = p.sender(b, f)
	if c.r == nil {
		// Nobody of the tape sent it: an agent outside, or a daemon that makes up
		// commands.
		c.r = &request{id: "?", actor: "?", good: true, action: f.Action, session: f.Session, args: f.Args}
	}
	p.called(f.ID, c.r.id+"@"+b.name)
	c.r.receipts = append(c.r.receipts, c)
	b.receipts = append(b.receipts, c)
	return c
}

func (p *play) sender(b *browser, f *protocol.CommandFrame) *request {
	var over, first, again *request
	for _, r := range p.requests {
		if !r.good || r.action != f.Action || r.session != f.Session || r.browser != "" && r.browser != b.profile.Browser {
			continue
		}
		same := sameJSON(r.args, f.Args)
		switch {
		case len(r.receipts) > 0:
			if same && again == nil {
				again = r
			}
		case same && !r.done:
			return r
		case same:
			// What was answered before it came is the last that it can be.
			over = cmp.Or(over, r)
		case first == nil:
			first = r
		}
	}
	return cmp.Or(over, first, again)
}

// sameJSON reports whether two JSON values are the same but for blanks and the
// order of members.
func sameJSON(a, b jsontext.Value) bool {
	if bytes.Equal(a, b) {
		return true
	}
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}
