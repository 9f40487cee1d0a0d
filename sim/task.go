package sim

import (
	"context"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// task is one command in the extension, from its receipt to its answer.
type task struct {
	l      *link
	start  Start
	faults []Fault
	// end is the daemon's deadline, own the extension's, which comes first.
	end, own time.Time
	ctx      context.Context
	cancel   context.CancelFunc
	timer    *time.Timer
	// release hands over the reply of Browser.Release.
	release chan Reply
	// settled is guarded by the lanes' lock.
	settled bool
}

// besides are the actions that run beside the session's queue (CMD-08).
var besides = map[string]bool{
	"dialog": true, "close_session": true, "cdp_detach": true, "artifact_close": true, "artifact_read": true,
}

// internal are the commands of the daemon itself, which start nothing.
var internal = map[string]bool{"artifact_close": true, "artifact_read": true}

// margin is what the extension keeps back from what is left (CMD-16).
func margin(left, most time.Duration) time.Duration { return max(0, min(most, left/4)) }

func (l *link) newTask(f *protocol.CommandFrame) *task {
	now, left := time.Now(), time.Duration(f.DeadlineMS)*time.Millisecond
	t := &task{
		l: l,
		start: Start{
			At: now, Conn: l.n, ID: f.ID, Session: f.Session, Action: f.Action, Args: f.Args, DeadlineMS: f.DeadlineMS,
		},
		end: now.Add(left), own: now.Add(left - margin(left, l.b.profile.Limits.Margin)),
		release: make(chan Reply, 1),
	}
	t.ctx, t.cancel = context.WithCancel(l.ctx)
	return t
}

// arrive takes a command from the reading goroutine.
func (l *link) arrive(f *protocol.CommandFrame) {
	t := l.newTask(f)
	t.faults = l.b.faultsOf(t.start)
	x := &Exchange{Start: t.start, l: l}
	verdict := Proceed
	for _, fault := range t.faults {
		if a, ok := fault.(Arrival); ok && verdict == Proceed {
			verdict = a.Arrive(x)
		}
	}
	if verdict == Unread {
		return
	}
	t.start = l.b.received.add(t.start)
	if verdict == Settled {
		return
	}
	if missing, no := l.b.profile.Unsupported[t.start.Action]; no {
		l.answer(t, Fail(protocol.Unsupported, l.b.profile.Browser.Title()+" cannot do "+t.start.Action+": "+missing))
		return
	}
	l.lanes.enter(t)
}

// run is a command's turn: its session has no other one running.
func (t *task) run() {
	defer t.cancel()
	if jobs[t.start.Action] {
		if !t.l.lanes.beginJob(t.ctx) {
			return
		}
		defer t.l.lanes.endJob()
	}
	if !time.Now().Before(t.own) {
		// It has waited too long and is not started any more.
		t.settle(late())
		return
	}
	if !t.l.begin(t) {
		return
	}
	r, ok := t.respond()
	if !ok {
		return
	}
	t.settle(r)
}

// begin records that the task starts, unless it was settled before.
func (l *link) begin(t *task) bool {
	if internal[t.start.Action] {
		return true
	}
	s := t.start
	s.At = time.Now()
	a, ok := protocol.LookupAction(s.Action)
	return l.lanes.unsettled(t, func() {
		t.start = l.b.started.add(s)
		if ok && a.Binds {
			l.b.pages.Begin(s.Session)
		}
	})
}

// respond returns what comes of the command; false if it was settled meanwhile.
func (t *task) respond() (Reply, bool) {
	if internal[t.start.Action] {
		return t.l.artifacts.serve(t.start), true
	}
	b := t.l.b
	r := Default()
	if b.held(t.start) {
		r = Hold()
	} else if respond := b.responder(); respond != nil {
		r = respond(t.ctx, t.start)
	}
	for {
		switch r.kind {
		case replyHold:
			select {
			case r = <-t.release:
			case <-t.ctx.Done():
				return r, false
			}
		case replyAfter:
			if !sleep(t.ctx, r.wait) {
				return r, false
			}
			r = *r.then
		case replyDefault:
			r = b.perform(t)
		default:
			if t.start.Action == "close_session" && r.kind == replyData {
				// Whoever answered: a session that is closed has nothing left.
				t.l.lanes.clear(t.start.Session, t)
				b.pages.CloseSession(t.start.Session)
			}
			return r, t.ctx.Err() == nil
		}
	}
}

func (b *Browser) responder() Respond {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.respond
}

func late() Reply {
	return Fail(protocol.OutcomeUnknown, "the extension's own deadline passed before the command was done")
}

// settle answers the task once, whoever comes first, and lets the next one of
// its session start.
func (t *task) settle(r Reply) {
	next, ok := t.l.lanes.leave(t)
	if !ok {
		return
	}
	t.l.answer(t, r)
	t.cancel()
	if next != nil {
		t.l.b.spawn(next.run)
	}
}
