package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerSizes adds the sentences about how large a request is:
//
//	the agent sends a click whose body has 2097152 bytes, with its length
//	                                             white space behind it | in chunks
//	the agent sends a type whose body has 2097152 bytes, in chunks
//	                                             the text to type is that long
//	the agent sends the header of a click whose body has 2097153 bytes
//	the agent sends 2097153 bytes of a click's body in chunks, and not its end
//	Chrome asks for a click in a frame of 2097152 bytes
//	each path is sent a body of 2097153 bytes, in chunks:    method and path
//	each path refuses it with 413 too_large
//	each path answers as it does without a body
func registerSizes(sc sentences, e *envelopes) {
	z := &sizes{envelopes: e}
	sc.When(`^the agent sends a (click|type) whose body has ([0-9]+) bytes, (with its length|in chunks)$`, z.sends)
	sc.When(`^the agent sends the header of a click whose body has ([0-9]+) bytes$`, z.sendsHeader)
	sc.When(`^the agent sends ([0-9]+) bytes of a click's body in chunks, and not its end$`, z.sendsEndless)
	sc.When(`^(Chrome|Firefox) asks for a click in a frame of ([0-9]+) bytes$`, z.asks)
	sc.When(`^each path is sent a body of ([0-9]+) bytes, (with its length|in chunks):$`, z.sendsPaths)
	sc.Then(`^each path refuses it with 413 too_large$`, z.pathsRefuse)
	sc.Then(`^each path answers as it does without a body$`, z.pathsAnswer)
}

// sizes is what those sentences share.
type sizes struct {
	*envelopes
	paths []fed
}

// fed is a method and a path of the daemon, and how it answered a body.
type fed struct {
	name, how string
	answer    sim.Response
}

// chunk is how large the chunks are, so that the edge is none of theirs.
const chunk = 60_000

// whole returns a command and its body, which has that many bytes.
func (z *sizes) whole(action string, size int) (*command, string, error) {
	sp, err := parsePhrase("a " + action)
	if err != nil {
		return nil, "", err
	}
	c := z.newCommand(sp, behaviour{})
	body := c.body(c.mark)
	missing := size - len(body)
	if missing < 0 {
		return nil, "", fmt.Errorf("the command alone has %d bytes", len(body))
	}
	if action == "type" {
		return c, strings.Replace(body, `"text":"x`, `"text":"x`+strings.Repeat("x", missing), 1), nil
	}
	return c, body + strings.Repeat(" ", missing), nil
}

func (z *sizes) sends(ctx context.Context, action string, size int, how string) error {
	c, body, err := z.whole(action, size)
	if err != nil {
		return err
	}
	r := sim.Post("/command", body)
	r.Chunked, r.ChunkSize = how == "in chunks", chunk
	return z.dispatch(ctx, c, r)
}

func (z *sizes) sendsHeader(ctx context.Context, size int) error {
	c, body, err := z.whole("click", size)
	if err != nil {
		return err
	}
	if err := z.open(ctx, c, sim.Post("/command", body)); err != nil {
		return err
	}
	if err := c.call.SendHead(); err != nil {
		return fmt.Errorf("send the header: %w", err)
	}
	c.sent = z.w.Clock.Now()
	z.w.Clock.Settle()
	return nil
}

func (z *sizes) sendsEndless(ctx context.Context, size int) error {
	c, body, err := z.whole("click", size)
	if err != nil {
		return err
	}
	r := sim.Post("/command", "")
	r.Chunked, r.ChunkSize = true, chunk
	if err := z.open(ctx, c, r); err != nil {
		return err
	}
	c.sent = z.w.Clock.Now()
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		if c.call.SendHead() == nil {
			// The daemon may refuse it before it has come whole.
			_ = c.call.SendBody([]byte(body))
		}
	}()
	z.w.Cleanup(func() error {
		_ = c.call.Close()
		<-wrote
		return nil
	})
	z.w.Clock.Settle()
	return nil
}

// requestFrame is what the simulated extension writes in place of a request's
// first brace.
const requestFrame = `{"type":"request",`

func (z *sizes) asks(ctx context.Context, name string, size int) error {
	b, err := z.of(name)
	if err != nil {
		return err
	}
	c, body, err := z.whole("click", size-len(requestFrame)+len("{"))
	if err != nil {
		return err
	}
	if err := z.request(b, c, body); err != nil {
		return err
	}
	z.reached(ctx, c.done)
	return nil
}

func (z *sizes) sendsPaths(ctx context.Context, size int, how string, table *godog.Table) error {
	for _, row := range table.Rows {
		p := fed{name: row.Cells[0].Value, how: how}
		var err error
		if p.answer, err = z.sendTo(ctx, p, size); err != nil {
			return z.w.Fail("no-answer", "%s with a body of %d bytes got no answer: %v", p.name, size, err)
		}
		z.paths = append(z.paths, p)
	}
	return nil
}

// sendTo sends a body to a path. The token may be another one each time.
func (z *sizes) sendTo(ctx context.Context, p fed, size int) (sim.Response, error) {
	a, err := z.agent(ctx)
	if err != nil {
		return sim.Response{}, err
	}
	r := letterTo(p.name, a.Token)
	r.Body = []byte(strings.Repeat(" ", size))
	r.Chunked, r.ChunkSize = p.how == "in chunks", chunk
	answer, err := a.Send(ctx, r)
	z.w.Transcript.Note("agent", "%s with %d bytes %s: %d", p.name, size, p.how, answer.Status)
	return answer, err
}

// letterTo returns a request to a path that may come from an extension, as from
// the one in Chrome.
func letterTo(name, token string) sim.Request {
	method, target, _ := strings.Cut(name, " ")
	r := sim.Request{Method: method, Target: target}
	if target == "/extension" {
		r = r.With("Origin", sim.Chrome.Origin)
		if method == "GET" {
			r = r.With("Sec-WebSocket-Protocol", protocol.Version+", "+protocol.TokenProtocol+token)
		}
	}
	return r
}

func (z *sizes) pathsRefuse() error {
	for _, p := range z.paths {
		if !z.w.Target().Strict && p.answer.Status/100 == 4 {
			continue // a stranger may have refused it for another reason first
		}
		if p.answer.Status != 413 {
			return z.w.Fail("path-takes-more", "%s answers a body that is too large with %d %.200s", p.name, p.answer.Status, p.answer.Body)
		}
		if a, err := sim.ParseAnswer(p.answer); err != nil || a.Code != protocol.TooLarge {
			return z.w.Fail("path-refusal", "%s refuses a body with %.200s; want too_large", p.name, p.answer.Body)
		}
	}
	return nil
}

func (z *sizes) pathsAnswer(ctx context.Context) error {
	for _, p := range z.paths {
		bare, err := z.sendTo(ctx, p, 0)
		if err != nil {
			return fmt.Errorf("%s without a body: %w", p.name, err)
		}
		if !z.w.Target().Strict && p.answer.Status != 413 {
			continue // a stranger may want another body, or none
		}
		if p.answer.Status != bare.Status {
			return z.w.Fail("path-takes-less", "%s answers a body with %d %.200s, and none with %d", p.name, p.answer.Status, p.answer.Body, bare.Status)
		}
	}
	return nil
}
