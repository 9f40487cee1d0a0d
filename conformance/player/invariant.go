package player

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// outlast lets the time of every request that is under way pass, where that
// costs nothing: also of those whose agent hung up, which browsers still have.
// Nothing of it is a part of the transcript.
func (p *play) outlast() {
	if !p.stage.Clock.Exact() {
		return
	}
	p.mu.Lock()
	now, last := p.stage.Clock.Now(), time.Time{}
	for _, r := range p.requests {
		if until := r.until(); (!r.done || r.hungUp) && until.After(last) {
			last = until
		}
	}
	p.mu.Unlock()
	if left := last.Sub(now); left >= 0 {
		_ = p.stage.Clock.Elapse(p.ctx, left+time.Millisecond)
	}
}

// otherTime is how long a request that is no command may take: the daemon's own
// time for a body, and some.
const otherTime = 35 * time.Second

// until is when a request has its answer at the latest.
func (r *request) until() time.Time {
	if r.good {
		return r.sent.Add(r.within)
	}
	return r.sent.Add(otherTime)
}

// invariants returns those that do not hold when the tape is over. They hold in
// every tape, whatever goes wrong in it: the explorer of schedules looks for
// tapes in which one does not. Each is told as its kind, a colon, and how it is
// broken. What is about time or order is judged where these are exact.
func (p *play) invariants() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, check := range []func() string{p.unanswered, p.answeredTwice, p.unasked, p.sentTwice, p.outOfOrder} {
		if s := check(); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// unanswered: every request has its answer within its time (CMD-11).
func (p *play) unanswered() string {
	if !p.stage.Clock.Exact() {
		return ""
	}
	for _, r := range p.requests {
		switch {
		case r.hungUp:
		case !r.done:
			return fmt.Sprintf("unanswered: %s has no answer and no end %s after it was sent", r.id, p.stage.Clock.Since(r.sent))
		case r.good && r.answer.Status != 0 && r.doneAt.After(r.until()):
			return fmt.Sprintf("late: %s was answered %s after it was sent, and has %s", r.id, r.doneAt.Sub(r.sent), r.within)
		}
	}
	return ""
}

// answeredTwice: no request has another answer behind its own (CMD-03).
func (p *play) answeredTwice() string {
	for _, r := range p.requests {
		if r.more {
			return fmt.Sprintf("answered twice: %s has its answer, and more came behind it", r.id)
		}
	}
	return ""
}

// unasked: no browser is given a command that nobody sent (CMD-05).
func (p *play) unasked() string {
	if p.noAgent {
		return ""
	}
	for _, b := range p.order {
		for _, c := range b.receipts {
			if c.r.id == "?" {
				return fmt.Sprintf("unasked: %s was given a %s of session %q that nobody of the tape sent", b.name, c.r.action, c.r.session)
			}
		}
	}
	return ""
}

// sentTwice: no command is given to a browser a second time (CMD-05).
func (p *play) sentTwice() string {
	for _, r := range p.requests {
		if n := len(r.receipts); n > 1 {
			return fmt.Sprintf("sent twice: %s was given to browsers %d times", r.id, n)
		}
	}
	return ""
}

// bypass are the actions that do not queue (CMD-08).
var bypass = []string{"close_session", "dialog", "cdp_detach", "artifact_close"}

// outOfOrder: the commands of a session reach its browser in the order in which
// they were sent (CMD-06).
func (p *play) outOfOrder() string {
	if !p.stage.Clock.Exact() {
		return ""
	}
	for _, b := range p.order {
		last := map[string]int{}
		for _, c := range b.receipts {
			n := slices.Index(p.requests, c.r)
			if n < 0 || slices.Contains(bypass, c.r.action) {
				continue
			}
			if before, ok := last[c.r.session]; ok && n < before {
				return fmt.Sprintf("out of order: %s of session %q was given to %s behind %s, which was sent later", c.r.id, c.r.session, b.name, p.requests[before].id)
			}
			last[c.r.session] = n
		}
	}
	return ""
}

// slots returns what is wrong with the daemon once every request has ended, and
// the browsers are still there: no slot is taken any more, and nothing is held
// (CMD-15, LIMIT-08). A daemon that is gone holds nothing.
func (p *play) slots() string {
	if !p.stage.Clock.Exact() {
		return ""
	}
	a := sim.Agent{Dial: p.stage.Daemon.Dial, Addr: p.stage.Daemon.Addr(), Token: p.token}
	resp, err := a.Send(p.ctx, sim.Request{Method: "GET", Target: "/admin/status"})
	if err != nil || resp.Status != 200 {
		return ""
	}
	var s struct {
		Requests int   `json:"requests"`
		Buffered int64 `json:"buffered_bytes"`
		Browsers map[protocol.Browser]struct {
			Commands int `json:"commands"`
			Reserved int `json:"reserved"`
		} `json:"browsers"`
	}
	if err := json.Unmarshal(resp.Body, &s); err != nil {
		return ""
	}
	switch {
	case s.Requests > 1:
		return fmt.Sprintf("slot kept: %d requests are being served when each has ended", s.Requests-1)
	case s.Buffered > 0:
		return fmt.Sprintf("bytes kept: %d bytes of answers are held when each has been read", s.Buffered)
	}
	for _, name := range protocol.Browsers {
		if b := s.Browsers[name]; b.Commands != 0 || b.Reserved != 0 {
			return fmt.Sprintf("slot kept: %d commands and %d reserved ones are in flight to %s when each has ended", b.Commands, b.Reserved, name)
		}
	}
	return ""
}
