package api

import (
	"net/http"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// extension upgrades a GET to the browser's link. A POST says what an upgrade
// would get now, since a browser cannot see the status of a refused upgrade; it
// takes no place.
func (h *Handler) extension(v *visit) {
	if !h.emptied(v) {
		return
	}
	if v.r.Method == http.MethodPost {
		if err := h.router.Free(v.Browser); err != nil {
			refuse(v.w, protocol.AsError(err))
			return
		}
		v.w.WriteHeader(http.StatusNoContent)
		return
	}
	if err := isUpgrade(v.r); err != nil {
		refuse(v.w, err)
		return
	}
	place, err := h.router.Reserve(v.Browser)
	if err != nil {
		refuse(v.w, protocol.AsError(err))
		return
	}
	defer place.Leave()
	link, err := browser.Accept(v.w, v.r, browser.Config{
		Browser: v.Browser, Origin: v.Origin,
		Limits: h.limits, Buffer: h.buffer, Log: h.cfg.Log,
		Connected: func(l *browser.Link) { place.Connect(l, h.welcome()) },
		Ended:     place.Leave,
		Request:   h.request,
	})
	if err != nil {
		h.cfg.Log.Debug("upgrade failed", "error", err)
		return
	}
	v.release() // an upgraded socket holds no slot
	place.Hold(link)
	if token, _ := gate.TokenOf(v.r, true); !gate.CheckToken(token, h.cfg.Token()) {
		// The token was rotated after the gate let this one in, and those whom
		// the rotation put out may have been counted before it was held.
		link.Close(rotated.Code, rotated.Reason)
	}
	link.Run()
}

// welcome returns the frame that answers a hello.
func (h *Handler) welcome() []byte {
	e := protocol.DefaultExtensionLimits()
	w := protocol.Welcome{DaemonVersion: h.cfg.Version, Limits: asJSON(map[string]any{
		"body": h.limits.Body, "message": h.limits.Message, "inline": e.Inline,
		"waiting": e.Waiting, "tabs": e.Tabs, "jobs": e.Jobs, "pdf": h.limits.PDF,
		"ping_ms": e.Ping.Milliseconds(), "silence_ms": e.Silence.Milliseconds(),
	})}
	return w.AppendTo(nil)
}
