package record

import (
	"bytes"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// agent is who makes every call: the wire does not tell one agent from another.
const agent = "agent"

// request writes what an agent asks.
func (c *composer) request(at time.Time, e *relay.Request) {
	k := c.calls[e.Call]
	switch {
	case k.id == "" && pathOf(e) == "/admin/token":
		c.remark(at, "the daemon was asked for a new token")
	case k.id == "" && pathOf(e) == "/pair" && e.Method == http.MethodPost:
		c.remark(at, "the extension of %s redeemed a pairing code", browserOf(e).Title())
	case k.id == "":
	case c.gone && k.answer != nil && k.answer.Cut:
		// It came while the daemon ended; a tape's agent would not get that far.
		c.remark(at, "a request to %s came too late", pathOf(e))
	case e.Cut && e.Header.Get("Content-Length") == "":
		c.remark(at, "a request to %s was cut within its body", e.Target)
		k.id = ""
	default:
		c.up(at)
		c.sent[k.id] = c.send(at, k)
	}
}

// send writes a request in the short form, if that says all of it.
func (c *composer) send(at time.Time, k *call) *step {
	e := k.request
	special := c.special(k)
	if k.command != nil && len(special) == 0 && e.Method == http.MethodPost && e.Target == "/command" {
		if line, ok := c.do(k); ok {
			s := &step{at: at, line: line}
			c.steps = append(c.steps, s)
			return s
		}
	}
	words := []string{k.id, e.Method, c.secrets.Text(e.Target)}
	switch length := e.Header.Get("Content-Length"); {
	case e.Cut:
		special = append(special, tape.Arg{Key: "bytes", Value: length})
	case e.Size > int64(len(e.Body)), e.Size > generated:
		special = append(special, number("bytes", e.Size))
	case e.Size > 0:
		body := e.Body
		if k.command != nil {
			body = replaced(body, c.portable(k, k.command.Args))
		}
		words = append(words, c.payload(k.id, c.secrets.Command(body)))
	}
	return c.add(at, agent, "send", words, special...)
}

// generated is the size above which a body is worth no more than its size.
const generated = 1 << 20

// special are the arguments of send for what an agent of a tape would not do by
// itself.
func (c *composer) special(k *call) []tape.Arg {
	e := k.request
	var out []tape.Arg
	switch refused := k.answer != nil && k.answer.Status == http.StatusUnauthorized; {
	case e.Header.Get("Authorization") == "":
		out = append(out, tape.Arg{Key: "token", Value: "none"})
	case refused, bearer(e.Header) == "":
		out = append(out, tape.Arg{Key: "token", Value: "wrong"})
	}
	if origin := e.Header.Get("Origin"); origin != "" {
		out = append(out, c.text("origin", origin))
	}
	if host := e.Header.Get("Host"); !isLocal(host) {
		out = append(out, c.text("host", host))
	}
	if media := e.Header.Get("Content-Type"); media != "" && !plainJSON.MatchString(media) {
		out = append(out, c.text("type", media))
	}
	if site := e.Header.Get("Sec-Fetch-Site"); site != "" {
		out = append(out, c.text("header", "Sec-Fetch-Site: "+site))
	}
	if e.Chunked {
		out = append(out, tape.Arg{Key: "chunked", Value: "true"})
	}
	return out
}

// do writes a command in the short form; false if that cannot say all of it.
func (c *composer) do(k *call) (tape.Line, bool) {
	e := k.request
	line := tape.Line{Actor: agent, Verb: "do", Words: []string{k.id, k.command.Action.Name}}
	if name, ok := protocol.StringArg(e.Body, "action"); ok {
		line.Words[1] = name
	}
	args := jsontext.Value(c.secrets.Args(k.command.Action.Name, c.portable(k, k.command.Args)))
	if !c.spread(&line, args) {
		return line, false
	}
	has := func(name string) bool {
		_, ok := protocol.Arg(e.Body, name)
		return ok
	}
	if has("session") {
		line.Args = append(line.Args, c.text("session", k.command.Session))
	}
	if has("browser") {
		line.Args = append(line.Args, tape.Arg{Key: "browser", Value: string(k.command.Browser)})
	}
	if has("timeout_ms") {
		line.Args = append(line.Args, tape.Arg{Key: "timeout", Value: tape.Duration(k.command.Timeout)})
	}
	if k.command.ID != "" {
		line.Args = append(line.Args, c.text("as", k.command.ID))
	}
	return line, true
}

// spread writes arguments as key=value; false if they would not be read back as
// the same, or take too much room.
func (c *composer) spread(line *tape.Line, args jsontext.Value) bool {
	if len(args) > inlineBytes {
		return false
	}
	dec := jsontext.NewDecoder(bytes.NewReader(args))
	if _, err := dec.ReadToken(); err != nil {
		return false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return false
		}
		key := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return false
		}
		text := string(value)
		if value.Kind() == '"' {
			b, err := jsontext.AppendUnquote(nil, value)
			if err != nil {
				return false
			}
			text = string(b)
		}
		line.Args = append(line.Args, tape.Arg{Key: key, Value: text})
	}
	again, err := tape.Parse("", []byte("use omw.v1\n"+line.String()+"\n"))
	return err == nil && same(again.Lines[0].ActionArgs(), args)
}

