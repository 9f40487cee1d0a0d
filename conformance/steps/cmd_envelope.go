package steps

import (
	"context"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerEnvelopes adds the sentences about what a request is made of: its
// size, its id, its JSON and the time that it has. Several are tables, of which
// each row is a request of its own, sent when the one before it was answered:
//
//	the agent sends these bodies:                    body, says
//	the agent sends clicks with these fields:        field, value, says
//	the agent sends commands with these arguments:   action, args, says
//	Chrome asks for these:                           request, says
//	each is refused with 400 bad_request, and its error says what is wrong
//	each is answered bad_request with its own id, and its error says what is wrong
//	each is answered ok
//
// The cells hold bytes as they are to be sent, but for CLICK, a good click, MARK,
// what its arguments carry so that it is known again, and what stands between ⟨
// and ⟩: bytes by their hexadecimal digits, ⟨C3 28⟩, or a text many times, ⟨[×64⟩.
// What a cell says, separated by " and ", is said by the error in any case; in
// the second table it says the field's name, too.
func registerEnvelopes(sc sentences, s *scene) {
	e := &envelopes{scene: s}
	sc.When(`^the agent sends these bodies:$`, e.sendsBodies)
	sc.When(`^the agent sends clicks with these fields:$`, e.sendsFields)
	sc.When(`^the agent sends commands with these arguments:$`, e.sendsArguments)
	sc.When(`^(Chrome|Firefox) asks for these:$`, e.asksForThese)
	sc.Then(`^each is refused with 400 bad_request, and its error says what is wrong$`, e.areRefused)
	sc.Then(`^each is answered bad_request with its own id, and its error says what is wrong$`, e.areRefusedOnLink)
	sc.Then(`^each is answered ok$`, e.areGood)
	registerEnvelopeTexts(sc, e)
	registerSizes(sc, e)
	registerIDs(sc, e)
	registerToldTimes(sc, e)
}

// envelopes is what those sentences share.
type envelopes struct {
	*scene
	rows []*row
	// ids are those that the answers to many commands without one carried, in
	// the order in which they were asked for.
	ids []string
}

// row is a request of a table.
type row struct {
	*command
	body string
	// says are the words of which its error holds each.
	says []string
}

func (r *row) String() string { return fmt.Sprintf("%.200q", r.body) }

var inBytes = regexp.MustCompile(`⟨([^⟩]*)⟩`)

// written returns the bytes that a cell stands for, as the command c.
func (c *command) written(cell string) (string, error) {
	cell = strings.NewReplacer("CLICK", c.body(c.mark), "MARK", c.mark).Replace(cell)
	var bad error
	cell = inBytes.ReplaceAllStringFunc(cell, func(text string) string {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "⟨"), "⟩")
		if what, times, ok := strings.Cut(text, "×"); ok {
			n, err := strconv.Atoi(times)
			if err != nil {
				bad = fmt.Errorf("⟨%s⟩ says no number", text)
				return ""
			}
			return strings.Repeat(what, n)
		}
		b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			bad = fmt.Errorf("⟨%s⟩ are no bytes: %w", text, err)
		}
		return string(b)
	})
	return cell, bad
}

// cells returns the rows of a table behind its head, by the names of the head.
func cells(table *godog.Table) ([]map[string]string, error) {
	if len(table.Rows) < 2 {
		return nil, fmt.Errorf("the table has no rows")
	}
	var all []map[string]string
	for _, r := range table.Rows[1:] {
		m := map[string]string{}
		for i, c := range r.Cells {
			m[table.Rows[0].Cells[i].Value] = c.Value
		}
		all = append(all, m)
	}
	return all, nil
}

// add makes a row that sends what write returns. A click is what it is taken for
// where it does not say itself what it is.
func (e *envelopes) add(write func(*command) (string, error), says ...string) (*row, error) {
	sp, err := parsePhrase("a click")
	if err != nil {
		return nil, err
	}
	c := e.newCommand(sp, behaviour{})
	body, err := write(c)
	if err != nil {
		return nil, err
	}
	r := &row{command: c, body: body}
	for _, words := range says {
		if words != "" {
			r.says = append(r.says, strings.Split(words, " and ")...)
		}
	}
	r.learn()
	e.rows = append(e.rows, r)
	return r, nil
}

// learn makes the command what its body says, if that is JSON. Its arguments
// are then its own, so that a browser's receipt of it is told from others.
func (r *row) learn() {
	r.args = "{}"
	body := jsontext.Value(r.body)
	if !body.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) || body.Kind() != '{' {
		return
	}
	r.session, r.id = "", ""
	for name, into := range map[string]*string{"session": &r.session, "id": &r.id, "args": &r.args} {
		if v, ok := protocol.Arg(body, name); ok {
			*into = string(v)
		}
	}
	if action, ok := protocol.StringArg(body, "action"); ok {
		r.action = action
	}
}

