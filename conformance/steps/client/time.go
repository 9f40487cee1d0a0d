package client

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/watch"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/door"
)

// registerTime adds what is said about a client's patience.
func registerTime(sc Sentences, c *scene) {
	sc.When(`^([0-9]\S*) pass$`, c.pass)
	sc.Then(`^the client waits before it asks again$`, c.waits)
	sc.When(`^the client says what came of it$`, func(ctx context.Context) error { return c.await(ctx, c.asked[len(c.asked)-1]) })
	sc.Then(`^the (\w+) asked for ([0-9]\S*) at most$`, c.askedFor)
	sc.Then(`^the client waited for the daemon, and ([0-9]\S*) at least$`, c.waitedFor)
	sc.Given(`^the daemon answers outcome_unknown when the time of a (\w+) is over$`, c.answersAtDeadline)
}

// waits judges what a client does that was refused for want of room: it may
// tell its user, or ask again after a while.
func (c *scene) waits(ctx context.Context) error {
	o := c.asked[len(c.asked)-1]
	if err := c.await(ctx, o); err != nil {
		return err
	}
	sent := c.received(o)
	if len(sent) == 0 {
		return c.w.Fail("not-sent", "the daemon received no %s", o.action)
	}
	least := watch.Patience
	if after, err := strconv.Atoi(sent[0].AnswerHeader.Get("Retry-After")); err == nil {
		least = time.Duration(after) * time.Second
	}
	for i, q := range sent[1:] {
		if wait := q.At.Sub(sent[i].Ended); wait < least && sent[i].Status != http.StatusOK || wait < watch.Patience {
			return c.w.Fail("not-heeded", "the client asked again %s after it was told that there is no room; it should wait %s", wait, least)
		}
	}
	return nil
}

func (c *scene) askedFor(_ context.Context, action, text string) error {
	most, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	for _, o := range c.asked {
		if o.action != action {
			continue
		}
		for _, q := range c.received(o) {
			command, err := protocol.DecodeCommand(q.Body, protocol.DefaultLimits())
			if err != nil {
				return c.w.Fail("bad-request", "the daemon would refuse the %s: %v", action, err)
			}
			if command.Timeout > most {
				return c.w.Fail("no-deadline", "the %s was asked for with %s and sent with a time of %s", action, most, command.Timeout)
			}
		}
	}
	return nil
}

func (c *scene) waitedFor(_ context.Context, text string) error {
	least, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	o := c.asked[len(c.asked)-1]
	for _, q := range c.received(o) {
		if q.Gone && q.Ended.Sub(q.At) < least {
			return c.w.Fail("hung-up", "the client hung up %s after its %s had come, sooner than the daemon could answer", q.Ended.Sub(q.At), o.action)
		}
	}
	if took := o.told.Sub(o.at); took < least {
		return c.w.Fail("hung-up", "the client said %s of %s after %s; the daemon has %s to answer", o.said.Outcome, o.action, took, least)
	}
	return nil
}

func (c *scene) answersAtDeadline(_ context.Context, action string) error {
	c.each(func(q door.Request) door.Reply {
		command, err := protocol.DecodeCommand(q.Body, protocol.DefaultLimits())
		if err != nil || command.Action.Name != action {
			return door.OK(`{}`)
		}
		return door.After(command.Timeout, door.Fail(protocol.Unknown(protocol.DeliveredUnknown, "its time is over; look at the page before you ask again")))
	})
	return nil
}

func (c *scene) pass(ctx context.Context, text string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	return c.w.Clock.Elapse(ctx, d)
}
