package gate

import (
	"net/http"
	"strings"
)

// isPreflight reports whether a browser asks by r whether an extension may make
// another request (the Fetch standard, CORS-preflight). That it has the Origin
// of one is known.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// allow sets what a preflight asks for. Credentials are never allowed: the token
// is sent by the extension's own hand, and cookies are no business of ours.
func allow(h http.Header, r *http.Request, route *Route) {
	h.Set("Access-Control-Allow-Methods", strings.Join(route.Methods, ", "))
	h.Set("Access-Control-Allow-Headers", "authorization, content-type")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
}
