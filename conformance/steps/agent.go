package steps

import (
	"context"
	"errors"
	"fmt"

	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerAgent(sc sentences, s *scene) {
	sc.Step(`^the agent sends `+phrase+`$`, s.agentSends)
	sc.When(`^(Chrome|Firefox) asks for `+phrase+`$`, s.asksFor)
	sc.Step(`^`+phrase+` that (Chrome|Firefox) (answers|answers with [a-z_]+|answers after \S+|works on|never answers)$`, s.sent)
	sc.Then(`^the agent sends `+phrase+` that (Chrome|Firefox) (answers)$`, s.sent)
}

func (s *scene) agentSends(ctx context.Context, text string) error {
	sp, err := parsePhrase(text)
	if err != nil {
		return err
	}
	_, err = s.send(ctx, s.newCommand(sp, behaviour{}))
	return err
}

func (s *scene) asksFor(ctx context.Context, name, text string) error {
	b, err := s.of(name)
	if err != nil {
		return err
	}
	sp, err := parsePhrase(text)
	if err != nil {
		return err
	}
	return s.ask(b, s.newCommand(sp, behaviour{}))
}

// sent sends a command whose part in the scenario is that the browser has it,
// and for some that it is answered. What goes wrong with it is no check.
func (s *scene) sent(ctx context.Context, text, name, does string) error {
	sp, err := parsePhrase(text)
	if err != nil {
		return err
	}
	d, err := parseBehaviour(does)
	if err != nil {
		return err
	}
	b, err := s.of(name)
	if err != nil {
		return err
	}
	c := s.newCommand(sp, d)
	if _, err := s.send(ctx, c); err != nil {
		return err
	}
	_, by, err := s.received(ctx, c)
	switch {
	case err != nil:
		s.w.Transcript.Does(string(browserNamed(name)), "expect %s within=0s", c.mark)
		if c.done() {
			return fmt.Errorf("%w; the agent was told %s", err, told(c))
		}
		return err
	case by != b:
		return fmt.Errorf("%s has reached another browser than %s", c, name)
	}
	return s.ended(ctx, c, d)
}

// ended waits for the answer of a command that the browser answers at once.
func (s *scene) ended(ctx context.Context, c *command, d behaviour) error {
	var want string
	switch d.kind {
	case answersAtOnce:
	case fails:
		want = d.code
	default:
		return nil
	}
	if want == "" {
		s.w.Transcript.Does("agent", "expect %s ok", c.mark)
	} else {
		s.w.Transcript.Does("agent", "expect %s error=%s", c.mark, want)
	}
	if !s.reached(ctx, c.done) {
		return fmt.Errorf("%s was not answered", c)
	}
	if c.err != nil || string(c.answer.Code) != want {
		return fmt.Errorf("%s was told %s", c, told(c))
	}
	return nil
}

// send sends a command over HTTP on a connection of its own, which stays open
// until it is answered or the scenario ends, and lets everything come to rest.
func (s *scene) send(ctx context.Context, c *command) (*command, error) {
	return c, s.post(ctx, c, c.body(c.mark))
}

// post is send with a body that need not be that of c.
func (s *scene) post(ctx context.Context, c *command, body string) error {
	return s.dispatch(ctx, c, sim.Post("/command", body))
}

// dispatch sends a request whole, as the command c, and lets everything come
// to rest.
func (s *scene) dispatch(ctx context.Context, c *command, r sim.Request) error {
	if err := s.open(ctx, c, r); err != nil {
		return err
	}
	s.begin(c)
	s.w.Clock.Settle()
	return nil
}

// begin writes the request of an open command.
func (s *scene) begin(c *command) {
	c.sent = s.w.Clock.Now()
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		// What becomes of the request is told by its answer, or by there being none.
		_ = c.call.SendAll()
	}()
	s.w.Cleanup(func() error {
		_ = c.call.Close()
		<-wrote
		return nil
	})
}

