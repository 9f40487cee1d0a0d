package player

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// agent does a line of an agent.
func (p *play) agent(l *tape.Line) error {
	switch l.Verb {
	case "send", "do":
		return p.sendAll(l)
	case "expect":
		return p.each(l, p.expectAnswer)
	case "expect nothing":
		return p.expectNoAnswer(l)
	case "hang-up":
		return p.each(l, p.hangUp)
	}
	return notPlayed(l)
}

func notPlayed(l *tape.Line) error { return fmt.Errorf("%s is a verb that is not played", l.Verb) }

// each does a line for every request that its id stands for.
func (p *play) each(l *tape.Line, f func(*tape.Line, *request) error) error {
	all := p.ids(l.Word(0))
	if len(all) == 0 {
		return fmt.Errorf("%s was not sent", l.Word(0))
	}
	for _, r := range all {
		if err := f(l, r); err != nil {
			if len(all) > 1 {
				return fmt.Errorf("%s: %w", r.id, err)
			}
			return err
		}
	}
	return nil
}

// sendAll sends a line's request, or its many.
func (p *play) sendAll(l *tape.Line) error {
	req, err := p.build(l)
	if err != nil {
		return err
	}
	id := l.Word(0)
	times, many := number(l, "times")
	if !many || times == 1 {
		return p.send(l, id, req)
	}
	for n := 1; n <= times; n++ {
		if err := p.send(l, id+"."+strconv.Itoa(n), req); err != nil {
			return err
		}
		// Each is on a connection of its own: what is sent next must come next.
		p.rest()
	}
	return nil
}

// build makes the request of a line.
func (p *play) build(l *tape.Line) (sim.Request, error) {
	if l.Verb == "do" {
		return sim.Post("/command", string(command(l))), nil
	}
	body, err := p.payload(l, l.Word(3))
	if err != nil {
		return sim.Request{}, err
	}
	if n, ok := number(l, "bytes"); ok {
		body = sized(n)
	}
	req := sim.Request{Method: l.Word(1), Target: l.Word(2), Body: body}
	if chunked, _ := l.Arg("chunked"); chunked == "true" {
		req.Chunked = true
	}
	if host, ok := l.Arg("host"); ok {
		req.Host = &host
	}
	switch typ, said := l.Arg("type"); {
	case said:
		req = req.With("Content-Type", typ)
	case len(body) > 0:
		req = req.With("Content-Type", "application/json")
	}
	if origin, ok := l.Arg("origin"); ok {
		req = req.With("Origin", origin)
	}
	for _, a := range l.Args {
		if name, value, ok := strings.Cut(a.Value, ":"); ok && a.Key == "header" {
			req = req.With(name, strings.TrimSpace(value))
		}
	}
	return req, nil
}

// command is the body of a line of do.
func command(l *tape.Line) []byte {
	spec := sim.CommandSpec{Action: l.Word(1), Args: l.ActionArgs()}
	spec.Session, _ = l.Arg("session")
	spec.ID, _ = l.Arg("as")
	named, _ := l.Arg("browser")
	spec.Browser = protocol.Browser(named)
	if d, ok := l.Duration("timeout"); ok {
		spec.TimeoutMS = d.Milliseconds()
	}
	return spec.Body()
}

// sized is a good command of exactly n bytes, or filler if none is that short.
func sized(n int) []byte {
	const before, after = `{"action":"evaluate","args":{"code":"`, `"}}`
	if fill := n - len(before) - len(after); fill > 0 {
		return append(append([]byte(before), bytes.Repeat([]byte{'x'}, fill)...), after...)
	}
	return bytes.Repeat([]byte{'x'}, n)
}

// payload returns the bytes that a word names: JSON as it stands, or a file.
func (p *play) payload(_ *tape.Line, name string) ([]byte, error) {
	if name == "" || name[0] == '{' || name[0] == '[' {
		return []byte(name), nil
	}
	f, ok := p.t.File(name)
	if !ok {
		return nil, fmt.Errorf("there is no file %q", name)
	}
	return f.Payload()
}

