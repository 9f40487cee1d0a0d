package browser

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// The kinds of slot that a call may hold. Internal calls hold none.
const (
	ordinarySlot = iota
	reservedSlot
	noSlot
)

// Outcome is how a command ended: Data, or an error.
type Outcome struct {
	// Data is an object of the page's making, spliced on as it is. Its size is
	// held in the Buffer until Free is called.
	Data jsontext.Value
	// Failed is what the extension answered.
	Failed *protocol.Error
	// Err makes the error of a command that got no good answer; it is told
	// whether the frame may have left the daemon.
	Err func(written bool) *protocol.Error
}

// Call is one admitted command. Its owner calls Send or Drop exactly once, and
// after Send waits with Wait and then calls Free.
type Call struct {
	link     *Link
	action   *protocol.Action
	session  string
	id       string // the daemon's own, so that a late answer never satisfies a newer command
	slot     int
	deadline time.Time
	timer    *time.Timer
	done     chan struct{} // closed when settled

	// Guarded by link.mu.
	args     jsontext.Value
	ready    bool   // Send was called
	queued   uint64 // place among the command frames of the link, 0 before that
	written  bool   // the frame may have left the daemon
	settled  bool
	ignored  bool // nobody waits for the answer
	data     jsontext.Value
	err      *protocol.Error
	buffered int64
}

// Admit takes a slot for a command and gives it its place in its session's
// order. It is refused with busy when the browser's slots are taken (LIMIT-02,
// LIMIT-03), and with not_connected when the link has ended. From then on the
// call is settled at its deadline at the latest.
func (l *Link) Admit(a *protocol.Action, session string, deadline time.Time) (*Call, error) {
	slot, most := ordinarySlot, l.cfg.Limits.Commands
	if a.Reserved {
		slot, most = reservedSlot, l.cfg.Limits.Reserve
	}
	if a.Internal && !a.Reserved {
		slot = noSlot
	}
	c := &Call{
		link: l, action: a, session: session, id: newID(), slot: slot,
		deadline: deadline, done: make(chan struct{}),
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		return nil, protocol.Errorf(protocol.NotConnected, "%s's extension is not connected; start the browser, "+
			"or open the extension to see why", l.cfg.Browser.Title())
	}
	if slot != noSlot {
		if l.used[slot] >= most {
			return nil, protocol.Errorf(protocol.Busy, "%s has %d commands in flight already, which is the most; "+
				"wait for one to end", l.cfg.Browser.Title(), most)
		}
		l.used[slot]++
	}
	l.pending[c.id] = c
	if slot == ordinarySlot {
		l.waiting[session] = append(l.waiting[session], c)
	}
	c.timer = time.AfterFunc(time.Until(deadline), func() { l.settle(c, Outcome{Err: expired}) })
	return c, nil
}

// Late returns the error of a command whose deadline passed before it was sent.
func Late() *protocol.Error {
	return protocol.Unknown(protocol.DeliveredNo, "the deadline passed before the command was sent to the browser")
}

func expired(written bool) *protocol.Error {
	if !written {
		return Late()
	}
	return protocol.Unknown(protocol.DeliveredUnknown, "the browser did not answer before the deadline; "+
		"the command may have run or may still run, so look at the page before you send it again")
}

// Send lets the command go out with those arguments when the earlier ones of
// its session have gone (CMD-06). Reserved and internal ones go at once (CMD-08).
func (c *Call) Send(args jsontext.Value) {
	l := c.link
	l.mu.Lock()
	if !c.settled {
		c.args, c.ready = args, true
		if c.slot == ordinarySlot {
			l.advance(c.session)
		} else {
			l.queue(c)
		}
	}
	l.mu.Unlock()
	l.signal()
}

// Notify sends the command and lets go of it: nobody waits for its answer,
// which frees its slot, as the deadline does.
func (c *Call) Notify(args jsontext.Value) {
	c.link.mu.Lock()
	c.ignored = true
	c.link.mu.Unlock()
	c.Send(args)
}

// Drop gives the command up before it was sent; it frees its slot and place.
func (c *Call) Drop() {
	c.link.settle(c, Outcome{Err: expired})
}

// Over reports whether the command is settled, so that Wait returns at once.
func (c *Call) Over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// Wait returns the command's data, or its error, when it is settled. Data that
// breaks the action's schema is the end of this command alone.
func (c *Call) Wait() (jsontext.Value, *protocol.Error) {
	<-c.done
	if c.err != nil {
		return nil, c.err
	}
	if err := c.action.CheckData(c.data); err != nil {
		c.link.log.Warn("result breaks its schema", "action", c.action.Name)
		c.Free()
		return nil, Broken(err.Error())
	}
	return c.data, nil
}

// Deadline returns when the command is settled at the latest.
func (c *Call) Deadline() time.Time { return c.deadline }

// Session returns the session that the call is of.
func (c *Call) Session() string { return c.session }

// Link returns the link that the call is on.
func (c *Call) Link() *Link { return c.link }

// Free gives back the room that the data takes in the Buffer. The owner calls
// it when the answer has been written whole, or given up (LIMIT-08).
func (c *Call) Free() {
	c.link.mu.Lock()
	n := c.buffered
	c.buffered = 0
	c.data = nil
	c.link.mu.Unlock()
	c.link.cfg.Buffer.Free(n)
}

// EndedBy reports whether c, a close_session that succeeded, was the session's
// last command: one that was queued behind it, whether answered by now or not,
// or that is on its way, begins the session anew.
func (l *Link) EndedBy(c *Call) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.latest[c.session] > c.queued {
		return false
	}
	for _, p := range l.pending {
		if p.session == c.session && p.action.Binds && p.queued == 0 {
			return false
		}
	}
	delete(l.latest, c.session)
	return true
}

// settle ends a call exactly once.
func (l *Link) settle(c *Call, o Outcome) {
	l.mu.Lock()
	if c.settled {
		l.mu.Unlock()
		return
	}
	c.settled = true
	c.timer.Stop()
	delete(l.pending, c.id)
	if !c.written {
		// It will not be: nothing of it is to wait for a peer that reads nothing.
		c.args = nil
		l.out = slices.DeleteFunc(l.out, func(o outgoing) bool { return o.call == c })
	}
	if c.slot != noSlot {
		l.used[c.slot]--
	}
	switch {
	case o.Err != nil:
		c.err = o.Err(c.written)
	case o.Failed != nil:
		c.err = o.Failed
	case c.ignored:
	default:
		if n := int64(len(o.Data)); l.cfg.Buffer.Take(n) {
			c.data, c.buffered = o.Data, n
		} else {
			c.err = Overflow()
		}
	}
	if c.slot == ordinarySlot && c.queued == 0 {
		l.advance(c.session)
	}
	l.mu.Unlock()
	close(c.done)
	l.signal()
}

// advance queues the session's commands that are ready and have none before
// them. It is called with mu held.
func (l *Link) advance(session string) {
	w := l.waiting[session]
	for len(w) > 0 && (w[0].ready || w[0].settled) {
		if !w[0].settled {
			l.queue(w[0])
		}
		w[0] = nil
		w = w[1:]
	}
	if len(w) == 0 {
		delete(l.waiting, session)
		return
	}
	l.waiting[session] = w
}

// queue hands a call to the writer. It is called with mu held.
func (l *Link) queue(c *Call) {
	l.sent++
	c.queued = l.sent
	if c.action.Binds {
		l.latest[c.session] = c.queued
	}
	l.out = append(l.out, outgoing{call: c})
}

func newID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}
