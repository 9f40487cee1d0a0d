package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerHangUps adds the sentences about agents that do not wait for their
// answers:
//
//	the agent of A hangs up                      resets its connection | closes its sending half
//	A gets its own value, or no answer
//	100 agents hang up, and Chrome answers them  their evaluates have reached Chrome
//	100 agents hang up after half of a click's body
//	the agent is served a click of session "next"
//	an agent hangs up before an answer of 31457280 bytes     in the middle of
//	an answer of 31457280 bytes has room
func registerHangUps(sc sentences, l *linkCommands) {
	sc.When(`^the agent of (`+oneName+`) (hangs up|resets its connection|closes its sending half)$`, l.goes)
	sc.Then(`^(`+oneName+`) gets its own value, or no answer$`, l.mayGetOwn)
	sc.When(`^([0-9]+) agents (hang up|reset their connections), and (Chrome|Firefox) answers them$`, l.manyGo)
	sc.When(`^([0-9]+) agents (hang up|reset their connections) after (the header of a click|half of a click's body|all but the last byte of a click's body|all but the last chunk of a click's body)$`, l.manyGoEarly)
	sc.Then(`^the agent is served `+phrase+`$`, l.isServed)
	sc.When(`^an agent hangs up (before|in the middle of) an answer of ([0-9]+) bytes$`, l.goesFrom)
	sc.Then(`^an answer of ([0-9]+) bytes has room$`, l.hasRoom)
}

// goes ends a caller's connection, or the half of it on which it sends. Nothing
// may be under way to it.
func (l *linkCommands) goes(ctx context.Context, who, how string) error {
	c, err := l.command(who)
	if err != nil {
		return err
	}
	if c.call == nil || c.done() {
		return fmt.Errorf("%s has no caller who waits", c)
	}
	if err := hangUp(c.call, how); err != nil {
		return fmt.Errorf("let the caller of %s go: %w", c, err)
	}
	if how != "closes its sending half" && !l.reached(ctx, c.done) {
		return fmt.Errorf("the caller of %s is still there", c)
	}
	l.w.Clock.Settle()
	return nil
}

func hangUp(call *sim.Call, how string) error {
	switch {
	case strings.HasPrefix(how, "reset"):
		return call.Reset()
	case how == "closes its sending half":
		return call.HalfClose()
	}
	return call.Close()
}

func (l *linkCommands) mayGetOwn(ctx context.Context, who string) error {
	c, err := l.command(who)
	if err != nil {
		return err
	}
	if !l.reached(ctx, c.done) {
		return l.w.Fail("half-closed-left", "%s has no answer, and its connection is open", c)
	}
	if c.err != nil && c.answer.Response.Status == 0 {
		return l.w.Allow("half-closed", "%s was told nothing: %v", c, c.err)
	}
	if value, _ := protocol.StringArg(c.answer.Data, "value"); c.err != nil || !c.answer.OK || value != c.mark {
		return l.w.Fail("half-closed", "%s was told %s; its own value is %q", c, told(c), c.mark)
	}
	return nil
}

// manyGo sends that many evaluates, ends their callers' connections when all
// have reached the browser, and lets it answer them all.
func (l *linkCommands) manyGo(ctx context.Context, count int, how, name string) error {
	b, err := l.of(name)
	if err != nil {
		return err
	}
	sp := spec{action: "evaluate", session: `"gone"`, timeout: usualTimeout}
	sp.browser, sp.saysBrowser = text(string(browserNamed(name))), true
	all := make([]*command, count)
	for i := range all {
		all[i] = l.newCommand(sp, behaviour{kind: neverAnswers})
		if err := l.open(ctx, all[i], sim.Post("/command", all[i].body(all[i].mark))); err != nil {
			return err
		}
		l.begin(all[i])
	}
	var got map[*command]sim.Start
	if !l.reached(ctx, func() bool { got = l.links(all); return len(got) == len(all) }) {
		return l.turnedAway(all, len(got))
	}
	for _, c := range all {
		if err := hangUp(c.call, how); err != nil {
			return fmt.Errorf("let the caller of %s go: %w", c, err)
		}
	}
	l.w.Clock.Settle()
	for _, c := range all {
		r := protocol.Result{ID: got[c].ID, OK: true, Data: c.value()}
		if err := b.SendText(r.AppendTo(nil)); err != nil {
			return fmt.Errorf("let %s answer: %w", name, err)
		}
		b.Release(got[c], sim.Data(string(c.value())))
	}
	l.w.Clock.Settle()
	return l.served(ctx, sp)
}

