package door

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Reply is what comes of a request.
type Reply struct {
	// Status is the HTTP status, and Header what the answer's header has beside
	// its media type.
	Status int
	Header http.Header
	// Data is a JSON object, the result; Failed, if set, is the error instead.
	Data   []byte
	Failed *protocol.Error
	// Wait is how long it takes.
	Wait time.Duration

	body       []byte
	held       <-chan Reply
	never, cut bool
}

// OK succeeds with data, a JSON object.
func OK(data string) Reply {
	return Reply{Status: http.StatusOK, Data: []byte(data)}
}

// Fail fails behind the gate: with status 200, whatever the code (wire.md,
// section 1).
func Fail(e *protocol.Error) Reply {
	return Reply{Status: http.StatusOK, Failed: e}
}

// Refuse fails in the gate, with the code's own status.
func Refuse(e *protocol.Error) Reply { return refusal(e) }

// Full is the refusal of a daemon whose 288 are taken, to be asked again after
// so many seconds (LIMIT-01).
func Full(seconds int) Reply {
	r := refusal(protocol.Errorf(protocol.Busy, "too many requests are being served; ask again later"))
	r.Header = http.Header{"Retry-After": {strconv.Itoa(seconds)}}
	return r
}

// Never is no answer at all, as long as the client waits.
func Never() Reply { return Reply{never: true} }

// Held is whatever comes on the channel, when it comes.
func Held(reply <-chan Reply) Reply { return Reply{held: reply} }

// Cut closes the connection without an answer.
func Cut() Reply { return Reply{cut: true} }

// After is r, so much later.
func After(wait time.Duration, r Reply) Reply {
	r.Wait = wait
	return r
}

func refusal(e *protocol.Error) Reply {
	return Reply{Status: e.Code.Status(), Failed: e}
}

// pong is the answer to GET /ping.
func (d *Door) pong(nonce string) Reply {
	pong := map[string]string{"name": "omw", "version": "0.0.0", "protocol": protocol.Version}
	if nonce != "" {
		switch d.cfg.Proof {
		case Proven:
			pong["proof"] = protocol.Proof(d.cfg.Token, nonce)
		case Wrong:
			pong["proof"] = protocol.Proof("another token than the client's", nonce)
		}
	}
	body, err := json.Marshal(pong)
	if err != nil {
		panic(err)
	}
	return Reply{Status: http.StatusOK, body: body}
}

// write writes r as the answer to q, and notes there what came of it. ended is
// called before the client can know, so that nothing it does next comes first.
// It returns false if the connection is to be closed.
func (r Reply) write(ctx context.Context, w http.ResponseWriter, q *Request, ended func()) bool {
	if r.held != nil {
		select {
		case r = <-r.held:
		case <-ctx.Done():
			r = Never()
		}
	}
	if !r.wait(ctx) {
		q.Gone = true
		ended()
		return false
	}
	if r.cut {
		ended()
		return false
	}
	switch {
	case r.Failed != nil:
		r.body = protocol.AppendError(nil, q.ID(), r.Failed)
	case r.body == nil:
		r.body = protocol.AppendAnswer(nil, q.ID(), r.Data)
	}
	for name, values := range r.Header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json")
	q.Status, q.Answer, q.AnswerHeader = r.Status, r.body, w.Header().Clone()
	ended()
	w.WriteHeader(r.Status)
	_, err := w.Write(r.body)
	return err == nil
}

// wait lets the time pass that the reply takes; false if the client is gone by
// then.
func (r Reply) wait(ctx context.Context) bool {
	var due <-chan time.Time
	switch {
	case r.never:
	case r.Wait <= 0:
		return true
	default:
		timer := time.NewTimer(r.Wait)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-due:
		return true
	case <-ctx.Done():
		return false
	}
}
