package player

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// expect waits until a command has reached the browser, or an ask its result.
func (b *browser) expect(l *tape.Line) error {
	all := b.p.ids(l.Word(0))
	if len(all) == 0 && b.p.noAgent {
		return b.expectNext(l)
	}
	return b.p.each(l, func(l *tape.Line, r *request) error {
		if r.asked {
			return b.p.expectAnswer(l, r)
		}
		return b.expectCommand(l, r)
	})
}

// expectNext waits for the next command that has no name yet, and names it.
func (b *browser) expectNext(l *tape.Line) error {
	slip := b.p.slip()
	var next *receipt
	b.p.until(b.p.patience(l), func() bool {
		next = nil
		for _, c := range b.receipts {
			if !c.expected && !c.unread && c.r.id == "?" {
				next = c
				return true
			}
		}
		return false
	})
	if next == nil {
		return errors.New("no command has come")
	}
	b.p.mu.Lock()
	next.r.id = l.Word(0)
	b.p.byID[next.r.id] = next.r
	b.p.mu.Unlock()
	return b.judge(l, next, slip)
}

func (b *browser) expectCommand(l *tape.Line, r *request) error {
	slip := b.p.slip()
	c := b.await(l, r)
	if c == nil {
		return b.missing(r)
	}
	return b.judge(l, c, slip)
}

// await waits for the arrival of a request in the browser: the first one that
// was not expected before, or else the last.
func (b *browser) await(l *tape.Line, r *request) *receipt {
	var c *receipt
	b.p.until(b.p.patience(l), func() bool {
		c = b.arrival(r, true)
		return c != nil
	})
	if c != nil {
		return c
	}
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	return b.arrival(r, false)
}

// arrival returns the request's first arrival that was not expected yet, or its
// last. p.mu is held.
func (b *browser) arrival(r *request, fresh bool) *receipt {
	var last *receipt
	for _, c := range r.receipts {
		if c.b != b || c.unread {
			continue
		}
		if last = c; fresh && !c.expected {
			return c
		}
	}
	if fresh {
		return nil
	}
	return last
}

// missing says where a request is that has not reached the browser.
func (b *browser) missing(r *request) error {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	for _, c := range r.receipts {
		if c.b != b {
			return fmt.Errorf("%s has reached %s, not %s", r.id, c.b.name, b.name)
		}
	}
	if r.done {
		return fmt.Errorf("%s has not reached %s; the agent was told %s", r.id, b.name, r.told())
	}
	return fmt.Errorf("%s has not reached %s, and was told nothing", r.id, b.name)
}

// judge compares a command with what a line says of it.
func (b *browser) judge(l *tape.Line, c *receipt, slip time.Duration) error {
	b.p.mu.Lock()
	c.expected = true
	f := c.command
	b.p.mu.Unlock()
	if want, ok := l.Arg("action"); ok && want != f.Action {
		return fmt.Errorf("%s has come as %s; want %s", c.r.id, f.Action, want)
	}
	if want, ok := l.Arg("session"); ok && want != f.Session {
		return fmt.Errorf("%s has come for the session %q; want %q", c.r.id, f.Session, want)
	}
	if want, ok := l.Arg("args"); ok {
		if err := has(f.Args, []byte(want)); err != nil {
			return fmt.Errorf("%s has come with other arguments: %w", c.r.id, err)
		}
	}
	return b.p.timed(l, c.at, c.r.sent, slip)
}

func (b *browser) expectNothing(l *tape.Line) error {
	return b.p.nothing(l, func() error {
		for _, c := range b.receipts {
			if !c.expected && !c.unread {
				return fmt.Errorf("%s (%s of session %q) has come at %s", c.r.id, c.command.Action, c.command.Session, offset(c.at.Sub(b.p.began)))
			}
		}
		return nil
	})
}

// expectStarted waits until a command has begun.
func (b *browser) expectStarted(l *tape.Line) error {
	return b.p.each(l, func(l *tape.Line, r *request) error {
		slip := b.p.slip()
		var begun *receipt
		if !b.p.until(b.p.patience(l), func() bool {
			begun = b.begun(r)
			return begun != nil
		}) {
			return fmt.Errorf("%s has not started in %s", r.id, b.name)
		}
		return b.p.timed(l, begun.startedAt, r.sent, slip)
	})
}

// begun returns the request's arrival that has started. p.mu is held.
func (b *browser) begun(r *request) *receipt {
	for _, c := range r.receipts {
		if c.b == b && c.started {
			return c
		}
	}
	return nil
}

func (b *browser) expectStarts(l *tape.Line) error {
	want, err := strconv.Atoi(l.Word(1))
	if err != nil {
		return err
	}
	return b.p.each(l, func(_ *tape.Line, r *request) error {
		b.p.mu.Lock()
		defer b.p.mu.Unlock()
		got := 0
		for _, c := range r.receipts {
			if c.b == b && c.started {
				got++
			}
		}
		if got != want {
			return fmt.Errorf("%s has started %d times in %s; want %d", r.id, got, b.name, want)
		}
		return nil
	})
}

// setAuto is auto and hold.
func (b *browser) setAuto(l *tape.Line) error {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.auto, b.autoActions = l.Verb == "auto", nil
	if v, ok := l.Arg("action"); ok {
		b.autoActions = names(v)
	}
	return nil
}

// ask sends a request of the extension's own.
func (b *browser) ask(l *tape.Line) error {
	if err := b.mustBeOpen(); err != nil {
		return err
	}
	id := l.Word(0)
	spec := sim.CommandSpec{Action: l.Word(1), Args: l.ActionArgs(), ID: id}
	spec.Session, _ = l.Arg("session")
	if d, ok := l.Duration("timeout"); ok {
		spec.TimeoutMS = d.Milliseconds()
	}
	r := &request{id: id, actor: b.name, asked: true, sent: b.p.stage.Clock.Now()}
	r.fields(spec.Body())
	b.p.mu.Lock()
	b.p.add(r)
	b.p.mu.Unlock()
	b.p.work.Go(func() {
		res, err := b.sim.Request(b.p.ctx, spec.Body())
		b.p.mu.Lock()
		defer b.p.mu.Unlock()
		r.done, r.doneAt, r.err = true, b.p.stage.Clock.Now(), errors.Join(err, res.Bad)
		if err == nil {
			r.answer = sim.Answer{Status: 200, ID: res.ID, OK: res.OK, Data: res.Data, At: r.doneAt}
			if e := res.Error; e != nil {
				r.answer.Code, r.answer.Message, r.answer.Delivered = e.Code, e.Message, e.Delivered
			}
			if r.good {
				b.p.honesty.answered(r)
			}
		}
		b.p.wake()
	})
	return nil
}
