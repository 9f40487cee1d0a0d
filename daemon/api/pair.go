package api

import (
	"net/http"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// pair redeems a pairing code for the token (AUTH-07). Few are served at a time
// and their bodies are small and quick, so that nobody starves the person who
// pairs (AUTH-21).
func (h *Handler) pair(v *visit) {
	if !h.guests.Take() {
		v.w.Header().Set("Retry-After", "1")
		h.turnAway(v.w, v.r, protocol.Errorf(protocol.Busy, "%d pairings are being served already; try again", h.limits.PairConcurrent))
		return
	}
	defer h.guests.Free()
	body, refusal := v.body(h.limits.PairBody, h.limits.PairBodyTime)
	if refusal != nil {
		refuse(v.w, refusal)
		return
	}
	code, err := protocol.DecodePair(body, h.limits)
	if err != nil {
		refuse(v.w, protocol.AsError(err))
		return
	}
	refusal = h.pairing.Redeem(code, v.Origin)
	h.cfg.Log.Info("pairing attempt", "origin", v.Origin, "accepted", refusal == nil)
	switch {
	case refusal == nil:
		replyJSON(v.w, http.StatusOK, map[string]any{"token": h.cfg.Token()})
	case refusal.Code == protocol.Busy:
		v.w.Header().Set("Retry-After", "1")
		refuse(v.w, refusal)
	default:
		refuse(v.w, refusal)
	}
}
