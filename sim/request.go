package sim

import (
	"context"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// requests are the extension's own requests that wait for their results.
type requests struct {
	mu      sync.Mutex
	waiting []*request
}

type request struct {
	id     string
	result chan protocol.Result
}

// Request sends a request frame (CMD-13): raw is a JSON object with the fields
// of /command, without "type". It waits for the result with the request's id,
// or, if it has none, for the next one that no other request waits for.
func (b *Browser) Request(ctx context.Context, raw []byte) (protocol.Result, error) {
	l := b.current()
	if l == nil || !l.alive() {
		return protocol.Result{}, ErrNotConnected
	}
	var id string
	if v := jsontext.Value(raw); v.IsValid() && v.Kind() == '{' {
		id, _ = protocol.StringArg(v, "id")
	}
	r := l.requests.add(id)
	defer l.requests.remove(r)
	frame := []byte(`{"type":"request"`)
	if body := trimBrace(raw); string(body) != "}" {
		frame = append(frame, ',')
		frame = append(frame, body...)
	} else {
		frame = append(frame, '}')
	}
	l.out.text(frame)
	select {
	case res := <-r.result:
		return res, nil
	case <-l.done:
		return protocol.Result{}, ErrNotConnected
	case <-ctx.Done():
		return protocol.Result{}, fmt.Errorf("await a result: %w", context.Cause(ctx))
	}
}

// trimBrace returns the object raw without its first brace.
func trimBrace(raw []byte) []byte {
	for i, c := range raw {
		switch c {
		case ' ', '\t', '\r', '\n':
		case '{':
			return raw[i+1:]
		default:
			return raw[i:]
		}
	}
	return nil
}

func (q *requests) add(id string) *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	r := &request{id: id, result: make(chan protocol.Result, 1)}
	q.waiting = append(q.waiting, r)
	return r
}

func (q *requests) remove(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, other := range q.waiting {
		if other == r {
			q.waiting = append(q.waiting[:i:i], q.waiting[i+1:]...)
			return
		}
	}
}

// answer hands a result to who waits for its id, else to who waits for any.
func (q *requests) answer(res *protocol.Result) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, id := range []string{res.ID, ""} {
		for i, r := range q.waiting {
			if r.id == id {
				q.waiting = append(q.waiting[:i:i], q.waiting[i+1:]...)
				r.result <- *res
				return
			}
		}
	}
}