// same reports whether two values of JSON are equal but for their spelling.
func same(a, b jsontext.Value) bool {
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}

// answer writes what an agent was answered, or what became of a link.
func (c *composer) answer(at time.Time, k *call, e *relay.Answer) {
	switch {
	case k.link != nil && e.Status == http.StatusSwitchingProtocols:
		c.up(at)
		c.joined[k.link] = c.add(at, k.link.actor, "connect", nil)
	case k.link != nil && e.Status != 0:
		c.add(at, k.link.actor, "connect", nil, number("refused", int64(e.Status)))
	case k.link != nil:
		c.remark(at, "the daemon ended the connection of %s before the upgrade", k.link.actor)
	case c.sent[k.id] == nil:
	case e.Cut:
		c.add(at, agent, "expect", []string{k.id, "no-answer"})
	default:
		c.add(at, agent, "expect", []string{k.id}, c.verdict(k, e)...).ok(c.succeeded(k, e))
		c.holdBack(k)
	}
}

// holdBack takes the answer that was written last away until its cause is
// written: a session is closed by the line that answers its close_session.
func (c *composer) holdBack(k *call) {
	if k.sent == nil || k.sent.closedBy == nil || c.written[k.sent.closedBy] || k.sent.closedBy.result == nil {
		return
	}
	n := len(c.steps) - 1
	c.held[k.sent.closedBy] = append(c.held[k.sent.closedBy], c.steps[n])
	c.steps = c.steps[:n]
}

// letGo writes what waited for a command's line.
func (c *composer) letGo(at time.Time, cmd *command) {
	c.written[cmd] = true
	for _, s := range c.held[cmd] {
		s.at = at
		c.steps = append(c.steps, s)
	}
}

// succeeded reports whether a command was answered ok.
func (c *composer) succeeded(k *call, e *relay.Answer) bool {
	a, err := sim.ParseAnswer(sim.Response{Status: e.Status, Body: e.Body})
	return pathOf(k.request) == "/command" && err == nil && a.OK && e.Status == http.StatusOK
}

// verdict is what is expected of an answer.
func (c *composer) verdict(k *call, e *relay.Answer) []tape.Arg {
	var out []tape.Arg
	if e.Status != http.StatusOK || pathOf(k.request) != "/command" {
		out = append(out, number("status", int64(e.Status)))
	}
	a, err := sim.ParseAnswer(sim.Response{Status: e.Status, Body: e.Body})
	if err != nil || a.OK || !a.Code.Known() {
		return out
	}
	out = append([]tape.Arg{{Key: "error", Value: string(a.Code)}}, out...)
	if a.Delivered != "" {
		out = append(out, tape.Arg{Key: "delivered", Value: string(a.Delivered)})
	}
	return out
}

// ok says that the line's command succeeded.
func (s *step) ok(is bool) {
	if is {
		s.line.Words = append(s.line.Words, "ok")
	}
}
