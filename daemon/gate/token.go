package gate

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// TokenOf returns the token that a request presents, or the empty string if it
// presents none or several, and how it should present one. An upgrade presents
// it as a WebSocket subprotocol, everything else as the one Authorization
// header; nothing else in a request is ever looked at (AUTH-05).
func TokenOf(r *http.Request, upgrade bool) (presented, how string) {
	if upgrade {
		return fromSubprotocols(r.Header), "the WebSocket subprotocol " + protocol.TokenProtocol + "TOKEN beside " + protocol.Version
	}
	return fromAuthorization(r.Header), "Authorization: Bearer TOKEN"
}

// fromAuthorization reads "Bearer", in any case, one blank, and the token.
func fromAuthorization(h http.Header) string {
	const scheme = "Bearer "
	lines := h["Authorization"]
	if len(lines) != 1 || len(lines[0]) < len(scheme) || !strings.EqualFold(lines[0][:len(scheme)], scheme) {
		return ""
	}
	return lines[0][len(scheme):]
}

func fromSubprotocols(h http.Header) string {
	found, n := "", 0
	for offer := range members(h["Sec-Websocket-Protocol"]) {
		if rest, ok := strings.CutPrefix(offer, protocol.TokenProtocol); ok {
			found, n = rest, n+1
		}
	}
	if n != 1 {
		return ""
	}
	return found
}

// offers reports whether an upgrade offers omw.v1, once and byte for byte. The
// WebSocket library would take it in any case and echo the client's spelling.
func offers(r *http.Request) bool {
	n := 0
	for offer := range members(r.Header["Sec-Websocket-Protocol"]) {
		if offer == protocol.Version {
			n++
		}
	}
	return n == 1
}

// CheckToken reports whether presented is the token, in a time that tells
// nothing of either, their lengths included (AUTH-02). An empty token is nobody's.
func CheckToken(presented, token string) bool {
	got, want, none := sha256.Sum256([]byte(presented)), sha256.Sum256([]byte(token)), sha256.Sum256(nil)
	equal := subtle.ConstantTimeCompare(got[:], want[:])
	empty := subtle.ConstantTimeCompare(got[:], none[:])
	return equal&^empty == 1
}
