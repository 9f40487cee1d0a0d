package api

import "github.com/oh-my-webbridge/omw/daemon/protocol"

// request serves a command that the extension itself sends (CMD-13), with the
// checks of /command. Free is to be called when the result has been written.
func (h *Handler) request(f *protocol.Request) (result []byte, free func()) {
	a := h.requested(f)
	r := protocol.Result{ID: a.id, OK: a.err == nil, Data: a.data, Error: a.err}
	return r.AppendTo(nil), a.free
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