// number returns an argument that is a whole number.
func number(l *tape.Line, key string) (int, bool) {
	v, ok := l.Arg(key)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(v)
	return n, err == nil
}

// wrongToken has the form of a token and is none.
var wrongToken = strings.Repeat("A", 43)

// reachTime is how long a request may need to reach a browser before the next
// line is done, where nobody can see that everything has come to rest.
const reachTime = 20 * time.Millisecond

// send sends one request on a connection of its own.
func (p *play) send(l *tape.Line, id string, req sim.Request) error {
	a := sim.Agent{Dial: p.stage.Daemon.Dial, Addr: p.stage.Daemon.Addr(), Token: p.token}
	switch token, _ := l.Arg("token"); token {
	case "none":
		a.Token = ""
	case "wrong":
		a.Token = wrongToken
	}
	call, err := a.Start(p.ctx, req)
	if err != nil {
		return err
	}
	r := &request{id: id, actor: l.Actor, call: call, sent: p.stage.Clock.Now()}
	if req.Method == "POST" && req.Target == "/command" {
		r.fields(req.Body)
	}
	p.mu.Lock()
	p.add(r)
	p.event(Event{From: l.Actor, To: daemonName, Kind: Message, Text: heading(req), ID: id})
	p.mu.Unlock()
	p.work.Go(func() {
		// What becomes of the request is told by its answer, or by there being none.
		_ = call.SendAll()
	})
	p.work.Go(func() {
		if p.read(r) {
			p.readOn(r)
		}
	})
	if !p.stage.Clock.Exact() {
		// What is sent next comes next: each has a connection of its own.
		p.until(reachTime, func() bool { return r.done || len(r.receipts) > 0 })
	}
	return nil
}

// heading is a request in one line.
func heading(r sim.Request) string {
	s := r.Method + " " + r.Target
	if len(r.Body) > 0 {
		s += " " + brief(string(r.Body))
	}
	return s
}

// read reads the answer to a request; false if its connection has no more of HTTP
// to be read.
func (p *play) read(r *request) (whole bool) {
	// A read under way ends with its connection.
	resp, err := r.call.Read(context.Background())
	now := p.stage.Clock.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	r.done, r.doneAt = true, now
	if err != nil {
		r.err = err
		if !r.hungUp && p.ctx.Err() == nil {
			p.event(Event{From: daemonName, To: r.actor, Kind: Drop, Text: "no answer: " + err.Error(), ID: r.id})
		}
		p.wake()
		return false
	}
	r.doneAt = resp.DoneAt
	if r.answer, r.err = sim.ParseAnswer(resp); r.err == nil {
		p.called(r.answer.ID, r.id)
	}
	p.event(Event{From: daemonName, To: r.actor, Kind: Message, Text: strings.TrimSpace(strconv.Itoa(resp.Status) + " " + brief(string(resp.Body))), ID: r.id})
	if r.good && (r.err == nil || resp.Status >= 400) {
		p.honesty.answered(r)
	}
	return resp.Status != http.StatusSwitchingProtocols
}

