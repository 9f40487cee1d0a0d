package extension

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerAnswers adds the sentences about the answers of commands:
//
//	the extension has answered A with ok         by now; never by waiting for it
//	the extension has answered B1 to B32 and C with busy
//	the extension has answered A with outcome_unknown, 9.75s after it was sent
//	the extension has answered B with ok, 3s after A was sent
//	the extension has answered A with busy, at once
//	the extension has answered A at once         whatever the answer
//	the extension has answered A at once, and not with busy
//	the extension has answered A, B and C in that order
//	the extension has not answered A
//	A has its own value
//	each command was answered once
//	the extension's message for A says "PDF"
func registerAnswers(sc Sentences, x *ext) {
	const names = `([A-Z][0-9]*(?: to [A-Z][0-9]+)?(?:(?:, | and )[A-Z][0-9]*(?: to [A-Z][0-9]+)?)*)`
	sc.Then(`^the extension has answered `+names+` with ([a-z_]+)$`, func(ctx context.Context, who, what string) error {
		return x.hasAnswered(ctx, who, what, "")
	})
	sc.Then(`^the extension has answered `+names+` with ([a-z_]+), (at once|\S+ after (?:it|[A-Z][0-9]*) was sent)$`, x.hasAnswered)
	sc.Then(`^the extension has answered `+names+` at once$`, func(ctx context.Context, who string) error {
		return x.hasAnswered(ctx, who, "", "at once")
	})
	sc.Then(`^the extension has answered ([A-Z][0-9]*) at once, and not with busy$`, x.answeredUnlessBusy)
	sc.Then(`^the extension has answered `+names+` in that order$`, x.answeredInOrder)
	sc.Then(`^the extension has not answered `+names+`$`, x.hasNotAnswered)
	sc.Then(`^`+names+` (?:has its own value|have their own values)$`, x.ownValues)
	sc.Then(`^each command was answered once$`, x.answeredOnce)
	sc.Then(`^the extension says why to `+names+`$`, x.saysWhy)
}

// reply is one result that an extension sent.
type reply struct {
	at     time.Time
	result *protocol.Result
}

// inbox are the results of one connection, as far as they have been read.
type inbox struct {
	read int
	by   map[string][]reply
	// order are the ids in the order in which they came.
	order []string
}

// replies returns the results of a connection so far.
func (x *ext) replies(s *sim.Socket) *inbox {
	in := x.inboxes[s]
	if in == nil {
		in = &inbox{by: map[string][]reply{}}
		x.inboxes[s] = in
	}
	all := s.Heard()
	for _, h := range all[in.read:] {
		if h.Opcode != sim.OpText {
			continue
		}
		frame, err := protocol.DecodeFrame(h.Payload)
		if r, ok := frame.(*protocol.Result); ok && err == nil {
			in.by[r.ID] = append(in.by[r.ID], reply{h.At, r})
			in.order = append(in.order, r.ID)
		}
	}
	in.read = len(all)
	return in
}

// result waits for the answer of a command, in the virtual lane until all has
// come to rest, and at most for the command's time in either.
func (x *ext) result(ctx context.Context, o *command) (*protocol.Result, error) {
	r, ok := x.replyTo(ctx, o)
	if ok {
		return r.result, nil
	}
	// An extension may take its time for what the scene needs.
	for waited := time.Duration(0); waited < o.left; waited += 100 * time.Millisecond {
		if err := x.w.Clock.Elapse(ctx, 100*time.Millisecond); err != nil {
			return nil, err
		}
		if r, ok = x.replyTo(ctx, o); ok {
			return r.result, nil
		}
	}
	return nil, fmt.Errorf("%s was not answered within %s", o, o.left)
}

// replyTo returns the first answer of a command, if it is there by now.
func (x *ext) replyTo(ctx context.Context, o *command) (reply, bool) {
	var all []reply
	ok := x.reached(ctx, func() bool {
		all = x.replies(o.link).by[o.id]
		return len(all) > 0
	})
	if !ok {
		return reply{}, false
	}
	return all[0], true
}

// outcome returns what a result says, as ok or a code.
func outcome(r *protocol.Result) string {
	switch {
	case r.Bad != nil:
		return "what breaks its schema: " + r.Bad.Error()
	case r.OK:
		return "ok"
	}
	return string(r.Error.Code)
}

// ordersNamed returns the commands of a list as "A, B1 to B3 and C".
func (x *ext) ordersNamed(who string) ([]*command, error) {
	var all []*command
	for _, part := range words.Several(who) {
		from, to, isRow := strings.Cut(part, " to ")
		names := []string{from}
		if isRow {
			var err error
			if names, err = namesFrom(from, to); err != nil {
				return nil, err
			}
		}
		for _, name := range names {
			o, ok := x.named[name]
			if !ok {
				return nil, fmt.Errorf("the daemon has sent no command %s", name)
			}
			all = append(all, o)
		}
	}
	return all, nil
}

// conduct says what an extension does with a command, by the scenario's rule.
func (x *ext) conduct() string { return "keeps to the rule: " + x.w.Scenario.Rule.Sentence }

