package record

import (
	"net"
	"net/http"
	"regexp"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
)

// browserOf returns the browser whose extension sent a request, by its Origin;
// "" for an agent.
func browserOf(r *relay.Request) protocol.Browser {
	switch origin := r.Header.Get("Origin"); {
	case strings.HasPrefix(origin, "chrome-extension://"):
		return protocol.Chrome
	case strings.HasPrefix(origin, "moz-extension://"):
		return protocol.Firefox
	}
	return ""
}

// isUpgrade reports whether an extension wants a link.
func isUpgrade(r *relay.Request) bool {
	return browserOf(r) != "" && r.Method == http.MethodGet && pathOf(r) == "/extension" && r.Header.Get("Upgrade") != ""
}

// recorded reports whether an agent's request becomes lines. What only looks at
// the daemon does not, since those who play a tape do so themselves. A new token
// cannot: a tape has none.
func recorded(r *relay.Request) bool {
	switch pathOf(r) {
	case "/ping", "/admin/status", "/admin/token":
		return false
	}
	return r.Method != http.MethodOptions && browserOf(r) == ""
}

func pathOf(r *relay.Request) string {
	p, _, _ := strings.Cut(r.Target, "?")
	return p
}

// bearer returns the token that a request was sent with; "" if none.
func bearer(h http.Header) string {
	scheme, token, _ := strings.Cut(h.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

// offered returns the token that an upgrade offers as a subprotocol.
func offered(h http.Header) string {
	for _, list := range h.Values("Sec-Websocket-Protocol") {
		for _, p := range strings.Split(list, ",") {
			if token, ok := strings.CutPrefix(strings.TrimSpace(p), protocol.TokenProtocol); ok {
				return token
			}
		}
	}
	return ""
}

// isLocal reports whether a Host is what an agent of a tape sends by itself.
func isLocal(host string) bool {
	name, _, err := net.SplitHostPort(host)
	return host == "127.0.0.1" || err == nil && name == "127.0.0.1"
}

var plainJSON = regexp.MustCompile(`(?i)^application/json(; *charset=utf-8)?$`)
