package extension

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/record"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// registerRecordings adds the sentences about tapes that are recorded (KIT-08):
//
//	a recorder stands before the daemon          before the extension is started
//	the daemon sends an evaluate A whose value is "hunter2"
//	the daemon sends an evaluate A whose value is the token
//	the recorded tape says "hunter2"             does not say
//	the recorded tape does not say the token
//	the simulator plays the recorded tape        the daemon sends what it sent before, when it did
//	the daemon has heard the same answers again  at the same times
func registerRecordings(sc Sentences, p *tapes) {
	r := &recording{tapes: p}
	sc.Given(`^a recorder stands before the daemon$`, r.stands)
	sc.When(`^the daemon sends an evaluate ([A-Z][0-9]*) whose value is (`+words.Quoted+`|the token)$`, r.sendsValue)
	sc.When(`^the simulator plays the recorded tape$`, r.plays)
	sc.Then(`^the recorded tape says (`+words.Quoted+`)$`, func(text string) error { return r.says(text, true) })
	sc.Then(`^the recorded tape does not say (`+words.Quoted+`|the token)$`, func(text string) error { return r.says(text, false) })
	sc.Then(`^the daemon has heard the same answers again$`, r.sameAgain)
}

// recording is a recorder between the extension under test and the daemon.
type recording struct {
	*tapes
	recorder *record.Recorder
	// first are the commands that went over the recorder.
	first []*command
}

func (r *recording) stands(ctx context.Context) error {
	d, err := r.daemon(ctx)
	if err != nil {
		return err
	}
	ln, err := r.w.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	r.recorder = record.New(record.Config{Upstream: d.Addr(), Dial: r.w.Dial, Title: "What happened"})
	r.via = ln.Addr().String()
	// The recorder outlives ctx, which is the one of a step.
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	over := make(chan error, 1)
	go func() { over <- r.recorder.Serve(run, ln) }()
	r.w.Cleanup(func() error {
		cancel()
		return <-over
	})
	return nil
}

// recorded is the tape, as it is read from the file that it would be.
func (r *recording) recorded() (*tape.Tape, error) {
	t, err := r.recorder.Tape()
	if err != nil {
		return nil, err
	}
	again, err := tape.Parse("recorded", t.Format())
	if err != nil {
		return nil, r.fail("no-tape", "records a tape", "what was recorded is none: %s", err)
	}
	return again, nil
}

const doesRecord = "records what happened, and no secret"

// text is what a sentence has in quotes, or the token.
func (r *recording) text(quoted string) (string, error) {
	if quoted == "the token" {
		return r.token, nil
	}
	var text string
	err := json.Unmarshal([]byte(quoted), &text)
	return text, err
}

func (r *recording) sendsValue(name, quoted string) error {
	link, err := r.link()
	if err != nil {
		return err
	}
	text, err := r.text(quoted)
	if err != nil {
		return err
	}
	args, err := json.Marshal(map[string]string{"code": strconv.Quote(text)})
	if err != nil {
		return err
	}
	r.send(link, &command{name: name, action: "evaluate", session: "shop", left: usualLeft, args: args})
	r.w.Clock.Settle()
	return nil
}

func (r *recording) says(quoted string, want bool) error {
	text, err := r.text(quoted)
	if err != nil {
		return err
	}
	t, err := r.recorded()
	if err != nil {
		return err
	}
	if got := strings.Contains(string(t.Format()), text); got != want {
		return r.fail("says", doesRecord, "the recorded tape says %s: %t; want %t: %s", quoted, got, want, t.Format())
	}
	return nil
}

func (r *recording) plays(ctx context.Context) error {
	t, err := r.recorded()
	if err != nil {
		return err
	}
	r.tape, r.first = t, r.orders
	for _, o := range r.first {
		welcomed, _ := o.link.Welcomed()
		again := command{name: o.name, action: o.action, session: o.session, args: o.args, left: o.left}
		r.later = append(r.later, cue{again, o.sent.Sub(welcomed)})
	}
	return r.perform(ctx, t)
}

func (r *recording) sameAgain() error {
	if len(r.orders) != 2*len(r.first) || len(r.first) == 0 {
		return fmt.Errorf("the daemon has sent %d commands, and then %d", len(r.first), len(r.orders)-len(r.first))
	}
	// What has the same instant has no order of its own.
	for _, was := range r.first {
		var is *command
		for _, o := range r.orders[len(r.first):] {
			if o.name == was.name && o.action == was.action {
				is = o
			}
		}
		before, after := r.replies(was.link).by[was.id], r.replies(is.link).by[is.id]
		if len(before) != len(after) {
			return r.fail("again", doesTape, "%s was answered %d times, and %d times when the tape of it was played", was, len(before), len(after))
		}
		for i := range before {
			if a, b := said(before[i]), said(after[i]); a != b {
				return r.fail("again", doesTape, "%s was answered %s, and %s when the tape of it was played", was, a, b)
			}
			if err := r.near(sinceWelcome(is.link, after[i].at), sinceWelcome(was.link, before[i].at)); err != nil {
				return r.fail("again-time", doesTape, "%s was answered at another time when the tape of it was played: %s", was, err)
			}
		}
	}
	return nil
}

// said is what an answer says.
func said(r reply) string { return outcome(r.result) + " " + string(r.result.Data) }

func sinceWelcome(s *sim.Socket, t time.Time) time.Duration {
	welcomed, _ := s.Welcomed()
	return t.Sub(welcomed)
}
