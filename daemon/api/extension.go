package api

import (
	"context"
	"net/http"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// extension upgrades a GET to the browser's link. A POST says what an upgrade
// would get now, since a browser cannot see the status of a refused upgrade; it
// takes no place.
func (h *Handler) extension(v *visit) {
	if _, err := v.body(h.limits.Body, h.limits.BodyTime); err != nil {
		refuse(v.w, err)
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
		Connected: func(l *browser.Link) { h.router.Connect(l, h.welcome()) },
		Ended:     place.Leave,
		Request:   h.request,
	})
	if err != nil {
		h.cfg.Log.Debug("upgrade failed", "error", err)
		return
	}
	v.release() // an upgraded socket holds no slot
	place.Hold(link)
	link.Run()
}

// isUpgrade refuses what is no WebSocket handshake (RFC 6455 §4.2.1) in the
// words of the wire, which the library would answer as plain text.
func isUpgrade(r *http.Request) *protocol.Error {
	switch {
	case !hasToken(r.Header["Connection"], "upgrade") || !hasToken(r.Header["Upgrade"], "websocket"):
		return protocol.Errorf(protocol.BadRequest, "this path is a WebSocket; connect to it as one")
	case r.Header.Get("Sec-WebSocket-Version") != "13":
		return protocol.Errorf(protocol.BadRequest, "the WebSocket version must be 13")
	case len(r.Header.Values("Sec-WebSocket-Key")) != 1:
		return protocol.Errorf(protocol.BadRequest, "one Sec-WebSocket-Key is expected")
	}
	return nil
}

func (h *Handler) welcome() []byte {
	e := protocol.DefaultExtensionLimits()
	w := protocol.Welcome{DaemonVersion: h.cfg.Version, Limits: asJSON(map[string]any{
		"body": h.limits.Body, "message": h.limits.Message, "inline": e.Inline,
		"waiting": e.Waiting, "tabs": e.Tabs, "jobs": e.Jobs, "pdf": h.limits.PDF,
		"ping_ms": e.Ping.Milliseconds(), "silence_ms": e.Silence.Milliseconds(),
	})}
	return w.AppendTo(nil)
}

// request serves a command that the extension itself sends (CMD-13), with the
// checks of /command.
func (h *Handler) request(_ context.Context, f *protocol.Request) []byte {
	a := h.requested(f)
	defer a.free()
	result := protocol.Result{ID: a.id, OK: a.err == nil, Data: a.data, Error: a.err}
	return result.AppendTo(nil)
}

func (h *Handler) requested(f *protocol.Request) answer {
	if int64(len(f.Raw)) > h.limits.Body {
		return failure(f.ID, protocol.Errorf(protocol.TooLarge, "the request is larger than %d bytes, which is the most", h.limits.Body))
	}
	c, err := protocol.DecodeRequest(f.Raw, h.limits)
	if err != nil {
		return failure(f.ID, err)
	}
	return h.run(c)
}
