package sim

import (
	"context"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// lanes are the session queues of one link: one command of a session runs, some
// wait, different sessions run at the same time (CMD-07, LIMIT-04).
type lanes struct {
	waiting int
	// jobs holds a token for each picture or PDF that is being made (LIMIT-10).
	jobs chan struct{}

	mu   sync.Mutex
	over bool
	by   map[string]*lane
	// all are the tasks that are not settled, those beside the queues too.
	all map[*task]struct{}
}

// lane is the queue of one session.
type lane struct {
	running *task
	waiting []*task
}

// jobs are the actions of which few run at a time.
var jobs = map[string]bool{"screenshot": true, "pdf": true}

func (q *lanes) init(l protocol.ExtensionLimits) {
	q.waiting, q.jobs = l.Waiting, make(chan struct{}, max(l.Jobs, 1))
	q.by, q.all = map[string]*lane{}, map[*task]struct{}{}
}

// enter starts t, lets it wait for its turn, or answers it busy.
func (q *lanes) enter(t *task) {
	q.mu.Lock()
	if q.over {
		q.mu.Unlock()
		t.cancel()
		return
	}
	runs := besides[t.start.Action]
	if !runs {
		ln := q.by[t.start.Session]
		if ln == nil {
			ln = &lane{}
			q.by[t.start.Session] = ln
		}
		switch {
		case ln.running == nil:
			ln.running, runs = t, true
		case len(ln.waiting) >= q.waiting:
			q.mu.Unlock()
			t.l.answer(t, Fail(protocol.Busy, "too many commands of this session wait in the extension"))
			t.cancel()
			return
		default:
			ln.waiting = append(ln.waiting, t)
		}
	}
	q.all[t] = struct{}{}
	t.timer = time.AfterFunc(time.Until(t.own), func() { t.settle(late()) })
	q.mu.Unlock()
	if runs {
		t.l.b.spawn(t.run)
	}
}

// leave settles t and returns the next one of its session; false if it was
// settled before.
func (q *lanes) leave(t *task) (next *task, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.settled || q.over {
		return nil, false
	}
	t.settled = true
	delete(q.all, t)
	t.timer.Stop()
	ln := q.by[t.start.Session]
	switch {
	case ln == nil || besides[t.start.Action]:
	case ln.running == t:
		if ln.running = nil; len(ln.waiting) > 0 {
			ln.running, ln.waiting = ln.waiting[0], ln.waiting[1:]
		}
		if next = ln.running; next == nil {
			delete(q.by, t.start.Session)
		}
	default:
		for i, w := range ln.waiting {
			if w == t {
				ln.waiting = append(ln.waiting[:i:i], ln.waiting[i+1:]...)
				break
			}
		}
	}
	return next, true
}

// unsettled calls f if t is not settled, with the lock held, so that nothing
// starts that has been answered.
func (q *lanes) unsettled(t *task, f func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.settled || q.over {
		return false
	}
	f()
	return true
}

// clear settles everything of a session for its close_session: what waits first,
// in order, as session_closed; what runs as outcome_unknown, beside the queue
// too; by stays.
func (q *lanes) clear(session string, by *task) {
	q.mu.Lock()
	var waiting, running []*task
	if ln := q.by[session]; ln != nil {
		waiting = append(waiting, ln.waiting...)
		if ln.running != nil {
			running = append(running, ln.running)
		}
	}
	for t := range q.all {
		if t != by && t.start.Session == session && besides[t.start.Action] && !internal[t.start.Action] {
			running = append(running, t)
		}
	}
	q.mu.Unlock()
	for _, t := range waiting {
		t.settle(Fail(protocol.SessionClosed, "the session was closed before the command started"))
	}
	for _, t := range running {
		t.settle(Fail(protocol.OutcomeUnknown, "the session was closed while the command ran"))
	}
}

// find returns the unsettled task of that id.
func (q *lanes) find(id string) *task {
	q.mu.Lock()
	defer q.mu.Unlock()
	for t := range q.all {
		if t.start.ID == id {
			return t
		}
	}
	return nil
}

// end forgets everything: nothing of this link is answered or started any more.
func (q *lanes) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.over = true
	for t := range q.all {
		t.timer.Stop()
		t.cancel()
	}
	clear(q.all)
	clear(q.by)
}

func (q *lanes) beginJob(ctx context.Context) bool {
	select {
	case q.jobs <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (q *lanes) endJob() { <-q.jobs }
