package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerAnswers(sc sentences, a *auth) {
	sc.Then(`^(?:it|every one) is turned away as unauthorized$`, a.isUnauthorized)
	sc.Then(`^(?:it|every one) is turned away with (\d+)$`, a.isTurnedAwayWith)
	sc.Then(`^(?:it|every one) is turned away$`, a.isTurnedAway)
	sc.Then(`^(?:it|every one) is let in$`, a.isLetIn)
	sc.Then(`^no browser was asked for anything$`, a.isUntouched)
}

// judge calls f for each request of the last When, which was answered.
func (a *auth) judge(f func(e *exchange) error) error {
	return a.each(func(e *exchange) error {
		if e.cut {
			return a.unanswered(e)
		}
		return f(e)
	})
}

// each calls f for each request of the last When.
func (a *auth) each(f func(e *exchange) error) error {
	if len(a.heard) == 0 {
		return errors.New("nothing was asked yet")
	}
	for i := range a.heard {
		if err := f(&a.heard[i]); err != nil {
			return err
		}
	}
	return nil
}

// isUnauthorized wants 401 and its code, of every answer that has a body.
func (a *auth) isUnauthorized() error {
	return a.judge(func(e *exchange) error {
		if err := a.turnedAway(e, http.StatusUnauthorized); err != nil {
			return err
		}
		if code, _ := refusal(e.answer); code != protocol.Unauthorized && e.request.Method != http.MethodHead {
			return a.w.Fail("code", "%s is refused with the code %q instead of %q", e, code, protocol.Unauthorized)
		}
		return nil
	})
}

func (a *auth) isTurnedAwayWith(status int) error {
	return a.judge(func(e *exchange) error { return a.turnedAway(e, status) })
}

func (a *auth) turnedAway(e *exchange, statuses ...int) error {
	switch got := e.answer.Status; {
	case slices.Contains(statuses, got):
		return nil
	case in(got):
		return a.w.Fail("let-in", "%s is let in: it is answered with %d instead of %d", e, got, statuses)
	default:
		return a.w.Fail("status", "%s is refused with %d instead of %d", e, got, statuses)
	}
}

// in reports whether a status says that the request was let in.
func in(status int) bool { return status == http.StatusSwitchingProtocols || status/100 == 2 }

// isLetIn wants whatever is no verdict on who asks: the path may be unknown and
// the browser's place taken.
func (a *auth) isLetIn() error {
	return a.judge(func(e *exchange) error { return a.letIn(e) })
}

func (a *auth) letIn(e *exchange) error {
	switch e.answer.Status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
		return a.w.Fail("turned-away", "%s is refused with %d, and nothing is wrong with it", e, e.answer.Status)
	}
	return nil
}

// isTurnedAway wants any refusal that blames the caller.
func (a *auth) isTurnedAway() error {
	return a.judge(func(e *exchange) error {
		if e.answer.Status/100 != 4 {
			return a.w.Fail("let-in", "%s is answered with %d instead of a refusal", e, e.answer.Status)
		}
		return nil
	})
}

// isUntouched wants that no connected browser was asked for anything. In the
// real lane a command behind it shows that nothing is still on its way.
func (a *auth) isUntouched(ctx context.Context) error {
	if len(a.browsers) == 0 {
		return errors.New("no browser is connected")
	}
	a.w.Clock.Settle()
	for name, b := range a.browsers {
		sent, err := a.probe(ctx, b)
		if err != nil {
			return err
		}
		if n := b.touched.Load(); n != sent {
			return a.w.Fail("reached-browser", "%s was asked for something %d times", name, n-sent)
		}
	}
	return nil
}

// probe sends a command through the daemon to the browser, unless this lane
// needs none, and returns how many messages that makes.
func (a *auth) probe(ctx context.Context, b *browser) (int64, error) {
	if a.w.Clock.Exact() {
		return 0, nil
	}
	r, err := a.letter(ctx, "POST /command")
	if err != nil {
		return 0, err
	}
	r.Body = fmt.Appendf(nil, `{"action":"tabs","browser":%q}`, b.Profile().Browser)
	e, err := a.send(ctx, r)
	if err != nil {
		return 0, err
	}
	if ans, err := sim.ParseAnswer(e.answer); err != nil || !ans.OK {
		return 0, fmt.Errorf("a command that should follow was answered with %d", e.answer.Status)
	}
	return 1, nil
}

// refusal returns the code and the message of an answer's error, "" if it has
// none.
func refusal(r sim.Response) (protocol.Code, string) {
	ans, err := sim.ParseAnswer(r)
	if err != nil {
		return "", ""
	}
	return ans.Code, ans.Message
}
