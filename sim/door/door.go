// Package door is the HTTP side of a daemon as the client of an agent meets it:
// it answers what it is told to answer, and remembers every request with the
// time at which it came. It has no browser behind it and asserts nothing; who
// judges a client reads what it remembers (KIT-11).
package door

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Proof says what GET /ping?nonce= shows of the token (AUTH-20).
type Proof int

// The proofs. Proven is what a daemon shows; the others are strangers on its
// port, of which Missing is a daemon's own look without the proof, and Wrong
// one that makes the proof with a token of its own.
const (
	Proven Proof = iota
	Missing
	Wrong
)

// Config says what a Door is.
type Config struct {
	// Token is the one that the door proves to know, and Accept the one that it
	// takes with a command, if that is another.
	Token, Accept string
	// Proof is what it shows of the token.
	Proof Proof
	// Answer says what comes of a request to /command that has the token; OK with
	// an empty object if it is nil. It is called on the request's own goroutine.
	Answer func(Request) Reply
	// Observe, if set, gets every request when it has been read, and again when
	// it has ended. It is called from several goroutines and must not wait.
	Observe func(Request)
}

// Request is one HTTP request that came to the door.
type Request struct {
	// Seq counts requests from 1, Conn connections from 1.
	Seq, Conn int
	// At is when it had been read.
	At time.Time
	// Method and Target are as they stood in the request line.
	Method, Target string
	Host           string
	Header         http.Header
	Body           []byte
	// Ended is when it was answered or given up, zero before.
	Ended time.Time
	// Status is the answer's, 0 if there was none.
	Status int
	// Answer is the answer's body, and AnswerHeader its header.
	Answer       []byte
	AnswerHeader http.Header
	// Gone is true if the client hung up before it had an answer.
	Gone bool
}

// ID returns the id that the answer carries: the command's own, or one that the
// door makes where it has none (CMD-02).
func (q *Request) ID() string {
	var command struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(q.Body, &command); err != nil || command.ID == "" {
		return fmt.Sprintf("door-%d", q.Seq)
	}
	return command.ID
}

// Door is a server. Its methods may be called by several goroutines.
type Door struct {
	cfg Config

	mu       sync.Mutex
	conns    int
	requests []Request
	changed  chan struct{}
}

// New returns a Door that serves nobody yet.
func New(cfg Config) *Door {
	return &Door{cfg: cfg, changed: make(chan struct{})}
}

// Serve answers requests on ln until ctx ends, and then returns nil once every
// connection is gone. It closes ln.
func (d *Door) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{
		Handler:           http.HandlerFunc(d.serve),
		ConnContext:       d.number,
		ReadHeaderTimeout: 30 * time.Second,
		// The request's contexts end with the door's.
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-ctx.Done()
		_ = srv.Close()
	}()
	err := srv.Serve(ln)
	if ctx.Err() == nil {
		return err
	}
	<-ended
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

type connKey struct{}

func (d *Door) number(ctx context.Context, _ net.Conn) context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.conns++
	return context.WithValue(ctx, connKey{}, d.conns)
}

// Requests returns what came so far, in order.
func (d *Door) Requests() []Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.requests)
}

// Await waits until pick is satisfied with what came so far. The error is
// ctx's.
func (d *Door) Await(ctx context.Context, pick func([]Request) bool) error {
	for {
		d.mu.Lock()
		requests, changed := slices.Clone(d.requests), d.changed
		d.mu.Unlock()
		if pick(requests) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// bodyLimit is more than any daemon takes, so that what is too large is seen.
const bodyLimit = 4 << 20

func (d *Door) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit))
	if err != nil {
		return
	}
	conn, _ := r.Context().Value(connKey{}).(int)
	q := d.came(Request{
		Conn: conn, At: time.Now(), Method: r.Method, Target: r.RequestURI,
		Host: r.Host, Header: r.Header.Clone(), Body: body,
	})
	whole := d.reply(r, q).write(r.Context(), w, &q, func() {
		q.Ended = time.Now()
		d.ended(q)
	})
	if !whole {
		// The server closes the connection and writes nothing more.
		panic(http.ErrAbortHandler)
	}
}

func (d *Door) came(q Request) Request {
	d.mu.Lock()
	q.Seq = len(d.requests) + 1
	d.requests = append(d.requests, q)
	d.signal()
	d.mu.Unlock()
	if d.cfg.Observe != nil {
		d.cfg.Observe(q)
	}
	return q
}

func (d *Door) ended(q Request) {
	d.mu.Lock()
	d.requests[q.Seq-1] = q
	d.signal()
	d.mu.Unlock()
	if d.cfg.Observe != nil {
		d.cfg.Observe(q)
	}
}

// signal wakes who waits. d.mu is held.
func (d *Door) signal() {
	close(d.changed)
	d.changed = make(chan struct{})
}

func (d *Door) reply(r *http.Request, q Request) Reply {
	switch {
	case r.URL.Path == "/ping" && r.Method == http.MethodGet:
		return d.pong(r.URL.Query().Get("nonce"))
	case r.Header.Get("Authorization") != "Bearer "+cmp.Or(d.cfg.Accept, d.cfg.Token):
		return refusal(protocol.Errorf(protocol.Unauthorized, "the token is missing or wrong; send it as Authorization: Bearer"))
	case r.URL.Path != "/command" || r.Method != http.MethodPost:
		return refusal(protocol.Errorf(protocol.NotFound, "there is nothing at this path"))
	case d.cfg.Answer == nil:
		return OK("{}")
	}
	return d.cfg.Answer(q)
}