// deliver sends a row and waits until it is over.
func (e *envelopes) deliver(ctx context.Context, r *row) error {
	if err := e.open(ctx, r.command, sim.Post("/command", r.body)); err != nil {
		return err
	}
	e.begin(r.command)
	e.reached(ctx, r.done)
	return nil
}

func (e *envelopes) sendsBodies(ctx context.Context, table *godog.Table) error {
	return e.sendsEach(ctx, table, func(c *command, cell map[string]string) (string, error) {
		return c.written(cell["body"])
	})
}

// sendsFields sends clicks that are good but for one field, which is replaced,
// or added.
func (e *envelopes) sendsFields(ctx context.Context, table *godog.Table) error {
	return e.sendsEach(ctx, table, func(c *command, cell map[string]string) (string, error) {
		value, err := c.written(cell["value"])
		if err != nil {
			return "", err
		}
		good := jsontext.Value(c.body(c.mark))
		return string(protocol.ReplaceArg(good, cell["field"], jsontext.Value(value))), nil
	})
}

func (e *envelopes) sendsArguments(ctx context.Context, table *godog.Table) error {
	return e.sendsEach(ctx, table, func(c *command, cell map[string]string) (string, error) {
		args, err := c.written(cell["args"])
		c.action, c.args = cell["action"], args
		return c.body(c.mark), err
	})
}

func (e *envelopes) sendsEach(ctx context.Context, table *godog.Table, write func(*command, map[string]string) (string, error)) error {
	all, err := cells(table)
	if err != nil {
		return err
	}
	for _, cell := range all {
		r, err := e.add(func(c *command) (string, error) { return write(c, cell) }, cell["field"], cell["says"])
		if err != nil {
			return err
		}
		if err := e.deliver(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (e *envelopes) asksForThese(ctx context.Context, name string, table *godog.Table) error {
	b, err := e.of(name)
	if err != nil {
		return err
	}
	all, err := cells(table)
	if err != nil {
		return err
	}
	for _, cell := range all {
		r, err := e.add(func(c *command) (string, error) { return c.written(cell["request"]) }, cell["says"])
		if err != nil {
			return err
		}
		if err := e.request(b, r.command, r.body); err != nil {
			return err
		}
		e.reached(ctx, r.done)
	}
	return nil
}

// finished returns the rows, which all have an answer that can be understood.
// A stranger may leave a request unanswered whose id is none that it could name.
func (e *envelopes) finished() ([]*row, error) {
	if len(e.rows) == 0 {
		return nil, fmt.Errorf("the scenario has sent no rows")
	}
	var done []*row
	for _, r := range e.rows {
		id, err := sessionName(r.id)
		nameless := err != nil || protocol.CheckID(id, protocol.DefaultLimits()) != nil
		switch {
		case r.done():
			done = append(done, r)
		case e.w.Target().Strict || !nameless:
			return nil, e.w.Fail("unanswered", "%s has no answer", r)
		}
	}
	return done, nil
}

func (e *envelopes) areRefused() error {
	all, err := e.finished()
	if err != nil {
		return err
	}
	for _, r := range all {
		switch {
		case r.answer.Status != 400:
			return e.w.Fail("not-refused", "%s was told %s; want the status 400", r, told(r.command))
		case r.err != nil:
			return e.w.Fail("refusal-shape", "%s was told %s", r, told(r.command))
		case !r.is(string(protocol.BadRequest)):
			return e.w.Fail("refusal-code", "%s was told %s; want bad_request", r, told(r.command))
		}
		if err := e.isTold(r); err != nil {
			return err
		}
	}
	return nil
}

func (e *envelopes) areRefusedOnLink() error {
	all, err := e.finished()
	if err != nil {
		return err
	}
	for _, r := range all {
		switch id, err := sessionName(r.id); {
		case r.err != nil || !r.is(string(protocol.BadRequest)):
			return e.w.Fail("not-refused", "%s was told %s; want bad_request", r, told(r.command))
		case err != nil || r.answer.ID != id:
			return e.w.Fail("not-its-id", "%s was answered with the id %q", r, r.answer.ID)
		}
		if err := e.isTold(r); err != nil {
			return err
		}
	}
	return nil
}

// isTold requires that a refusal says what is wrong, and comes at once.
func (e *envelopes) isTold(r *row) error {
	for _, word := range r.says {
		if !e.says(r.answer.Message, word) {
			return e.w.Fail("says", "%s was told %s; its error does not say %q", r, told(r.command), word)
		}
	}
	if err := e.w.Clock.Took(r.answer.At.Sub(r.sent), 0, grace); err != nil {
		return e.w.Fail("slow", "the refusal of %s %s", r, err)
	}
	return nil
}

func (e *envelopes) areGood() error {
	all, err := e.finished()
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.err != nil || !r.answer.OK {
			return e.w.Fail("good-refused", "%s was told %s; want ok", r, told(r.command))
		}
	}
	return nil
}
