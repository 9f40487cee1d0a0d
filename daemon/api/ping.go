package api

import (
	"net/http"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ping says that this is omw, and proves with a nonce that it knows the token
// (AUTH-06, AUTH-20). It tells nothing else about the machine.
func (h *Handler) ping(v *visit) {
	if !h.emptied(v) {
		return
	}
	fields := map[string]any{"name": "omw", "version": h.cfg.Version, "protocol": protocol.Version}
	if query := v.r.URL.Query(); query.Has("nonce") {
		nonce := query["nonce"]
		if len(nonce) != 1 || !h.isNonce(nonce[0]) {
			refuse(v.w, protocol.Errorf(protocol.BadRequest, "nonce must be %d to %d characters of base64url", h.limits.NonceMin, h.limits.NonceMax))
			return
		}
		fields["proof"] = protocol.Proof(h.cfg.Token(), nonce[0])
	}
	replyJSON(v.w, http.StatusOK, fields)
}

func (h *Handler) isNonce(s string) bool {
	if len(s) < h.limits.NonceMin || len(s) > h.limits.NonceMax {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}
