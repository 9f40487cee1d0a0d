package steps

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerOrigin(sc sentences, a *auth) {
	sc.When(`^every path is asked for with the Origin (.+)$`, a.askWithOrigin)
	sc.When(`^every path is asked for with (an empty Origin|two Origins, .+)$`, a.askWithOddOrigin)
	sc.When(`^every path's preflight is sent with the Origin (.+)$`, a.preflightEverywhere)
	sc.When(`^every path of a program is asked for with no Origin$`, func(ctx context.Context) error {
		return a.askAt(ctx, programPaths(), func(r sim.Request) sim.Request { return r })
	})
	sc.When(`^the extension of (\S+) redeems it$`, a.redeem)
	sc.When(`^the extension of (.+) asks everywhere it may$`, a.askAsExtension)
	sc.When(`^the extension in (Chrome|Firefox) with the token asks for every other path$`, a.askElsewhere)
	sc.When(`^the extension in (Chrome|Firefox) sends a preflight for every other path$`, a.preflightElsewhere)
	sc.When(`^a program with the token asks for every other path$`, func(ctx context.Context) error {
		return a.askAt(ctx, otherPaths, func(r sim.Request) sim.Request { return r })
	})
	sc.Then(`^every one is turned away with 403, or let in for its capitals$`, a.areCapitalsRefused)
	sc.Then(`^the daemon's token opens the socket of the extension of (\S+)$`, a.opensSocketFrom)
}

// otherPaths are doors that are not for extensions, also those whose path only
// looks like one that is.
var otherPaths = []string{
	"POST /command", "GET /json", "GET /json/list", "GET /json/version", "GET /devtools/page/1", "GET /devtools/browser",
	"POST /admin/pair", "GET /admin/status", "GET /", "GET /no/such/path",
	"GET /ping/", "GET //ping", "GET /PING", "GET /ping/x", "POST /pair/", "POST /pairs", "GET /extension/", "POST /extension/x",
	"GET /ping/../json/version", "POST /extension/../command",
}

// programPaths are the doors at which a program without an Origin is let in.
func programPaths() []string {
	var of []string
	for _, door := range doors {
		if _, path, _ := strings.Cut(door, " "); path != "/pair" && path != "/extension" {
			of = append(of, door)
		}
	}
	return of
}

// askAt asks at each of the doors with a letter that is good but for change.
func (a *auth) askAt(ctx context.Context, doors []string, change func(sim.Request) sim.Request) error {
	a.heard = nil
	for _, door := range doors {
		r, err := a.letter(ctx, door)
		if err != nil {
			return err
		}
		if err := a.ask(ctx, change(r)); err != nil {
			return err
		}
	}
	return nil
}

func withOrigin(origins ...string) func(sim.Request) sim.Request {
	return func(r sim.Request) sim.Request {
		r = without(r, "Origin")
		for _, o := range origins {
			r = r.With("Origin", o)
		}
		return r
	}
}

func (a *auth) askWithOrigin(ctx context.Context, origin string) error {
	origin, err := a.named(ctx, origin)
	if err != nil {
		return err
	}
	return a.askAt(ctx, doors, withOrigin(origin))
}

func (a *auth) askWithOddOrigin(ctx context.Context, what string) error {
	const page = "https://evil.example"
	switch what {
	case "an empty Origin":
		return a.askAt(ctx, doors, withOrigin(""))
	case "two Origins, the extension's and a page's":
		return a.askAt(ctx, doors, withOrigin(sim.Chrome.Origin, page))
	case "two Origins, a page's and the extension's":
		return a.askAt(ctx, doors, withOrigin(page, sim.Chrome.Origin))
	}
	return fmt.Errorf("nobody has %s", what)
}

// preflight returns the question of a browser whether a request may be made (the
// Fetch standard, CORS-preflight); it never has a token.
func preflight(door, origin string) sim.Request {
	method, path, _ := strings.Cut(door, " ")
	r := sim.Request{Method: http.MethodOptions, Target: path}
	if origin != "" {
		r = r.With("Origin", origin)
	}
	r = r.With("Access-Control-Request-Method", method)
	if method == http.MethodPost {
		r = r.With("Access-Control-Request-Headers", "authorization,content-type")
	}
	return r
}

func (a *auth) preflightAt(ctx context.Context, doors []string, origin string) error {
	a.heard = nil
	for _, door := range doors {
		if err := a.ask(ctx, preflight(door, origin)); err != nil {
			return err
		}
	}
	return nil
}

func (a *auth) preflightEverywhere(ctx context.Context, origin string) error {
	return a.preflightAt(ctx, doors, origin)
}

func (a *auth) preflightElsewhere(ctx context.Context, in string) error {
	return a.preflightAt(ctx, otherPaths, originOf(in))
}

func (a *auth) askElsewhere(ctx context.Context, in string) error {
	return a.askAt(ctx, otherPaths, withOrigin(originOf(in)))
}

// extensionDoors are the ways in of an extension. The upgrade comes last, since
// it takes the browser's place.
var extensionDoors = []string{"GET /ping", "POST /pair", "POST /extension", "GET /extension"}

func (a *auth) askAsExtension(ctx context.Context, origin string) error {
	return a.askAt(ctx, extensionDoors, withOrigin(origin))
}

// areCapitalsRefused wants 403 everywhere. A stranger may let them in.
func (a *auth) areCapitalsRefused() error {
	return a.judge(func(e *exchange) error {
		if in(e.answer.Status) {
			return a.w.Allow("capitals", "%s from an Origin with capitals in its UUID is answered with %d", e, e.answer.Status)
		}
		return a.turnedAway(e, http.StatusForbidden)
	})
}

func (a *auth) opensSocketFrom(ctx context.Context, origin string) error {
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	return a.opensFrom(ctx, origin, token)
}

// opensFrom opens a socket with a token.
func (a *auth) opensFrom(ctx context.Context, origin, token string) error {
	e, err := a.send(ctx, upgrade("/extension", origin, protocol.Version, protocol.TokenProtocol+token))
	if err != nil {
		return err
	}
	if e.answer.Status != http.StatusSwitchingProtocols {
		return a.w.Fail("dead-token", "the token from %s is answered with %d at the upgrade", origin, e.answer.Status)
	}
	return nil
}
