package steps

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerOrder registers the sentences about many commands and their order:
//
//	the agent sends 20 clicks of session "shop", one behind the other
//	the agent sends 20 clicks of sessions "shop" and "mail" in turn, all at once
//	the agent begins 20 sessions, each with a click and another behind it as soon as the first is admitted
//	an upload A of session "shop" of 12 MiB to Firefox, admitted and not yet sent
//	Chrome receives them in their order          those of each session
//	Firefox receives A and then them in their order
//	Chrome receives each of them once
//	33 clicks of session "shop" that Chrome works on
//	clicks of 20 sessions with the timeout 5s that Chrome never answers
//	all the clicks are over
func registerOrder(sc sentences, s *scene) {
	o := &order{scene: s}
	sc.When(`^the agent sends ([0-9]+) clicks of sessions? (`+quoted+`)(?: and (`+quoted+`) in turn)?, (one behind the other|all at once)$`, o.sends)
	sc.When(`^the agent begins ([0-9]+) sessions, each with a click and another behind it as soon as the first is admitted$`, o.begins)
	sc.Given(`^an upload ([A-Z]) of session (`+quoted+`) of ([0-9]+) MiB to (Chrome|Firefox), admitted and not yet sent$`, o.uploads)
	sc.Then(`^(Chrome|Firefox) receives (?:them|those of each session) in their order$`, o.inOrder)
	sc.Then(`^(Chrome|Firefox) receives ([A-Z]) and then them in their order$`, o.behind)
	sc.Then(`^(Chrome|Firefox) receives each of them once$`, o.once)
	sc.Given(`^([0-9]+) clicks of session (`+quoted+`) that Chrome works on$`, o.worksOn)
	sc.Given(`^clicks of ([0-9]+) sessions with the timeout (\S+) that Chrome never answers$`, o.stuck)
	sc.Then(`^all the clicks are over$`, o.areOver)
}

// order remembers the commands of one sentence, in the order in which the
// daemon admitted them.
type order struct {
	*scene
	all []*command
}

func click(session string) spec {
	return spec{action: "click", session: session, timeout: usualTimeout}
}

func (o *order) sends(ctx context.Context, n int, one, other, how string) error {
	sessions := []string{one}
	if other != "" {
		sessions = append(sessions, other)
	}
	var held []*command
	for i := range n {
		c := o.newCommand(click(sessions[i%len(sessions)]), behaviour{kind: worksOn})
		if how == "one behind the other" {
			if err := o.admits(ctx, c); err != nil {
				return err
			}
		} else if err := o.open(ctx, c, sim.Post("/command", c.body(c.mark))); err != nil {
			return err
		} else {
			held = append(held, c)
		}
		o.all = append(o.all, c)
	}
	for _, c := range held {
		o.begin(c)
	}
	return nil
}

// admits sends a command and returns when the daemon has admitted it: in the
// virtual lane it has when all is at rest, in the real one when a browser has
// it, or at the latest after what Until waits.
func (o *order) admits(ctx context.Context, c *command) error {
	if _, err := o.send(ctx, c); err != nil {
		return err
	}
	if !o.w.Clock.Exact() {
		o.reached(ctx, func() bool { return c.done() || o.hasReceived(c) })
	}
	return nil
}

// hasReceived reports whether some browser has received the command.
func (s *scene) hasReceived(c *command) bool {
	for _, b := range s.ever {
		if slices.ContainsFunc(b.Received(), func(st sim.Start) bool { return s.commandOf(st) == c }) {
			return true
		}
	}
	return false
}

