package gate

import (
	"net/http"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Route is one path of the daemon and what its visitors must bring.
type Route struct {
	// Path is compared with the request's path byte for byte. One that ends in
	// a slash stands for everything below it, and not for itself.
	Path string
	// Slash says that the path with a slash behind it means the same; some CDP
	// clients ask so.
	Slash bool
	// Methods are the methods served. Any other is 405 for who holds the token.
	Methods []string
	// Open routes need no token for their Methods (AUTH-01: /ping and /pair).
	Open bool
	// Extension routes accept the Origin of an extension and answer its
	// preflights (AUTH-15); everywhere else any Origin at all is refused.
	Extension bool
	// Subprotocol routes take the token of a GET from Sec-WebSocket-Protocol
	// alone, since a browser can send no other header with an upgrade (AUTH-04).
	Subprotocol bool
	// NeedsOrigin routes refuse a request without an Origin (AUTH-07).
	NeedsOrigin bool
	// JSON routes refuse a body that says that it is something else.
	JSON bool
}

// serves reports whether the route has that method.
func (r *Route) serves(method string) bool { return slices.Contains(r.Methods, method) }

// covers reports whether the route stands for that path.
func (r *Route) covers(path string) bool {
	if strings.HasSuffix(r.Path, "/") {
		return len(path) > len(r.Path) && strings.HasPrefix(path, r.Path)
	}
	return r.Path == path || (r.Slash && r.Path+"/" == path)
}

// Visitor is who made a request that was let in.
type Visitor struct {
	// Route is never nil in a request that was let in.
	Route *Route
	// Origin is the exact Origin of an extension, or empty.
	Origin string
	// Browser is the browser that the Origin belongs to (ROUTE-01), or empty.
	Browser protocol.Browser
	// Preflight is true for a CORS preflight: its answer is 204 with the headers
	// that are set already, and nothing else is to be done.
	Preflight bool
}

// Gate lets requests in. It is safe for concurrent use.
type Gate struct {
	routes []Route
	token  func() string
}

// New returns the gate of these routes. The token is asked for at each request,
// so that a rotation holds from the next one on.
func New(routes []Route, token func() string) *Gate {
	return &Gate{routes: slices.Clone(routes), token: token}
}

// Admit looks at everything but the body of r. It sets on w the headers that
// the answer must carry whatever it is: those of AUTH-19, those of CORS on the
// routes of the extension, Allow with a 405, WWW-Authenticate with a 401. It
// writes nothing.
//
// The checks stand in the order of the wire: Host and target (AUTH-12), Origin
// and Sec-Fetch-Site (AUTH-13 to 15, AUTH-19), token (AUTH-01, 02, 05), path,
// method, media type. The Visitor of a refused request holds what was known of
// it by then.
func (g *Gate) Admit(w http.ResponseWriter, r *http.Request) (Visitor, *protocol.Error) {
	secure(w.Header())
	if err := checkTarget(r); err != nil {
		return Visitor{}, err
	}
	v := Visitor{Route: g.find(r.URL.Path)}
	if v.Route != nil && v.Route.Extension {
		w.Header().Add("Vary", "Origin")
	}
	if err := v.comeFrom(r.Header); err != nil {
		return v, err
	}
	if v.Origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", v.Origin)
		if isPreflight(r) {
			v.Preflight = true
			allow(w.Header(), r, v.Route)
			return v, nil
		}
	}
	return v, g.admit(w, r, v.Route)
}

// admit is what stands behind the Origin: token, path, method, media type.
func (g *Gate) admit(w http.ResponseWriter, r *http.Request, route *Route) *protocol.Error {
	free := route != nil && route.Open && route.serves(r.Method)
	upgrade := route != nil && route.Subprotocol && r.Method == http.MethodGet
	if !free {
		presented, from := TokenOf(r, upgrade)
		if !CheckToken(presented, g.token()) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			return protocol.Errorf(protocol.Unauthorized, "the token is missing or wrong; send it as %s", from)
		}
	}
	switch {
	case route == nil:
		return protocol.Errorf(protocol.NotFound, "there is nothing at this path")
	case !route.serves(r.Method):
		w.Header().Set("Allow", strings.Join(route.Methods, ", "))
		return protocol.Errorf(protocol.MethodNotAllowed, "this path takes %s", strings.Join(route.Methods, " and "))
	case upgrade && !offers(r):
		return protocol.Errorf(protocol.BadRequest, "offer the WebSocket subprotocol %s, once and spelt so", protocol.Version)
	case route.JSON:
		return checkMedia(r.Header)
	}
	return nil
}

// find returns the route of a path, or nil.
func (g *Gate) find(path string) *Route {
	for i := range g.routes {
		if g.routes[i].covers(path) {
			return &g.routes[i]
		}
	}
	return nil
}

// secure sets what every answer carries, so that no page can use one that it
// obtained without asking (AUTH-19).
func secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}
