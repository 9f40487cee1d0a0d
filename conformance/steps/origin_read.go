package steps

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerOriginRead(sc sentences, a *auth) {
	sc.When(`^the extension in (Chrome|Firefox) sends a preflight for ([A-Z]+ \S+)$`, func(ctx context.Context, in, door string) error {
		return a.preflightAt(ctx, []string{door}, originOf(in))
	})
	sc.When(`^a program without the token sends a preflight for ([A-Z]+ \S+)$`, func(ctx context.Context, door string) error {
		return a.preflightAt(ctx, []string{door}, "")
	})
	sc.When(`^the extension in (Chrome|Firefox) sends a preflight for ([A-Z]+ \S+) into the private network$`, a.preflightPrivate)
	sc.When(`^the extension in (Chrome|Firefox) is given (.+)$`, a.isGivenAnswer)
	sc.Then(`^that extension alone may read it$`, a.isReadable)
	sc.Then(`^nobody may read or do anything across origins$`, a.isUnreadable)
	sc.Then(`^it may send ([A-Z]+) \S+ with (.+)$`, a.maySend)
	sc.Then(`^it is allowed into the private network$`, a.mayEnterPrivate)
}

func (a *auth) preflightPrivate(ctx context.Context, in, door string) error {
	a.heard = nil
	return a.ask(ctx, preflight(door, originOf(in)).With("Access-Control-Request-Private-Network", "true"))
}

// readable are answers that an extension gets, by their name in a feature: what
// it asks for, and the status of the answer.
var readable = map[string]struct {
	door   string
	change func(sim.Request) sim.Request
	status int
}{
	"the version":              {"GET /ping", nil, 200},
	"the token for its code":   {"POST /pair", nil, 200},
	"a refusal of its code":    {"POST /pair", func(r sim.Request) sim.Request { r.Body = []byte(`{"code":"12345"}`); return r }, 400},
	"a refusal of its token":   {"POST /extension", tokenless, 401},
	"a refusal of its method":  {"PUT /ping", nil, 405},
	"a refusal of its nonce":   {"GET /ping", func(r sim.Request) sim.Request { r.Target += "?nonce=short"; return r }, 400},
	"leave to open its socket": {"POST /extension", nil, 204},
}

func (a *auth) isGivenAnswer(ctx context.Context, in, what string) error {
	want, ok := readable[what]
	if !ok {
		return fmt.Errorf("no extension is given %s", what)
	}
	err := a.askAt(ctx, []string{want.door}, func(r sim.Request) sim.Request {
		r = withOrigin(originOf(in))(r)
		if want.change != nil {
			r = want.change(r)
		}
		return r
	})
	if err != nil {
		return err
	}
	if got := a.last().answer.Status; got != want.status {
		return fmt.Errorf("%s is answered with %d, not %d", a.last(), got, want.status)
	}
	return nil
}

// isReadable wants the exact Origin of who asked, and no credentials.
func (a *auth) isReadable() error {
	return a.judge(func(e *exchange) error {
		h, origin := e.answer.Header, originIn(e.request)
		switch {
		case !slices.Equal(h["Access-Control-Allow-Origin"], []string{origin}):
			return a.w.Fail("allow-origin", "%s lets %q read the answer, not %q", e, h["Access-Control-Allow-Origin"], origin)
		case !lists(h["Vary"], "Origin"):
			return a.w.Fail("vary", "%s does not say that the answer varies by Origin", e)
		case len(h["Access-Control-Allow-Credentials"]) > 0:
			return a.w.Fail("credentials", "%s allows credentials", e)
		}
		return nil
	})
}

func originIn(r sim.Request) string {
	for _, h := range r.Headers {
		if h.Name == "Origin" {
			return h.Value
		}
	}
	return ""
}

// lists reports whether a list header holds a word, in any case.
func lists(lines []string, word string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(lines, ","), ","), func(item string) bool {
		return strings.EqualFold(strings.TrimSpace(item), word)
	})
}

func (a *auth) isUnreadable() error {
	return a.judge(func(e *exchange) error {
		for name := range e.answer.Header {
			if strings.HasPrefix(name, "Access-Control-") {
				return a.w.Fail("allowed", "%s is answered with %s: %s", e, name, e.answer.Header.Get(name))
			}
		}
		return nil
	})
}

func (a *auth) maySend(method, header string) error {
	return a.judge(func(e *exchange) error {
		h := e.answer.Header
		switch {
		case !in(e.answer.Status):
			return a.w.Fail("preflight", "%s is answered with %d", e, e.answer.Status)
		case method != http.MethodGet && !lists(h["Access-Control-Allow-Methods"], method):
			return a.w.Fail("allow-methods", "%s allows the methods %q", e, h["Access-Control-Allow-Methods"])
		case header != "no header of its own" && !lists(h["Access-Control-Allow-Headers"], header):
			return a.w.Fail("allow-headers", "%s allows the headers %q", e, h["Access-Control-Allow-Headers"])
		}
		return nil
	})
}

func (a *auth) mayEnterPrivate() error {
	return a.judge(func(e *exchange) error {
		if got := e.answer.Header.Get("Access-Control-Allow-Private-Network"); got != "true" {
			return a.w.Fail("private-network", "%s answers Access-Control-Allow-Private-Network: %q", e, got)
		}
		return nil
	})
}
