package client

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/door"
)

// registerTraffic adds what is read from the client's traffic as a whole.
func registerTraffic(sc Sentences, c *scene) {
	sc.Then(`^the token stood in the header of each request to /command and nowhere else$`, c.tokenInHeader)
	sc.Then(`^the stranger has not been sent the token$`, c.keptToken)
	sc.Then(`^its traffic keeps the rule$`, c.keepsRule)
	sc.When(`^the client is asked for (\d+) clicks at a time in (\d+) sessions, of which the daemon refuses every second$`, c.isAskedForMany)
	sc.Then(`^the client tells each by its own answer$`, c.tellsEach)
}

// keepsRule fails with the first finding about the scenario's rule.
func (c *scene) keepsRule(context.Context) error {
	for _, f := range c.judge.Findings() {
		if f.Rule == c.w.Scenario.Rule.ID {
			_, check, _ := strings.Cut(f.Check, "/")
			return c.w.Fail(check, "%s; a conformant client: %s", f.Reason, f.Right)
		}
	}
	return nil
}

func (c *scene) tokenInHeader(ctx context.Context) error {
	n := 0
	for _, q := range c.door.Requests() {
		if !strings.HasPrefix(q.Target, "/command") {
			continue
		}
		n++
		got := q.Header.Values("Authorization")
		if len(got) != 1 || got[0] != "Bearer "+c.token {
			return c.w.Fail("no-header", "request %d to /command has %d Authorization headers, of which it should have one, Bearer and the token", q.Seq, len(got))
		}
	}
	if n == 0 {
		return c.w.Fail("not-sent", "the client sent nothing to /command")
	}
	return c.keepsRule(ctx)
}

func (c *scene) keptToken(context.Context) error {
	for _, q := range c.door.Requests() {
		whole := fmt.Sprint(q.Target, q.Header, string(q.Body))
		if strings.Contains(whole, c.token) {
			return c.w.Fail("unproven", "request %d sent the token to whoever listens there, who had not shown that he knows it", q.Seq)
		}
	}
	return nil
}

// many is what isAskedForMany expects of a command.
func many(n int) string {
	if n%2 == 0 {
		return "ok"
	}
	return "error"
}

func (c *scene) isAskedForMany(ctx context.Context, count, sessions int) error {
	c.each(func(q door.Request) door.Reply {
		n := markOf(q)
		// The later ones of each session are answered first.
		wait := time.Duration(count-n) * time.Millisecond
		if many(n) == "ok" {
			return door.After(wait, door.OK(`{}`))
		}
		// With the status of a refusal, so that nobody fails by reading that alone.
		return door.After(wait, door.Refuse(protocol.Errorf(protocol.BadRequest, "it is told to say so")))
	})
	for n := range count {
		if _, err := c.ask("click", "s"+strconv.Itoa(n%sessions), 0); err != nil {
			return err
		}
	}
	for _, o := range c.asked {
		if err := c.await(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// markOf is the number in the mark of a click, less one.
func markOf(q door.Request) int {
	command, err := protocol.DecodeCommand(q.Body, protocol.DefaultLimits())
	if err != nil {
		return 0
	}
	selector, _ := protocol.StringArg(command.Args, "selector")
	n, err := strconv.Atoi(strings.TrimPrefix(selector, "#m"))
	if err != nil {
		return 0
	}
	return n - 1
}

func (c *scene) tellsEach(context.Context) error {
	for n, o := range c.asked {
		if got := string(o.said.Outcome); got != many(n) {
			return c.w.Fail("misread", "the client says %s of the click %d of %d at a time, whose own answer means %s", got, n+1, len(c.asked), many(n))
		}
	}
	return nil
}
