package api

import (
	"net/http"

	"github.com/oh-my-webbridge/omw/daemon/gate"
)

// routes lists what the daemon serves, and remembers by whom.
func (h *Handler) routes() ([]gate.Route, func() string) {
	get, post := []string{http.MethodGet}, []string{http.MethodPost}
	table := []struct {
		gate.Route
		serve func(*visit)
	}{
		{gate.Route{Path: "/ping", Methods: get, Open: true, Extension: true}, h.ping},
		{gate.Route{Path: "/pair", Methods: post, Open: true, Extension: true, NeedsOrigin: true, JSON: true}, h.pair},
		{gate.Route{Path: "/extension", Methods: []string{http.MethodGet, http.MethodPost}, Extension: true, NeedsOrigin: true, Subprotocol: true}, h.extension},
		{gate.Route{Path: "/command", Methods: post, JSON: true}, h.command},
		{gate.Route{Path: "/json/version", Slash: true, Methods: []string{http.MethodGet, http.MethodHead}}, h.version},
		{gate.Route{Path: "/admin/pair", Methods: post}, h.adminPair},
		{gate.Route{Path: "/admin/token", Methods: post}, h.adminToken},
		{gate.Route{Path: "/admin/status", Methods: get}, h.adminStatus},
	}
	routes := make([]gate.Route, len(table))
	h.serve = map[string]func(*visit){}
	for i, t := range table {
		routes[i] = t.Route
		h.serve[t.Path] = t.serve
	}
	return routes, h.cfg.Token
}