// turnedAway says why not all of those commands have reached the browser: it is
// the rule's own if those before them have kept their room.
func (l *linkCommands) turnedAway(all []*command, reached int) error {
	for _, c := range all {
		if c.done() && c.is(string(protocol.Busy)) {
			return l.w.Fail("room-kept", "only %d of %d commands have reached the browser: %s was told %s", reached, len(all), c, told(c))
		}
	}
	return fmt.Errorf("only %d of %d commands have reached the browser", reached, len(all))
}

// manyGoEarly begins that many requests and ends their connections.
func (l *linkCommands) manyGoEarly(ctx context.Context, count int, how, after string) error {
	a, err := l.agent(ctx)
	if err != nil {
		return err
	}
	sp, err := parsePhrase("a click")
	if err != nil {
		return err
	}
	calls := make([]*sim.Call, count)
	for i := range calls {
		c := l.newCommand(sp, behaviour{})
		l.w.Honesty.Asked(c.mark)
		r := sim.Post("/command", c.body(c.mark))
		part := r.Body
		switch after {
		case "the header of a click":
			part = nil
		case "half of a click's body":
			part = r.Body[:len(r.Body)/2]
		case "all but the last byte of a click's body":
			// A blank behind the command, so that what has come would do as one.
			r.Body = append(r.Body, ' ')
		default:
			r.Chunked = true
		}
		if calls[i], err = a.Start(ctx, r); err != nil {
			return fmt.Errorf("connect: %w", err)
		}
		l.w.Cleanup(func() error {
			_ = calls[i].Close()
			return nil
		})
		if err := errors.Join(calls[i].SendHead(), calls[i].SendBody(part)); err != nil {
			return fmt.Errorf("send a part of a request: %w", err)
		}
	}
	l.w.Clock.Settle()
	for _, call := range calls {
		if err := hangUp(call, how); err != nil {
			return fmt.Errorf("let a caller go: %w", err)
		}
	}
	l.w.Clock.Settle()
	return nil
}

func (l *linkCommands) isServed(ctx context.Context, phrase string) error {
	sp, err := parsePhrase(phrase)
	if err != nil {
		return err
	}
	return l.served(ctx, sp)
}

// served sends a command that must be answered ok, since nothing keeps its room
// or its id. Outside of a bubble nobody can see when the daemon has noticed that
// a caller is gone, so that it is sent again until it is.
func (l *linkCommands) served(ctx context.Context, sp spec) error {
	var c *command
	var err error
	done := l.reached(ctx, func() bool {
		if c, err = l.send(ctx, l.newCommand(sp, behaviour{})); err != nil {
			return true
		}
		return l.reached(ctx, c.done) && c.is("ok")
	})
	switch {
	case err != nil:
		return err
	case !done && !c.done():
		return fmt.Errorf("%s has no answer", c)
	case !done:
		return l.w.Fail("room-kept", "%s was told %s; those before it should have left their room", c, told(c))
	}
	return nil
}

// large is the name of the commands whose answers are large.
const large = "Z"

// goesFrom lets a caller go to whom a large answer is sent, of which it has read
// nothing.
func (l *linkCommands) goesFrom(ctx context.Context, when, bytes string) error {
	p := &payload{scene: l.scene, unread: map[string]*unread{}}
	if _, err := p.sendUnread(ctx, large, "room", p.main.Title()); err != nil {
		return err
	}
	if when == "before" {
		if err := p.isGone(ctx, large); err != nil {
			return err
		}
	}
	if err := p.answersWithData(ctx, p.main.Title(), large, bytes); err != nil {
		return err
	}
	if when == "before" {
		return nil
	}
	return p.isGone(ctx, large)
}

// hasRoom lets a browser answer with that many bytes, which must all come.
// Outside of a bubble it tries on, as served does.
func (l *linkCommands) hasRoom(ctx context.Context, bytes string) error {
	p := &payload{scene: l.scene, unread: map[string]*unread{}}
	var err error
	l.reached(ctx, func() bool {
		err = p.fits(ctx, bytes)
		_, broken := world.AsFailure(err)
		return !broken
	})
	return err
}

func (p *payload) fits(ctx context.Context, bytes string) error {
	if _, err := p.sendUnread(ctx, large, "room", p.main.Title()); err != nil {
		return err
	}
	if err := p.answersWithData(ctx, p.main.Title(), large, bytes); err != nil {
		return err
	}
	return p.gets(ctx, large, "the whole answer")
}