// readOn waits for what comes behind the answer: nothing may.
func (p *play) readOn(r *request) {
	// Like every read it ends with its connection.
	more, _ := r.call.ReadBytes(context.Background(), 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	r.more = len(more) > 0
}

// expectAnswer judges the answer to a request.
func (p *play) expectAnswer(l *tape.Line, r *request) error {
	if l.Word(1) == "pending" {
		return p.expectPending(r)
	}
	slip := p.slip()
	if !p.until(p.patience(l), func() bool { return r.done }) {
		return fmt.Errorf("%s has no answer %s after it was sent", r.id, tape.Duration(p.stage.Clock.Since(r.sent)))
	}
	p.mu.Lock()
	r.expected = true
	p.mu.Unlock()
	if err := r.judge(l); err != nil {
		return err
	}
	if err := p.timed(l, r.doneAt, r.sent, slip); err != nil {
		return fmt.Errorf("%s: %w", r.told(), err)
	}
	return nil
}

// expectPending judges that a request has no answer yet.
func (p *play) expectPending(r *request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.done {
		return fmt.Errorf("%s was told %s at %s", r.id, r.told(), offset(r.doneAt.Sub(p.began)))
	}
	return nil
}

// judge compares an answer with what a line says of it.
func (r *request) judge(l *tape.Line) error {
	if l.Word(1) == "no-answer" {
		if r.answer.Status == 0 && r.err != nil {
			return nil
		}
		return fmt.Errorf("%s was told %s, and not nothing", r.id, r.told())
	}
	if r.answer.Status == 0 && r.err != nil {
		return fmt.Errorf("%s got no answer: %w", r.id, r.err)
	}
	if status, ok := number(l, "status"); ok && r.answer.Status != status {
		return fmt.Errorf("%s was told %s; want the status %d", r.id, r.told(), status)
	}
	return r.judgeResult(l)
}

// judgeResult is judge without the status.
func (r *request) judgeResult(l *tape.Line) error {
	a := r.answer
	code, failed := l.Arg("error")
	data, hasData := l.Arg("data")
	switch {
	case (l.Word(1) == "ok" || hasData) && (!a.OK || r.err != nil):
		return fmt.Errorf("%s was told %s; want ok", r.id, r.told())
	case failed && (a.OK || string(a.Code) != code):
		return fmt.Errorf("%s was told %s; want %s", r.id, r.told(), code)
	}
	if delivered, ok := l.Arg("delivered"); ok && string(a.Delivered) != delivered {
		return fmt.Errorf("%s was told %s; want delivered %q", r.id, r.told(), delivered)
	}
	if message, ok := l.Arg("message"); ok && !strings.Contains(strings.ToLower(a.Message), strings.ToLower(message)) {
		return fmt.Errorf("%s was told %s; its message does not say %q", r.id, r.told(), message)
	}
	if hasData {
		if err := has(a.Data, []byte(data)); err != nil {
			return fmt.Errorf("%s was told %s: %w", r.id, r.told(), err)
		}
	}
	return nil
}

// told is an answer in a few words.
func (r *request) told() string {
	a := r.answer
	switch {
	case a.Status == 0 && r.err != nil:
		return "nothing"
	case r.err != nil && a.Code == "":
		return fmt.Sprintf("%d and nothing that a command is told", a.Status)
	case a.OK:
		return brief("ok " + string(a.Data))
	}
	s := string(a.Code)
	if a.Delivered != "" {
		s += fmt.Sprintf(" (delivered %q)", a.Delivered)
	}
	if a.Status >= 400 {
		s = strconv.Itoa(a.Status) + " " + s
	}
	return s
}

// expectNoAnswer judges that an agent is told nothing that was not expected.
func (p *play) expectNoAnswer(l *tape.Line) error {
	found := func() *request {
		for _, r := range p.requests {
			if r.actor == l.Actor && r.done && !r.expected && !r.hungUp {
				return r
			}
		}
		return nil
	}
	return p.nothing(l, func() error {
		if r := found(); r != nil {
			return fmt.Errorf("%s was told %s at %s", r.id, r.told(), offset(r.doneAt.Sub(p.began)))
		}
		return nil
	})
}

// nothing judges that found, which is called with p.mu held, finds nothing now
// and for as long as the line says.
func (p *play) nothing(l *tape.Line, found func() error) error {
	d, said := l.Duration("for")
	if said {
		p.nominal += d
	}
	var what error
	look := func() bool {
		what = found()
		return what != nil
	}
	p.mu.Lock()
	seen := look()
	p.mu.Unlock()
	if seen || said && p.until(d, look) {
		return what
	}
	return context.Cause(p.ctx)
}

// hangUp closes the connection of a request.
func (p *play) hangUp(l *tape.Line, r *request) error {
	p.mu.Lock()
	done := r.done
	r.hungUp = true
	if !done {
		p.event(Event{From: l.Actor, To: daemonName, Kind: Drop, Text: "hangs up", ID: r.id})
	}
	p.mu.Unlock()
	if done {
		return errors.New(r.id + " has had its answer already")
	}
	return r.call.Close()
}
