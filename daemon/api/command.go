package api

import (
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// command serves POST /command. What the gate refuses has a status of its own;
// behind it the status is 200 whatever came of the command.
func (h *Handler) command(v *visit) {
	body, refusal := v.body(h.limits.Body, h.limits.BodyTime)
	if refusal != nil {
		refuse(v.w, refusal)
		return
	}
	c, err := protocol.DecodeCommand(body, h.limits)
	if err != nil {
		refuse(v.w, protocol.AsError(err))
		return
	}
	a := h.run(c)
	defer a.free()
	switch {
	case a.err == nil:
		reply(v.w, http.StatusOK, protocol.AppendAnswer(make([]byte, 0, len(a.data)+len(a.id)+64), a.id, a.data))
	case a.refused:
		reply(v.w, a.err.Code.Status(), protocol.AppendError(nil, a.id, a.err))
	default:
		reply(v.w, http.StatusOK, protocol.AppendError(nil, a.id, a.err))
	}
}

// answer is what came of a command. Its owner calls free when the answer has
// been written, or given up.
type answer struct {
	id   string
	data jsontext.Value
	err  *protocol.Error
	// refused says that the err is the gate's: what a browser answers has the
	// status 200, whatever its code.
	refused bool
	free    func()
}

func failure(id string, err error) answer {
	return answer{id: id, err: protocol.AsError(err), free: func() {}}
}

// run takes a command that was found good through the daemon and back. Its
// deadline starts now and includes every queue. The answer is bound to no
// caller: a caller that goes away does not take back what the browser may be
// doing already (CMD-15).
func (h *Handler) run(c protocol.Command) answer {
	deadline := time.Now().Add(c.Timeout)
	release, err := h.ids.take(&c)
	if err != nil {
		a := failure(c.ID, err)
		a.refused = true
		return a
	}
	defer release()
	link, err := h.router.Pick(c)
	if err != nil {
		return failure(c.ID, err)
	}
	if c.Action.Name == "close_session" && !h.router.Bound(c.Session) {
		return answer{id: c.ID, data: jsontext.Value(`{"closed":[],"released":[]}`), free: func() {}}
	}
	call, err := link.Admit(c.Action, c.Session, deadline)
	if err != nil {
		return failure(c.ID, err)
	}
	return h.send(c, call)
}

// send sends an admitted command and waits for what comes of it.
func (h *Handler) send(c protocol.Command, call *browser.Call) answer {
	link := call.Link()
	files, err := h.prepare(c, call)
	if err != nil {
		call.Drop()
		return failure(c.ID, err)
	}
	defer files.free()
	if c.Action.Binds && !call.Over() {
		if err := h.router.Bind(c, link.Browser()); err != nil {
			call.Drop()
			return failure(c.ID, err)
		}
	}
	call.Send(files.args)
	data, failed := call.Wait()
	if failed != nil {
		return failure(c.ID, failed)
	}
	if c.Action.Name == "close_session" {
		h.router.Unbind(c.Session, call)
	}
	data, free, err := h.collect(files, c.Action, call, data)
	if err != nil {
		call.Free()
		return failure(c.ID, err)
	}
	return answer{id: c.ID, data: data, free: func() { free(); call.Free() }}
}
