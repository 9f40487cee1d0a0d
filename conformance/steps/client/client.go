// Package client is what the sentences mean that judge the client of an agent.
// The suite plays the daemon; what is judged is what the client sends there,
// and what it would tell its user (KIT-11).
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/driver"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/watch"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/door"
)

// Sentences is where sentences are registered.
type Sentences interface {
	Given(expr string, does any)
	When(expr string, does any)
	Then(expr string, does any)
}

// Register adds the sentences of one scenario. Those of one matter stand in a
// file of their own, listed at its register function.
func Register(sc Sentences, w *world.World) {
	c := &scene{w: w, named: map[string]*wish{}}
	sc.Given(`^a client of a daemon$`, func(ctx context.Context) error { return c.launch(ctx, door.Proven) })
	sc.Given(`^a client of a stranger that shows (no proof|a proof made with another token)$`, c.ofStranger)
	sc.Given(`^a client of a daemon that takes another token$`, c.ofOther)
	sc.When(`^the client is asked for an? (\w+)(?: (A|B) of session "([^"]*)")?(?: with the timeout (\S+))?$`, c.isAsked)
	sc.When(`^the client is asked for an? (\w+), an? (\w+), an? (\w+) and an? (\w+)$`, c.isAskedForFour)
	sc.Then(`^the client says (ok|error|unknown)(?: with (\w+))?$`, c.says)
	sc.Then(`^the client says (ok|error|unknown)(?: with (\w+))? of (A|B)$`, c.saysOf)
	sc.Then(`^the daemon has received the (\w+) once$`, c.receivedOnce)
	sc.Then(`^the daemon has received each of them once$`, c.receivedEachOnce)
	sc.Then(`^the daemon has received each of them$`, c.receivedEach)
	sc.When(`^the daemon has received (A|B)$`, c.hasReceived)
	registerDaemon(sc, c)
	registerTime(sc, c)
	registerTraffic(sc, c)
}

// scene is what the sentences about a client share. Steps run one after the
// other.
type scene struct {
	w     *world.World
	token string
	// other is the token that the daemon takes, if not the client's.
	other string

	door   *door.Door
	driven target.Driven
	judge  *watch.Judge
	manner manner

	asked []*wish
	named map[string]*wish
}

// wish is one command that the client is asked for.
type wish struct {
	action, session string
	at              time.Time
	// within is the time that it has.
	within time.Duration
	done   <-chan driver.Done
	// said is what the client said of it, once it has.
	said *driver.Done
	// told is when that was seen.
	told time.Time
	// args are its arguments, decoded; no other command has the same.
	args any
}

func (c *scene) ofStranger(ctx context.Context, shows string) error {
	proof := door.Missing
	if shows != "no proof" {
		proof = door.Wrong
	}
	return c.launch(ctx, proof)
}

func (c *scene) ofOther(ctx context.Context) error {
	c.other = randomToken(c.w)
	// It proves what the client has, or the client would not speak to it.
	return c.launch(ctx, door.Proven)
}

func randomToken(w *world.World) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	token := make([]byte, 43)
	w.Rand(func(r *rand.Rand) {
		for i := range token {
			token[i] = letters[r.IntN(len(letters))]
		}
	})
	return string(token)
}

// launch opens the door that the suite plays and starts the client before it.
func (c *scene) launch(ctx context.Context, proof door.Proof) error {
	c.token = randomToken(c.w)
	c.w.Transcript.Secret(c.token)
	c.judge = watch.New(func() []string { return []string{c.token} })
	c.door = door.New(door.Config{Token: c.token, Accept: c.other, Proof: proof, Answer: c.answer, Observe: c.observe})
	ln, err := c.w.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	serve, stop := context.WithCancel(context.WithoutCancel(ctx))
	served := make(chan error, 1)
	go func() { served <- c.door.Serve(serve, ln) }()
	c.w.Cleanup(func() error {
		stop()
		return <-served
	})
	c.driven, err = c.w.Launch(ctx, target.ClientSetup{URL: "http://" + ln.Addr().String(), Token: c.token})
	return err
}

// observe tells the judge and the transcript of a request, and of its end.
func (c *scene) observe(q door.Request) {
	if q.Ended.IsZero() {
		c.judge.Asked(watch.Asked{Seq: q.Seq, At: q.At, Method: q.Method, Target: q.Target, Header: q.Header, Body: q.Body})
		c.w.Transcript.Received("daemon", fmt.Appendf(nil, "%s %s\n%s", q.Method, q.Target, q.Body))
		return
	}
	c.judge.Answered(watch.Answered{Seq: q.Seq, At: q.Ended, Status: q.Status, Header: q.AnswerHeader, Body: q.Answer})
	if q.Status == 0 {
		c.w.Transcript.Note("daemon", "no answer to request %d", q.Seq)
		return
	}
	c.w.Transcript.Sent("daemon", fmt.Appendf(nil, "%d %s\n%s", q.Status, http.StatusText(q.Status), q.Answer))
}

// arguments are what a command of that action is asked with; the mark stands in
// them.
func arguments(action, mark string) (string, error) {
	switch action {
	case "navigate":
		return fmt.Sprintf(`{"url":"http://shop.test/%s"}`, mark), nil
	case "click", "hover", "dblclick":
		return fmt.Sprintf(`{"selector":"#%s"}`, mark), nil
	case "type":
		return fmt.Sprintf(`{"selector":"#%s","text":"green tea"}`, mark), nil
	case "press":
		return fmt.Sprintf(`{"key":"Enter","ref":"@e%s"}`, strings.TrimPrefix(mark, "m")), nil
	case "evaluate":
		return fmt.Sprintf(`{"code":"order('%s')"}`, mark), nil
	case "snapshot":
		return fmt.Sprintf(`{"selector":"#%s"}`, mark), nil
	}
	return "", fmt.Errorf("no arguments are known for %q", action)
}