func (x *ext) hasAnswered(ctx context.Context, who, what, when string) error {
	all, err := x.ordersNamed(who)
	if err != nil {
		return err
	}
	for _, o := range all {
		r, ok := x.replyTo(ctx, o)
		if !ok {
			return x.fail("unanswered", x.conduct(), "%s of session %q has no answer %s after it was sent at %s", o, o.session, x.w.Clock.Since(o.sent), x.at(o.sent))
		}
		if got := outcome(r.result); what != "" && got != what {
			return x.fail("not-"+strings.ReplaceAll(what, "_", "-"), x.conduct(), "%s of session %q was answered %s at %s; want %s: %s", o, o.session, got, x.at(r.at), what, quote(r.result))
		}
		if err := x.tookTime(o, r, when); err != nil {
			return err
		}
	}
	return nil
}

func (x *ext) answeredUnlessBusy(ctx context.Context, who string) error {
	if err := x.hasAnswered(ctx, who, "", "at once"); err != nil {
		return err
	}
	if r, _ := x.replyTo(ctx, x.named[who]); outcome(r.result) == string(protocol.Busy) {
		return x.fail("busy", x.conduct(), "%s was answered busy at %s", x.named[who], x.at(r.at))
	}
	return nil
}

// quote returns what an answer says, cut.
func quote(r *protocol.Result) string {
	if r.Error != nil {
		return r.Error.Message
	}
	return fmt.Sprintf("%.200s", r.Data)
}

func (x *ext) tookTime(o *command, r reply, when string) error {
	if when == "" {
		return nil
	}
	var want time.Duration
	since := o.sent
	if text, who, ok := strings.Cut(strings.TrimSuffix(when, " was sent"), " after "); ok {
		var err error
		if want, err = words.Duration(text); err != nil {
			return err
		}
		if who != "it" {
			other, ok := x.named[who]
			if !ok {
				return fmt.Errorf("the daemon has sent no command %s", who)
			}
			since = other.sent
		}
	}
	if err := x.w.Clock.Took(max(0, r.at.Sub(since)), want, grace); err != nil {
		return x.fail("answered-when", x.conduct(), "%s of session %q, sent at %s, was answered %s at %s: %s", o, o.session, x.at(o.sent), outcome(r.result), x.at(r.at), err)
	}
	return nil
}

func (x *ext) answeredInOrder(ctx context.Context, who string) error {
	want, err := x.ordersNamed(who)
	if err != nil {
		return err
	}
	if err := x.hasAnswered(ctx, who, "", ""); err != nil {
		return err
	}
	order := x.replies(want[0].link).order
	at := -1
	for _, o := range want {
		i := slices.Index(order, o.id)
		if i < at {
			return x.fail("order", x.conduct(), "%s was answered before what stood in front of it; the answers came in the order %s", o, listed(order))
		}
		at = i
	}
	return nil
}

func (x *ext) hasNotAnswered(who string) error {
	all, err := x.ordersNamed(who)
	if err != nil {
		return err
	}
	x.w.Clock.Settle()
	for _, o := range all {
		if r := x.replies(o.link).by[o.id]; len(r) > 0 {
			return x.fail("answered-early", x.conduct(), "%s of session %q was answered %s at %s, %s after it was sent: %s",
				o, o.session, outcome(r[0].result), x.at(r[0].at), r[0].at.Sub(o.sent), quote(r[0].result))
		}
	}
	return nil
}

func (x *ext) ownValues(ctx context.Context, who string) error {
	all, err := x.ordersNamed(who)
	if err != nil {
		return err
	}
	for _, o := range all {
		if o.value == "" {
			return errors.New("an evaluate alone has a value of its own")
		}
		r, ok := x.replyTo(ctx, o)
		if !ok {
			return x.fail("unanswered", x.conduct(), "%s has no answer", o)
		}
		if value, _ := protocol.Arg(r.result.Data, "value"); !r.result.OK || string(value) != o.value {
			return x.fail("not-its-own", x.conduct(), "%s was answered %s at %s; its own value is %s: %s", o, outcome(r.result), x.at(r.at), o.value, quote(r.result))
		}
	}
	return nil
}

func (x *ext) answeredOnce() error {
	x.w.Clock.Settle()
	for _, o := range x.orders {
		if n := len(x.replies(o.link).by[o.id]); n != 1 {
			return x.fail("answered-once", "answers each command once", "%s of session %q was answered %d times", o, o.session, n)
		}
	}
	return nil
}

func (x *ext) saysWhy(ctx context.Context, who string) error {
	all, err := x.ordersNamed(who)
	if err != nil {
		return err
	}
	for _, o := range all {
		r, ok := x.replyTo(ctx, o)
		if !ok || r.result.Error == nil || strings.TrimSpace(r.result.Error.Message) == "" {
			return x.fail("says-nothing", "says in the error's message what is wrong and what to do", "%s was answered without a message", o)
		}
	}
	return nil
}
