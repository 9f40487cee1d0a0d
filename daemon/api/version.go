package api

import (
	"net/http"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// version answers GET /json/version in the shape that CDP clients parse, also
// with no browser connected (ROUTE-10).
func (h *Handler) version(v *visit) {
	if !h.emptied(v) {
		return
	}
	product := "omw/" + h.cfg.Version
	if l := h.router.Links()[protocol.Chrome]; l != nil {
		product = "Chrome/" + l.Hello().BrowserVersion
	}
	replyJSON(v.w, http.StatusOK, map[string]any{
		"Browser": product, "Protocol-Version": "1.3", "User-Agent": "omw/" + h.cfg.Version, "omw-Version": h.cfg.Version,
	})
}