// ask asks the client for a command.
func (c *scene) ask(action, session string, timeout time.Duration) (*wish, error) {
	mark := fmt.Sprintf("m%d", len(c.asked)+1)
	args, err := arguments(action, mark)
	if err != nil {
		return nil, err
	}
	o := &wish{action: action, session: session, at: c.w.Clock.Now(), within: cmp.Or(timeout, protocol.DefaultLimits().DefaultTimeout)}
	if err := json.Unmarshal([]byte(args), &o.args); err != nil {
		return nil, err
	}
	c.w.Transcript.Note("client", "asked for %s %s", action, args)
	o.done, err = c.driven.Do(driver.Do{
		Action: action, Args: json.RawMessage(args), Session: session, TimeoutMS: int(timeout.Milliseconds()),
	})
	if err != nil {
		return nil, err
	}
	c.asked = append(c.asked, o)
	return o, nil
}

func (c *scene) isAsked(_ context.Context, action, name, session, timeout string) error {
	var within time.Duration
	if timeout != "" {
		var err error
		if within, err = time.ParseDuration(timeout); err != nil {
			return err
		}
	}
	if session == "" {
		session = "shop"
	}
	o, err := c.ask(action, session, within)
	if err != nil {
		return err
	}
	if name != "" {
		c.named[name] = o
	}
	return nil
}

func (c *scene) isAskedForFour(ctx context.Context, first, second, third, fourth string) error {
	for _, action := range []string{first, second, third, fourth} {
		o, err := c.ask(action, "shop", 0)
		if err != nil {
			return err
		}
		if err := c.await(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// patience is how long a client may take beyond the time that a command has:
// its own wait ends after the daemon's.
const patience = 15 * time.Second

// await waits until the client has said what came of a command.
func (c *scene) await(ctx context.Context, o *wish) error {
	if o.said != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, o.within+patience)
	defer cancel()
	select {
	case done, ok := <-o.done:
		if !ok {
			return errors.New("the client ended before it said what came of the command")
		}
		o.said, o.told = &done, c.w.Clock.Now()
		c.w.Transcript.Note("client", "says %s %s of %s", done.Outcome, done.Code, o.action)
		return nil
	case <-ctx.Done():
		return c.w.Fail("says-nothing", "the client says nothing of %s %s after its time of %s is over", o.action, patience, o.within)
	}
}

func (c *scene) says(ctx context.Context, outcome, code string) error {
	return c.judged(ctx, c.asked[len(c.asked)-1], outcome, code)
}

func (c *scene) saysOf(ctx context.Context, outcome, code, name string) error {
	return c.judged(ctx, c.named[name], outcome, code)
}

func (c *scene) judged(ctx context.Context, o *wish, outcome, code string) error {
	if err := c.await(ctx, o); err != nil {
		return err
	}
	if string(o.said.Outcome) != outcome {
		return c.w.Fail("misread", "the client says %s of %s; what the daemon told it means %s", o.said.Outcome, o.action, outcome)
	}
	if code != "" && o.said.Code != "" && o.said.Code != code {
		return c.w.Fail("misread-code", "the client says the error is %s; the daemon's is %s", o.said.Code, code)
	}
	return nil
}

// received are the requests to /command that ask for what o was asked for,
// whatever the spelling of their JSON.
func (c *scene) received(o *wish) []door.Request {
	var all []door.Request
	for _, q := range c.door.Requests() {
		var body struct {
			Args any `json:"args"`
		}
		if strings.HasPrefix(q.Target, "/command") && json.Unmarshal(q.Body, &body) == nil && reflect.DeepEqual(body.Args, o.args) {
			all = append(all, q)
		}
	}
	return all
}

func (c *scene) receivedOnce(_ context.Context, action string) error {
	for _, o := range slices.Backward(c.asked) {
		if o.action == action {
			return c.once(o)
		}
	}
	return fmt.Errorf("the client was asked for no %s", action)
}

func (c *scene) receivedEachOnce(context.Context) error {
	for _, o := range c.asked {
		if err := c.once(o); err != nil {
			return err
		}
	}
	return nil
}

func (c *scene) once(o *wish) error {
	switch n := len(c.received(o)); {
	case n == 0:
		return c.w.Fail("not-sent", "the client was asked for %s and the daemon received none", o.action)
	case n > 1:
		return c.w.Fail("sent-again", "the client was asked for %s once, and the daemon received it %d times", o.action, n)
	}
	return nil
}

func (c *scene) receivedEach(context.Context) error {
	for _, o := range c.asked {
		if len(c.received(o)) == 0 {
			return c.w.Fail("not-sent", "the client was asked for %s and the daemon received none", o.action)
		}
	}
	return nil
}

// hasReceived waits until a command has reached the daemon, so that what is asked
// next comes next.
func (c *scene) hasReceived(ctx context.Context, name string) error {
	o := c.named[name]
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := c.door.Await(ctx, func([]door.Request) bool { return len(c.received(o)) > 0 }); err != nil {
		return c.w.Fail("not-sent", "the client was asked for %s and the daemon received none within %s", o.action, patience)
	}
	return nil
}
