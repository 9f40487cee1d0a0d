package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// turnAway refuses a request whose body has not been read.
func (h *Handler) turnAway(w http.ResponseWriter, r *http.Request, e *protocol.Error) {
	h.leave(w, r)
	refuse(w, e)
}

// leave says that the request's body will not be read. The answer goes out at
// once, and the connection ends: net/http would first wait for the rest of the
// body, without end, to use the connection again.
func (h *Handler) leave(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(h.limits.BodyTime))
	}
}

// refuse answers what the gate refused: the status of its code, and the same
// error object as everywhere.
func refuse(w http.ResponseWriter, e *protocol.Error) {
	reply(w, e.Code.Status(), protocol.AppendError(nil, "", e))
}

func replyJSON(w http.ResponseWriter, status int, v any) { reply(w, status, asJSON(v)) }

// reply writes an answer whole, to its last byte, so that its slot and its room
// in the buffer are given back no sooner (LIMIT-01, LIMIT-08). A caller that is
// gone is no error: the answer is dropped (CMD-15).
func reply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		return
	}
	_ = http.NewResponseController(w).Flush()
}
