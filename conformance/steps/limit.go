package steps

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// registerLimits adds the sentences of the LIMIT chapter:
//
//	128 evaluates that Chrome is working on      in sessions busy-0 to busy-7
//	16 dialogs that Chrome is working on         each in a session of its own
//	one of the evaluates is answered             the oldest
//	20 tabs that were answered                   one after the other
//	127 sessions in Chrome                       s-0 to s-126, each with a command
//	nothing but the evaluates has reached Chrome
//	it is told when to try again                 by Retry-After
//	the agent sends the internal action artifact_close
func registerLimits(sc sentences, s *scene) {
	l := &limits{scene: s}
	sc.Given(`^([0-9]+) (evaluate|dialog)s that (Chrome|Firefox) is working on$`, l.manyHeld)
	sc.When(`^one of the (?:evaluates|dialogs) is answered$`, l.oneAnswered)
	sc.Given(`^([0-9]+) tabs that were answered$`, l.manyTabs)
	sc.Given(`^([0-9]+) sessions in (Chrome|Firefox)$`, l.manySessions)
	sc.Then(`^nothing but the (?:evaluates|dialogs) has reached (Chrome|Firefox)$`, l.onlyHeld)
	sc.Then(`^it is told when to try again$`, l.toldWhen)
	sc.When(`^the agent sends the internal action ([a-z_]+)$`, l.internal)
	registerRequests(sc, s)
	registerPayload(sc, s)
}

// limits is what the sentences about many commands share.
type limits struct {
	*scene
	held []*command
}

// perSession is how many commands of one session are held at a time, less than
// the extension lets wait.
const perSession = 16

func (l *limits) manyHeld(ctx context.Context, count, action, name string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	for i := range n {
		session := fmt.Sprintf("busy-%d", i/perSession)
		if action == "dialog" {
			session = fmt.Sprintf("busy-%d", i)
		}
		c, err := l.plain(ctx, action, session, name, behaviour{kind: worksOn})
		if err != nil {
			return err
		}
		l.held = append(l.held, c)
	}
	for _, c := range l.held {
		if _, _, err := l.received(ctx, c); err != nil {
			return fmt.Errorf("%w; the agent was told %s", err, toldBy(c))
		}
	}
	return nil
}

// toldBy is told for a command that may not be over.
func toldBy(c *command) string {
	if !c.done() {
		return "nothing yet"
	}
	return told(c)
}

// plain sends a command that says everything that could be a default.
func (l *limits) plain(ctx context.Context, action, session, browser string, does behaviour) (*command, error) {
	sp := spec{action: action, session: strconv.Quote(session), timeout: usualTimeout}
	sp.browser, sp.saysBrowser = strconv.Quote(string(browserNamed(browser))), true
	return l.send(ctx, l.newCommand(sp, does))
}

func (l *limits) oneAnswered(ctx context.Context) error {
	if len(l.held) == 0 {
		return fmt.Errorf("no command is held")
	}
	c := l.held[0]
	got, by, err := l.received(ctx, c)
	if err != nil {
		return err
	}
	r := protocol.Result{ID: got.ID, OK: true, Data: c.value()}
	if err := by.SendText(r.AppendTo(nil)); err != nil {
		return fmt.Errorf("let the browser answer: %w", err)
	}
	if !l.reached(ctx, c.done) {
		return fmt.Errorf("%s was not answered", c)
	}
	return nil
}

func (l *limits) manyTabs(ctx context.Context, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	for range n {
		if err := l.quick(ctx, "tabs", "shop", l.main.Title()); err != nil {
			return err
		}
	}
	return nil
}

func (l *limits) manySessions(ctx context.Context, count, name string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	for i := range n {
		if err := l.quick(ctx, "click", fmt.Sprintf("s-%d", i), name); err != nil {
			return err
		}
	}
	return nil
}

// quick sends a command and waits until it is answered ok.
func (l *limits) quick(ctx context.Context, action, session, browser string) error {
	c, err := l.plain(ctx, action, session, browser, behaviour{})
	if err != nil {
		return err
	}
	return l.ended(ctx, c, c.does)
}

func (l *limits) onlyHeld(ctx context.Context, name string) error {
	return l.receivedJust(ctx, name, l.held, "busy-and-sent")
}

func (l *limits) toldWhen(ctx context.Context) error {
	c, err := l.command("it")
	if err != nil {
		return err
	}
	if !l.reached(ctx, c.done) {
		return l.w.Fail("unanswered", "%s has no answer", c)
	}
	after := strings.TrimSpace(c.answer.Response.Header.Get("Retry-After"))
	if n, err := strconv.Atoi(after); err != nil || n < 0 {
		return l.w.Fail("retry-after", "the refusal says Retry-After %q; want a number of seconds (RFC 9110 §10.2.3)", after)
	}
	return nil
}

func (l *limits) internal(ctx context.Context, action string) error {
	sp := spec{action: action, session: `"shop"`, timeout: usualTimeout, args: `{"artifact":"a"}`}
	_, err := l.send(ctx, l.newCommand(sp, behaviour{}))
	return err
}
