package steps

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerPayload adds the sentences about large answers:
//
//	Chrome answers A by a message of 33554432 bytes
//	Chrome answers A with 31457280 bytes of data
//	Chrome's connection was closed with 1009
//	an evaluate A whose answer of 8388608 bytes nobody reads
//	evaluates A, B and C of sessions of their own that Chrome works on, whose answers nobody reads
//	the agent reads 65536 bytes each 29s
//	the agent of A is gone
//	the agent that reads A gets the whole answer | outcome_unknown
//	the agent that reads on gets the whole answer | a part of the answer
func registerPayload(sc sentences, s *scene) {
	p := &payload{scene: s, unread: map[string]*unread{}}
	sc.When(`^(Chrome|Firefox) answers (`+oneName+`) by a message of ([0-9]+) bytes$`, p.answersByMessage)
	sc.When(`^(Chrome|Firefox) answers (`+oneName+`) with ([0-9]+) bytes of data$`, p.answersWithData)
	sc.Then(`^(Chrome|Firefox)'s connection was closed with ([0-9]+)$`, p.wasClosed)
	sc.Given(`^an evaluate (A) whose answer of ([0-9]+) bytes nobody reads$`, p.unreadAnswer)
	sc.Given(`^evaluates (`+allNames+`) of sessions of their own that (Chrome|Firefox) works on, whose answers nobody reads$`, p.unreadEvaluates)
	sc.When(`^the agent reads ([0-9]+) bytes each (\S+)$`, p.readsSlowly)
	sc.When(`^the agent of (`+oneName+`) is gone$`, p.isGone)
	sc.Step(`^the agent that reads (`+oneName+`|on) gets (the whole answer|a part of the answer|outcome_unknown)$`, p.gets)
}

type payload struct {
	*scene
	unread map[string]*unread
	last   string
}

// unread is a command whose answer is left in its connection.
type unread struct {
	*command
	conn net.Conn
	got  bytes.Buffer
	// size is how many bytes of data the browser answered with.
	size int
	read bool
}

// filled returns data of n bytes for an evaluate, which carries its mark.
func filled(c *command, n int) jsontext.Value {
	head, tail := `{"value":"`+c.mark, `"}`
	out := make([]byte, 0, n)
	out = append(out, head...)
	out = append(out, bytes.Repeat([]byte("x"), max(0, n-len(head)-len(tail)))...)
	return append(out, tail...)
}

func (p *payload) answersByMessage(ctx context.Context, name, who, bytes string) error {
	n, err := strconv.Atoi(bytes)
	if err != nil {
		return err
	}
	return p.answers(ctx, name, who, func(c *command, id string) protocol.Result {
		frame := protocol.Result{ID: id, OK: true, Data: filled(c, 0)}
		return protocol.Result{ID: id, OK: true, Data: filled(c, n-len(frame.AppendTo(nil))+len(filled(c, 0)))}
	})
}

func (p *payload) answersWithData(ctx context.Context, name, who, bytes string) error {
	n, err := strconv.Atoi(bytes)
	if err != nil {
		return err
	}
	if u := p.unread[who]; u != nil {
		u.size = n
	}
	return p.answers(ctx, name, who, func(c *command, id string) protocol.Result {
		return protocol.Result{ID: id, OK: true, Data: filled(c, n)}
	})
}

func (p *payload) wasClosed(ctx context.Context, name, code string) error {
	b, err := p.of(name)
	if err != nil {
		return err
	}
	want, err := strconv.Atoi(code)
	if err != nil {
		return err
	}
	p.reached(ctx, func() bool { _, _, ok := b.Closed(); return ok })
	if got, reason, ok := b.Closed(); !ok || got != want {
		return p.w.Fail("close-code", "%s's connection was closed with %d %q; want %d", name, got, reason, want)
	}
	return nil
}

