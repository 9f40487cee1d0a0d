package player

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// answerTo is what a line replies.
type answerTo struct {
	ok      bool
	failure *protocol.Error
	data    jsontext.Value
	content []byte
}

// answerOf reads what a line replies.
func (b *browser) answerOf(l *tape.Line) (answerTo, error) {
	var a answerTo
	if code, ok := l.Arg("error"); ok {
		message, said := l.Arg("message")
		if !said {
			message = "the tape says so"
		}
		a.failure = &protocol.Error{Code: protocol.Code(code), Message: message}
	}
	if data, ok := l.Arg("data"); ok {
		a.data = jsontext.Value(data)
	}
	if name, ok := l.Arg("file"); ok {
		content, err := b.p.payload(l, name)
		if err != nil {
			return a, err
		}
		if strings.HasSuffix(name, ".b64") {
			a.content = content
		} else {
			a.data = content
		}
	}
	a.ok = a.failure == nil && a.data == nil && a.content == nil
	return a, nil
}

// reply is the answer as the extension gives it.
func (a answerTo) reply() sim.Reply {
	switch {
	case a.failure != nil:
		return sim.Fail(a.failure.Code, a.failure.Message)
	case a.content != nil:
		return sim.Encoded(a.content, `{"format":"png","width":1,"height":1}`)
	case a.data != nil:
		return sim.Data(string(a.data))
	}
	return sim.Default()
}

// frame is the answer as a frame of its own.
func (a answerTo) frame(id string) []byte {
	r := protocol.Result{ID: id, OK: a.failure == nil, Error: a.failure}
	if r.OK {
		if r.Data = a.data; r.Data == nil {
			r.Data = jsontext.Value("{}")
		}
	}
	return r.AppendTo(nil)
}

// eachReceipt does something for every arrival that the line's id stands for.
func (b *browser) eachReceipt(l *tape.Line, f func(*receipt) error) error {
	return b.p.each(l, func(l *tape.Line, r *request) error {
		var c *receipt
		b.p.until(b.p.patience(l), func() bool {
			c = b.arrival(r, false)
			return c != nil
		})
		if c == nil {
			return b.missing(r)
		}
		return f(c)
	})
}

// reply answers a command.
func (b *browser) reply(l *tape.Line) error {
	a, err := b.answerOf(l)
	if err != nil {
		return err
	}
	return b.eachReceipt(l, func(c *receipt) error { return b.answer(l, c, a) })
}

// fail is reply with an error.
func (b *browser) fail(l *tape.Line) error {
	message, said := l.Arg("message")
	if !said {
		message = "the tape says so"
	}
	a := answerTo{failure: &protocol.Error{Code: protocol.Code(l.Word(1)), Message: message}}
	return b.eachReceipt(l, func(c *receipt) error { return b.answer(l, c, a) })
}

// answer answers a command as the extension does, if it is still there, or else
// by a frame.
func (b *browser) answer(l *tape.Line, c *receipt, a answerTo) error {
	b.p.until(b.p.patience(l), func() bool { return c.started || c.answers > 0 || !b.open || b.conn != c.conn })
	b.p.mu.Lock()
	runs := c.started && c.answers == 0 && b.open && b.conn == c.conn
	before, start := c.answers, c.start
	c.pass = runs
	b.p.mu.Unlock()
	if !runs || !b.sim.Release(start, a.reply()) {
		return b.say(a.frame(c.id))
	}
	if !b.p.until(usualWithin, func() bool { return c.answers > before || !b.open }) {
		return errors.New("the extension has not answered")
	}
	return nil
}

// release lets the simulated pages answer.
func (b *browser) release(l *tape.Line) error {
	if l.Word(0) != "all" {
		return b.eachReceipt(l, func(c *receipt) error { return b.answer(l, c, answerTo{ok: true}) })
	}
	b.p.mu.Lock()
	var all []*receipt
	for _, c := range b.receipts {
		if c.started && c.answers == 0 && c.conn == b.conn && b.open {
			all = append(all, c)
		}
	}
	b.p.mu.Unlock()
	for _, c := range all {
		if err := b.answer(l, c, answerTo{ok: true}); err != nil {
			return err
		}
	}
	return nil
}

// late answers a command later, by itself.
func (b *browser) late(l *tape.Line) error {
	a, err := b.answerOf(l)
	if err != nil {
		return err
	}
	after, _ := l.Duration("after")
	return b.eachReceipt(l, func(c *receipt) error {
		b.silence(c)
		b.p.work.Go(func() {
			t := time.NewTimer(after)
			defer t.Stop()
			select {
			case <-t.C:
				// Without a connection it is lost.
				_ = b.say(a.frame(c.id))
			case <-b.p.ctx.Done():
			}
		})
		return nil
	})
}

// silence mutes a command.
func (b *browser) silence(c *receipt) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	c.muted = true
}

// replay sends the last answer again.
func (b *browser) replay(l *tape.Line) error {
	times, ok := number(l, "times")
	if !ok {
		times = 1
	}
	return b.eachReceipt(l, func(c *receipt) error {
		b.p.mu.Lock()
		last := bytes.Clone(c.last)
		b.p.mu.Unlock()
		if last == nil {
			return fmt.Errorf("%s has not been answered yet", c.r.id)
		}
		for range times {
			if err := b.say(last); err != nil {
				return err
			}
		}
		return nil
	})
}

// wrongConnection sends the answer on the connection of another browser.
func (b *browser) wrongConnection(l *tape.Line) error {
	a, err := b.answerOf(l)
	if err != nil {
		return err
	}
	name, _ := l.Arg("on")
	other := b.p.browserOf(name)
	return b.eachReceipt(l, func(c *receipt) error {
		b.silence(c)
		return other.say(a.frame(c.id))
	})
}

// oversize answers with one message of exactly so many bytes.
func (b *browser) oversize(l *tape.Line) error {
	n, _ := number(l, "bytes")
	return b.eachReceipt(l, func(c *receipt) error {
		b.silence(c)
		const before, after = `{"value":"`, `"}`
		frame := func(fill int) []byte {
			a := answerTo{data: jsontext.Value(before + strings.Repeat("x", fill) + after)}
			return a.frame(c.id)
		}
		least := len(frame(0))
		if n < least {
			return fmt.Errorf("the smallest answer to %s has %d bytes", c.r.id, least)
		}
		return b.say(frame(n - least))
	})
}
