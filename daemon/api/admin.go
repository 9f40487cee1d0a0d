package api

import (
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/route"
)

// adminPair opens a pairing code, for omw pair.
func (h *Handler) adminPair(v *visit) {
	if !h.emptied(v) {
		return
	}
	code, expires := h.pairing.Open()
	replyJSON(v.w, http.StatusOK, map[string]any{"code": code, "expires_ms": time.Until(expires).Milliseconds()})
}

// rotated is what links are told that came in by a token which is no more.
var rotated = route.Farewell{Code: websocket.StatusPolicyViolation, Reason: "the token was rotated; pair again"}

// adminToken makes a new token. Whoever came in by the old one is put out: every
// link ends and an open pairing code is void.
func (h *Handler) adminToken(v *visit) {
	if !h.emptied(v) {
		return
	}
	token, err := h.cfg.Rotate()
	if err != nil {
		h.cfg.Log.Error("token not rotated", "error", err)
		refuse(v.w, protocol.Errorf(protocol.FileError, "the new token cannot be saved in the config directory; the old one stays valid"))
		return
	}
	h.pairing.Void()
	h.router.Disconnect(rotated)
	h.cfg.Log.Info("token rotated")
	replyJSON(v.w, http.StatusOK, map[string]any{"token": token})
}

// adminStatus tells the CLI what the daemon holds.
func (h *Handler) adminStatus(v *visit) {
	if !h.emptied(v) {
		return
	}
	bindings := h.router.Bindings()
	browsers := map[string]any{}
	links := h.router.Links()
	for _, b := range protocol.Browsers {
		l := links[b]
		if l == nil {
			browsers[string(b)] = map[string]any{"connected": false, "sessions": sessionsOf(bindings, b)}
			continue
		}
		ordinary, reserved := l.Use()
		browsers[string(b)] = map[string]any{
			"connected": true, "origin": l.Origin(),
			"browser_version": l.Hello().BrowserVersion, "extension_version": l.Hello().ExtensionVersion,
			"commands": ordinary, "reserved": reserved, "sessions": sessionsOf(bindings, b),
		}
	}
	replyJSON(v.w, http.StatusOK, map[string]any{
		"version": h.cfg.Version, "protocol": protocol.Version, "addr": h.cfg.Addr,
		"uptime_ms": time.Since(h.began).Milliseconds(), "requests": h.slots.InUse(),
		"buffered_bytes": h.buffer.Held(),
		"browsers":       browsers, "sessions": bindings, "pairing": h.pairingStatus(),
	})
}

func (h *Handler) pairingStatus() map[string]any {
	open, expires, left, attempts := h.pairing.Status()
	list := make([]any, len(attempts))
	for i, a := range attempts {
		list[i] = map[string]any{"origin": a.Origin, "outcome": a.Outcome, "ago_ms": time.Since(a.At).Milliseconds()}
	}
	status := map[string]any{"open": open, "attempts": list}
	if open {
		status["expires_ms"] = time.Until(expires).Milliseconds()
		status["attempts_left"] = left
	}
	return status
}

func sessionsOf(bindings map[string]protocol.Browser, b protocol.Browser) (n int) {
	for _, bound := range bindings {
		if bound == b {
			n++
		}
	}
	return n
}