// sendUnread sends a command on a connection from which nothing is read.
func (p *payload) sendUnread(ctx context.Context, name, session, browser string) (*unread, error) {
	a, err := p.agent(ctx)
	if err != nil {
		return nil, err
	}
	sp := spec{action: "evaluate", name: name, session: strconv.Quote(session), timeout: usualTimeout}
	sp.browser, sp.saysBrowser = strconv.Quote(string(browserNamed(browser))), true
	u := &unread{command: p.newCommand(sp, behaviour{kind: worksOn})}
	if u.conn, err = a.Dial(ctx, "tcp", a.Addr); err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	p.w.Cleanup(func() error {
		_ = u.conn.Close() // the scenario may have done so
		return nil
	})
	p.w.Honesty.Asked(u.mark)
	u.sent = p.w.Clock.Now()
	call := a.StartOn(u.conn, sim.Post("/command", u.body(u.mark)).With("Connection", "close"))
	if err := call.SendAll(); err != nil {
		return nil, fmt.Errorf("send %s: %w", u, err)
	}
	if _, _, err := p.received(ctx, u.command); err != nil {
		return nil, err
	}
	p.unread[name], p.last = u, name
	return u, nil
}

func (p *payload) unreadAnswer(ctx context.Context, name, bytes string) error {
	u, err := p.sendUnread(ctx, name, "shop", p.main.Title())
	if err != nil {
		return err
	}
	return p.answersWithData(ctx, p.main.Title(), u.name, bytes)
}

func (p *payload) unreadEvaluates(ctx context.Context, who, browser string) error {
	for _, name := range several(who) {
		if _, err := p.sendUnread(ctx, name, "of "+name, browser); err != nil {
			return err
		}
	}
	return nil
}

func (p *payload) readsSlowly(ctx context.Context, bytes, each string) error {
	n, err := strconv.Atoi(bytes)
	if err != nil {
		return err
	}
	d, err := duration(each)
	if err != nil {
		return err
	}
	u := p.unread[p.last]
	for u.got.Len()+n < u.size {
		if err := p.w.Clock.Elapse(ctx, d); err != nil {
			return err
		}
		if _, err := io.CopyN(&u.got, u.conn, int64(n)); err != nil {
			return p.w.Fail("cut-while-moving", "an answer that moves was cut after %d bytes: %v", u.got.Len(), err)
		}
	}
	return nil
}

func (p *payload) isGone(_ context.Context, who string) error {
	u, ok := p.unread[who]
	if !ok {
		return fmt.Errorf("%s is no command whose answer nobody reads", who)
	}
	u.read = true
	if err := u.conn.Close(); err != nil {
		return err
	}
	p.w.Clock.Settle()
	return nil
}

func (p *payload) gets(ctx context.Context, who, what string) error {
	if who == "on" {
		who = p.last
	}
	u, ok := p.unread[who]
	if !ok {
		return fmt.Errorf("%s is no command whose answer nobody reads", who)
	}
	if !u.read {
		u.read = true
		_, u.err = io.Copy(&u.got, u.conn)
		close(u.over)
	}
	p.w.Clock.Settle()
	resp, body, err := u.response()
	if what == "a part of the answer" {
		if err == nil {
			return p.w.Fail("not-cut", "%s was answered whole", u)
		}
		return nil
	}
	if err != nil {
		return p.w.Fail("cut", "the answer to %s broke off after %d bytes: %v", u, u.got.Len(), err)
	}
	if u.answer, err = sim.ParseAnswer(sim.Response{Status: resp.StatusCode, Header: resp.Header, Body: body}); err != nil {
		return p.w.Fail("no-answer", "%s was told nothing it understands: %v", u, err)
	}
	p.w.Honesty.Answered(u.mark, answerOf(u.answer))
	switch {
	case what == "outcome_unknown" && u.answer.Code != protocol.OutcomeUnknown:
		return p.w.Fail("not-outcome-unknown", "%s was told %.200s; want outcome_unknown", u, body)
	case what == "the whole answer" && (!u.answer.OK || len(u.answer.Data) != u.size):
		return p.w.Fail("not-whole", "%s was told %.200s (%d bytes of data); want ok with %d", u, body, len(u.answer.Data), u.size)
	}
	return nil
}

// response returns what came on the connection as an HTTP answer.
func (u *unread) response() (*http.Response, []byte, error) {
	if u.err != nil {
		return nil, nil, u.err
	}
	resp, err := http.ReadResponse(bufio.NewReader(&u.got), nil)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, body, err
}