// open connects for a command and reads what comes on the connection. Nothing
// is sent yet.
func (s *scene) open(ctx context.Context, c *command, r sim.Request) error {
	a, err := s.agent(ctx)
	if err != nil {
		return err
	}
	if c.call, err = a.Start(ctx, r); err != nil {
		return err
	}
	s.w.Transcript.SentAs("agent", c.mark, []byte(r.Method+" "+r.Target+"\n"+string(r.Body)))
	s.w.Honesty.Asked(c.mark)
	go s.read(c)
	s.w.Cleanup(func() error {
		_ = c.call.Close()
		<-c.over
		return nil
	})
	return nil
}

// read reads the answer of a command until its connection ends.
func (s *scene) read(c *command) {
	defer close(c.over)
	resp, err := c.call.Read(context.Background())
	if err != nil {
		c.err = err
		s.w.Transcript.Note("agent", "%s got no answer: %v", c.mark, err)
		return
	}
	s.w.Transcript.Received("agent", fmt.Appendf(nil, "%d\n%s", resp.Status, resp.Body))
	if c.answer, c.err = sim.ParseAnswer(resp); c.err != nil && resp.Status < 400 {
		return
	}
	s.w.Honesty.Answered(c.mark, c.heard())
}

// answerOf is what an answer means for the starts of its command.
func answerOf(a sim.Answer) world.Answer {
	return world.AnswerTo(a.Status, a.OK, string(a.Code), string(a.Delivered))
}

// heard is answerOf for the answer of c. The daemon itself may close a session
// that no browser has.
func (c *command) heard() world.Answer {
	if c.action == "close_session" && c.answer.OK {
		return world.Uncertain
	}
	return answerOf(c.answer)
}

// ask sends a command as a request of a browser's extension (CMD-13).
func (s *scene) ask(b *browser, c *command) error { return s.request(b, c, c.body(c.mark)) }

// request is ask with a frame that need not be that of c.
func (s *scene) request(b *browser, c *command, body string) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	s.w.Honesty.Asked(c.mark)
	c.sent = s.w.Clock.Now()
	go func() {
		defer close(c.over)
		r, err := b.Request(ctx, []byte(body))
		if err != nil {
			c.err = err
			return
		}
		c.answer = sim.Answer{Status: 200, ID: r.ID, OK: r.OK, Data: r.Data, At: s.w.Clock.Now()}
		if e := r.Error; e != nil {
			c.answer.Code, c.answer.Message, c.answer.Delivered = e.Code, e.Message, e.Delivered
		}
		if r.Bad != nil {
			c.err = r.Bad
		}
		if c.refusedAsFrame() {
			s.w.Honesty.Answered(c.mark, world.Refused)
			return
		}
		s.w.Honesty.Answered(c.mark, c.heard())
	}()
	s.w.Cleanup(func() error {
		cancel(errors.New("the scenario is over"))
		<-c.over
		return nil
	})
	s.w.Clock.Settle()
	return nil
}

// refusedAsFrame reports whether a request frame was refused by the checks of
// the gate, which have no status there.
func (c *command) refusedAsFrame() bool {
	switch c.answer.Code {
	case protocol.BadRequest, protocol.TooLarge, protocol.Conflict:
		return true
	}
	return false
}

// told says what the agent was told about a command that is over.
func told(c *command) string {
	switch {
	case !c.done():
		return "nothing yet"
	case c.err != nil:
		return "nothing it understands: " + c.err.Error()
	case c.answer.OK:
		return fmt.Sprintf("ok %.300s", c.answer.Data)
	}
	return fmt.Sprintf("%d %s, delivered %q: %s", c.answer.Status, c.answer.Code, c.answer.Delivered, c.answer.Message)
}

// probe is the name of the commands that the stage sends by itself.
const probe = "probe"

// probes sends a command to a browser, in a session of its own that it does not
// bind, which must be answered: whatever was on its way to that browser before
// is there then.
func (s *scene) probes(ctx context.Context, name string) error {
	sp := spec{action: "tabs", name: probe, session: `"probe of ` + name + `"`, timeout: usualTimeout}
	sp.browser, sp.saysBrowser = `"`+string(browserNamed(name))+`"`, true
	c := s.newCommand(sp, behaviour{})
	if _, err := s.send(ctx, c); err != nil {
		return err
	}
	if err := s.ended(ctx, c, c.does); err != nil {
		return fmt.Errorf("the probe behind it: %w", err)
	}
	return nil
}