// begins begins sessions whose second command comes while the binding that the
// first one makes is being written. That the daemon may be too quick for that
// is why there are several.
func (o *order) begins(ctx context.Context, n int) error {
	for i := range n {
		session := strconv.Quote(fmt.Sprintf("new-%d", i))
		for range 2 {
			c := o.newCommand(click(session), behaviour{kind: worksOn})
			if err := o.open(ctx, c, sim.Post("/command", c.body(c.mark))); err != nil {
				return err
			}
			o.all = append(o.all, c)
			o.begin(c)
			if err := o.awaitAdmission(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// awaitAdmission asks the daemon for its status until it holds as many commands
// as were sent to the command's browser, or the command has gone on its way.
func (o *order) awaitAdmission(ctx context.Context, c *command) error {
	sent := 0
	for _, other := range o.all {
		if other.browser == c.browser {
			sent++
		}
	}
	name, err := strconv.Unquote(c.browser)
	if err != nil {
		return fmt.Errorf("%s names no browser: %w", c, err)
	}
	for !c.done() && !o.hasReceived(c) {
		status, err := o.status(ctx)
		if err != nil {
			return err
		}
		if status.Browsers[protocol.Browser(name)].Commands >= sent {
			return nil
		}
	}
	return nil
}

// uploads sends an upload whose file takes the daemon a while to read, and
// returns as soon as it is admitted.
func (o *order) uploads(ctx context.Context, name, session string, mebibytes int, to string) error {
	dir, err := o.w.Dir("files")
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "large")
	if err := os.WriteFile(file, make([]byte, mebibytes<<20), 0o600); err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	sp := spec{
		action: "upload", name: name, session: session, timeout: usualTimeout,
		browser: strconv.Quote(string(browserNamed(to))), saysBrowser: true,
	}
	c := o.newCommand(sp, behaviour{kind: worksOn})
	c.args = fmt.Sprintf(`{"selector":"#%s","files":[%s]}`, c.mark, strconv.Quote(file))
	if err := o.open(ctx, c, sim.Post("/command", c.body(c.mark))); err != nil {
		return err
	}
	o.all = append(o.all, c)
	o.begin(c)
	if err := o.awaitAdmission(ctx, c); err != nil {
		return err
	}
	o.all = nil
	return nil
}

func (o *order) worksOn(ctx context.Context, n int, session string) error {
	return o.hold(ctx, n, func(int) *command {
		return o.newCommand(click(session), behaviour{kind: worksOn})
	})
}

func (o *order) stuck(ctx context.Context, n int, timeout string) error {
	d, err := duration(timeout)
	if err != nil {
		return err
	}
	return o.hold(ctx, n, func(i int) *command {
		sp := click(strconv.Quote(fmt.Sprintf("stuck-%d", i)))
		sp.timeout = strconv.FormatInt(d.Milliseconds(), 10)
		return o.newCommand(sp, behaviour{kind: neverAnswers})
	})
}

// hold sends commands that do not end, and returns when the browser has them.
func (o *order) hold(ctx context.Context, n int, make func(int) *command) error {
	for i := range n {
		c := make(i)
		if _, err := o.send(ctx, c); err != nil {
			return err
		}
		o.all = append(o.all, c)
	}
	for _, c := range o.all {
		if _, _, err := o.received(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// arrived returns those of the commands that the browser has received, in their
// order there, when it has them all or has had time for that. Whether all of
// them go out at once is for other rules.
func (o *order) arrived(ctx context.Context, name string, want []*command) ([]*command, error) {
	b, err := o.of(name)
	if err != nil {
		return nil, err
	}
	// A daemon that collects commands before it sends them may.
	if err := o.w.Clock.Elapse(ctx, grace); err != nil {
		return nil, err
	}
	var got []*command
	o.reached(ctx, func() bool {
		got = got[:0]
		for _, st := range b.Received() {
			if c := o.commandOf(st); c != nil && slices.Contains(want, c) {
				got = append(got, c)
			}
		}
		return len(got) >= len(want)
	})
	if len(got) == 0 {
		return nil, o.w.Fail("none-received", "%s has received none of %d commands", name, len(want))
	}
	return got, nil
}

// inOrder looks at the commands of each session by itself: what has arrived of
// it must be what was admitted first.
func (o *order) inOrder(ctx context.Context, name string) error {
	got, err := o.arrived(ctx, name, o.all)
	if err != nil {
		return err
	}
	of := func(session string, from []*command) []string {
		var marks []string
		for _, c := range from {
			if c.session == session {
				marks = append(marks, c.mark)
			}
		}
		return marks
	}
	for _, c := range o.all {
		want, have := of(c.session, o.all), of(c.session, got)
		if len(have) > len(want) || !slices.Equal(want[:len(have)], have) {
			return o.w.Fail("order", "%s received of session %s: %v; they were admitted as %v", name, c.session, have, want)
		}
	}
	return nil
}

func (o *order) behind(ctx context.Context, name, first string) error {
	c, err := o.command(first)
	if err != nil {
		return err
	}
	o.all = append([]*command{c}, o.all...)
	return o.inOrder(ctx, name)
}

func (o *order) once(ctx context.Context, name string) error {
	got, err := o.arrived(ctx, name, o.all)
	if err != nil {
		return err
	}
	seen := map[*command]bool{}
	for _, c := range got {
		if seen[c] {
			return o.w.Fail("twice", "%s received %s twice", name, c.mark)
		}
		seen[c] = true
	}
	return nil
}

func (o *order) areOver(ctx context.Context) error {
	for _, c := range o.all {
		if !o.reached(ctx, c.done) {
			return o.w.Fail("unanswered", "%s of session %s has no answer", c.mark, c.session)
		}
	}
	return nil
}
