package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerPage(sc sentences, a *auth) {
	const asked = `^every path of a program is asked for by a (\S+) page without an Origin`
	sc.When(asked+`$`, func(ctx context.Context, site string) error {
		return a.askAt(ctx, programPaths(), fetched(site, ""))
	})
	sc.When(asked+`, (as .+)$`, func(ctx context.Context, site, how string) error {
		if _, ok := fetches[how]; !ok {
			return fmt.Errorf("no page asks %s", how)
		}
		return a.askAt(ctx, programPaths(), fetched(site, how))
	})
	sc.When(asked+` and without the token$`, func(ctx context.Context, site string) error {
		return a.askAt(ctx, programPaths(), func(r sim.Request) sim.Request { return tokenless(fetched(site, "")(r)) })
	})
	sc.When(`^the extension in (Chrome|Firefox) asks everywhere it may, (cross-site)$`, func(ctx context.Context, in, site string) error {
		return a.askAt(ctx, extensionDoors, func(r sim.Request) sim.Request { return withOrigin(originOf(in))(fetched(site, "")(r)) })
	})
}

// fetches are the mode and the destination (the Fetch Metadata specification) of
// what a page asks for.
var fetches = map[string][2]string{
	"as an image":     {"no-cors", "image"},
	"as a script":     {"no-cors", "script"},
	"as a fetch":      {"no-cors", "empty"},
	"as a navigation": {"navigate", "document"},
}

func fetched(site, how string) func(sim.Request) sim.Request {
	return func(r sim.Request) sim.Request {
		r = r.With("Sec-Fetch-Site", site)
		if f, ok := fetches[how]; ok {
			r = r.With("Sec-Fetch-Mode", f[0]).With("Sec-Fetch-Dest", f[1])
		}
		return r
	}
}

// secured are the headers that keep a page from using an answer, each with the
// name of its check.
var secured = []struct{ name, want, check string }{
	{"X-Content-Type-Options", "nosniff", "nosniff"},
	{"Cache-Control", "no-store", "no-store"},
	{"Cross-Origin-Resource-Policy", "same-origin", "resource-policy"},
}

func (a *auth) isSecured() error {
	return a.judge(func(e *exchange) error {
		for _, s := range secured {
			if got := e.answer.Header[s.name]; !lists(got, s.want) {
				return a.w.Fail(s.check, "%s is answered with %d and %s: %s", e, e.answer.Status, s.name, strings.Join(got, ", "))
			}
		}
		return nil
	})
}
