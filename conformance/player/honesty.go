package player

import "github.com/oh-my-webbridge/omw/conformance/world"

// honesty compares what agents were told with what browsers started (KIT-10).
// The zero value is ready.
type honesty struct{ count world.Honesty }

// check says which request does not agree, "" if all do.
func (h *honesty) check() string {
	if err := h.count.Check(); err != nil {
		return err.Error()
	}
	return ""
}

// answered counts an answer to a request.
func (h *honesty) answered(r *request) {
	a := r.answer
	if r.action == "close_session" && a.OK {
		// The daemon itself may close a session that no browser has.
		h.count.Answered(r.id, world.Uncertain)
		return
	}
	if r.asked && gateCodes[string(a.Code)] {
		h.count.Answered(r.id, world.Refused)
		return
	}
	h.count.Answered(r.id, world.AnswerTo(a.Status, a.OK, string(a.Code), string(a.Delivered)))
}

// gateCodes are the codes by which the gate refuses a request of an extension,
// which has no status.
var gateCodes = map[string]bool{"bad_request": true, "too_large": true, "conflict": true}
