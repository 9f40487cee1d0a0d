package steps

import (
	"context"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// doors are the ways into the daemon that a rule about every path means, one
// that leads nowhere included.
var doors = []string{
	"GET /ping", "POST /pair", "POST /extension", "GET /extension",
	"POST /command", "GET /json/version", "GET /json", "GET /json/list", "GET /devtools/page/1", "GET /devtools/browser",
	"POST /admin/pair", "GET /admin/status", "GET /no/such/path",
}

// letter returns a request that is good in every way at a door, which is named
// by its method and path: at /pair and /extension it comes from the extension
// in Chrome, everywhere else from a program, and it always has the token where
// the daemon looks for one.
func (a *auth) letter(ctx context.Context, door string) (sim.Request, error) {
	method, path, _ := strings.Cut(door, " ")
	r := sim.Request{Method: method, Target: path}
	d, err := a.w.Daemon(ctx)
	if err != nil {
		return r, err
	}
	token, err := d.Token(ctx)
	if err != nil {
		return r, err
	}
	switch {
	case door == "POST /pair":
		code, err := a.openCode(ctx)
		return guess(sim.Chrome.Origin, code), err
	case door == "GET /extension":
		return upgrade(path, sim.Chrome.Origin, protocol.Version, protocol.TokenProtocol+token), nil
	case path == "/pair" || path == "/extension":
		r = r.With("Origin", sim.Chrome.Origin)
	case strings.HasPrefix(path, "/devtools/"):
		r = upgrade(path, "", "")
	case method == "POST" && path == "/command":
		r = sim.Post(path, `{"action":"tabs"}`)
	}
	return r.With("Authorization", "Bearer "+token), nil
}

// openCode returns the scenario's pairing code, which it makes at the first
// call. Where none can be made, another takes its place, since only those who
// look for the answer of a right one need it.
func (a *auth) openCode(ctx context.Context) (string, error) {
	if len(a.codes) > 0 {
		return a.code()
	}
	err := a.makeCode(ctx)
	if _, hidden := target.IsUnobservable(err); hidden {
		return "000000", nil
	}
	if err != nil {
		return "", err
	}
	return a.code()
}

// upgrade returns a WebSocket handshake. An origin of "" sends none, and so do
// no offers.
func upgrade(path, origin string, offers ...string) sim.Request {
	r := sim.Get(path).With("Connection", "Upgrade").With("Upgrade", "websocket").
		With("Sec-WebSocket-Version", "13").With("Sec-WebSocket-Key", "b213IGlzIG5vdCBhIHRveQ==")
	r.Method = "GET"
	if origin != "" {
		r = r.With("Origin", origin)
	}
	if offer := strings.Join(offers, ", "); offer != "" {
		r = r.With("Sec-WebSocket-Protocol", offer)
	}
	return r
}

// without returns the request without the header lines of that name.
func without(r sim.Request, name string) sim.Request {
	r.Headers = slices.DeleteFunc(slices.Clone(r.Headers), func(h sim.Header) bool { return strings.EqualFold(h.Name, name) })
	return r
}

// tokenless returns the request with everything but the token.
func tokenless(r sim.Request) sim.Request {
	r = without(r, "Authorization")
	for i, h := range r.Headers {
		if h.Name == "Sec-WebSocket-Protocol" {
			r.Headers = slices.Clone(r.Headers)
			r.Headers[i].Value, _, _ = strings.Cut(h.Value, ", ")
		}
	}
	return r
}
