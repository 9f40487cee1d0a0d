package steps

import (
	"context"
	"fmt"

	"github.com/oh-my-webbridge/omw/sim"
)

// registerDeadlines registers the sentences about the time that a command has:
//
//	a click A with the timeout 2s, whose body takes 5s, that Chrome never answers
//	it is refused for its timeout, or clamped to 120s
//	if it is refused nothing has reached Chrome
func registerDeadlines(sc sentences, s *scene) {
	d := &deadlines{scene: s}
	sc.Given(`^`+phrase+`, whose body takes (\S+), that (Chrome|Firefox) never answers$`, d.sendsSlowly)
	sc.Then(`^it is refused for its timeout, or clamped to (\S+)$`, d.isRefusedOrClamped)
	sc.Then(`^if it is refused nothing has reached (Chrome|Firefox)$`, d.nothingIfRefused)
}

// deadlines remembers whether the last command was clamped.
type deadlines struct {
	*scene
	clamped bool
}

// sendsSlowly sends all of a command but its last byte, lets time pass, and
// sends that one. Its age counts from there.
func (d *deadlines) sendsSlowly(ctx context.Context, text, takes, name string) error {
	sp, err := parsePhrase(text)
	if err != nil {
		return err
	}
	slow, err := duration(takes)
	if err != nil {
		return err
	}
	c := d.newCommand(sp, behaviour{kind: neverAnswers})
	r := sim.Post("/command", c.body(c.mark))
	if err := d.open(ctx, c, r); err != nil {
		return err
	}
	last := len(r.Body) - 1
	if err := c.call.SendHead(); err != nil {
		return fmt.Errorf("send the head: %w", err)
	}
	if err := c.call.SendBody(r.Body[:last]); err != nil {
		return fmt.Errorf("send the body: %w", err)
	}
	if err := d.w.Clock.Elapse(ctx, slow); err != nil {
		return err
	}
	c.sent = d.w.Clock.Now()
	if err := c.call.SendBody(r.Body[last:]); err != nil {
		return fmt.Errorf("send the last byte: %w", err)
	}
	_, by, err := d.received(ctx, c)
	if err == nil && by.Profile().Browser != browserNamed(name) {
		return fmt.Errorf("%s has reached another browser than %s", c, name)
	}
	return err
}

// isRefusedOrClamped requires that the daemon refuses the command. What the
// seed permits beside it is that the browser is told the maximum.
func (d *deadlines) isRefusedOrClamped(ctx context.Context, most string) error {
	c, err := d.command("it")
	if err != nil {
		return err
	}
	if !d.reached(ctx, c.done) {
		return d.w.Fail("unanswered", "%s with the timeout %s has no answer", c, c.timeout)
	}
	if c.answer.Status == 400 {
		return nil
	}
	limit, err := duration(most)
	if err != nil {
		return err
	}
	d.clamped = true
	if got, _, err := d.received(ctx, c); err != nil || got.DeadlineMS > limit.Milliseconds() {
		return d.w.Fail("too-long", "%s with the timeout %s was told %s; want a refusal", c, c.timeout, told(c))
	}
	return d.w.Allow("clamped", "%s with the timeout %s was clamped", c, c.timeout)
}

func (d *deadlines) nothingIfRefused(ctx context.Context, name string) error {
	if d.clamped {
		return nil
	}
	return d.nothingReached(ctx, name)
}
