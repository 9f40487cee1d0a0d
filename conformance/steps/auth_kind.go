package steps

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerKind(sc sentences, a *auth) {
	sc.When(`^the daemon answers (\d+ to .+)$`, a.answersKind)
	sc.Then(`^no page can use the answer$`, a.isSecured)
}

// kind is how an answer of one kind comes about: a letter for a door, changed.
type kind struct {
	door   string
	change func(sim.Request) sim.Request
}

// kinds are the kinds of answers, by their name in a feature, which begins with
// the status.
var kinds = map[string]kind{
	"101 to an upgrade":                   {"GET /extension", same},
	"200 to a ping":                       {"GET /ping", same},
	"200 to a ping with a proof":          {"GET /ping?nonce=0123456789abcdefghijklmnopqrstuv", same},
	"200 to a command":                    {"POST /command", same},
	"200 to a command without a browser":  {"POST /command", same},
	"200 to a redeemed code":              {"POST /pair", same},
	"200 to a question for the version":   {"GET /json/version", same},
	"200 to a question for the status":    {"GET /admin/status", same},
	"200 to a new code":                   {"POST /admin/pair", same},
	"204 to a preflight":                  {"POST /pair", func(sim.Request) sim.Request { return preflight("POST /pair", sim.Chrome.Origin) }},
	"204 to a question for leave":         {"POST /extension", same},
	"400 to a body that is no JSON":       {"POST /command", body(`{"action":`)},
	"400 to a code of five digits":        {"POST /pair", body(`{"code":"12345"}`)},
	"400 to a nonce that is too short":    {"GET /ping?nonce=short", same},
	"401 to a missing token":              {"POST /command", tokenless},
	"401 to an upgrade without the token": {"GET /extension", tokenless},
	"401 to a wrong code":                 {"POST /pair", same},
	"403 to another Host":                 {"POST /command", func(r sim.Request) sim.Request { host := "localhost"; r.Host = &host; return r }},
	"403 to an absolute target":           {"POST /command", func(r sim.Request) sim.Request { r.Target = "http://127.0.0.1" + r.Target; return r }},
	"403 to a web page":                   {"POST /command", withOrigin("https://example.org")},
	"403 to a page without an Origin":     {"POST /command", fetched("cross-site", "")},
	"403 to a pairing without an Origin":  {"POST /pair", withOrigin()},
	"404 to an unknown path":              {"GET /no/such/path", same},
	"405 to another method":               {"DELETE /command", same},
	"409 to a second browser":             {"POST /extension", same},
	"413 to a body that is too large":     {"POST /command", sized(protocol.DefaultLimits().Body + 1)},
	"415 to a body of another type":       {"POST /command", func(r sim.Request) sim.Request { return without(r, "Content-Type").With("Content-Type", "text/plain") }},
	"503 to a guess that comes too soon":  {"POST /pair", same},
}

func same(r sim.Request) sim.Request { return r }

func body(text string) func(sim.Request) sim.Request {
	return func(r sim.Request) sim.Request {
		r.Body = []byte(text)
		return r
	}
}

// sized announces a body of that size and sends none of it: there is an answer
// before it would be sent.
func sized(n int64) func(sim.Request) sim.Request {
	return func(r sim.Request) sim.Request {
		r.Body, r.ContentLength = nil, &n
		return r
	}
}

// answersKind brings about an answer of that kind.
func (a *auth) answersKind(ctx context.Context, what string) error {
	k, ok := kinds[what]
	if !ok {
		return fmt.Errorf("no answer is %q", what)
	}
	if err := a.prepareKind(ctx, what); err != nil {
		return err
	}
	r, err := a.goodLetter(ctx, k.door)
	if err != nil {
		return err
	}
	if what == "401 to a wrong code" {
		r = guess(sim.Chrome.Origin, a.wrongCode())
	}
	a.heard = nil
	if err := a.ask(ctx, k.change(r)); err != nil {
		return err
	}
	// That the status is another is for another rule to say; the answer, whatever
	// it is, is judged all the same.
	if status, _, _ := strings.Cut(what, " "); strconv.Itoa(a.last().answer.Status) != status {
		a.w.Transcript.Note("suite", "there was to be a %s", what)
	}
	return nil
}

// prepareKind does what must come before.
func (a *auth) prepareKind(ctx context.Context, what string) error {
	switch what {
	case "200 to a command", "409 to a second browser":
		return a.isConnected(ctx, "Chrome")
	case "503 to a guess that comes too soon":
		if err := a.makeCode(ctx); err != nil {
			return err
		}
		return a.guessWrong(ctx, sim.Chrome.Origin)
	}
	return nil
}
