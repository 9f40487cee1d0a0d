package record

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Config says what is recorded. The zero value stands before the daemon on
// protocol.DefaultAddr.
type Config struct {
	// Upstream is the daemon's address; protocol.DefaultAddr if empty.
	Upstream string
	// Dial reaches it; a net.Dialer's if nil.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Title is the tape's sentence.
	Title string
	// Round is what times are rounded to; 10 ms if 0.
	Round time.Duration
	// Most is how many bytes of messages are held in memory; 256 MiB if 0. Where
	// they are reached the recording ends, and what goes by goes on.
	Most int64
	// Changed is called after each message, from several goroutines; it must not
	// wait. It may be nil.
	Changed func(Summary)
}

const (
	defaultRound = 10 * time.Millisecond
	defaultMost  = 256 << 20
)

// Recorder records everything that passes through it. Its methods may be called
// by several goroutines.
type Recorder struct {
	cfg   Config
	relay *relay.Relay

	mu      sync.Mutex
	entries []entry
	held    int64
	summary Summary
}

// entry is one thing that went by.
type entry struct {
	at    time.Time
	event relay.Event
}

// Summary is what a Recorder has recorded so far.
type Summary struct {
	// Calls are requests of agents, Links connections of extensions that were
	// let in, Messages what was said on these.
	Calls    int `json:"calls"`
	Links    int `json:"links"`
	Messages int `json:"messages"`
	// Ends is how many of the Links have ended.
	Ends int `json:"ends"`
	// Unreachable is how many connections the daemon did not take.
	Unreachable int `json:"unreachable,omitzero"`
	// Full says that Config.Most was reached and the rest is not recorded.
	Full bool `json:"full,omitzero"`
	// Began is when the first message came, Ended the last.
	Began time.Time `json:"began,omitzero"`
	Ended time.Time `json:"ended,omitzero"`
}

// Duration is how long the recording is.
func (s Summary) Duration() time.Duration { return s.Ended.Sub(s.Began) }

// New returns a Recorder that has recorded nothing.
func New(cfg Config) *Recorder {
	if cfg.Upstream == "" {
		cfg.Upstream = protocol.DefaultAddr
	}
	if cfg.Dial == nil {
		cfg.Dial = (&net.Dialer{}).DialContext
	}
	if cfg.Round <= 0 {
		cfg.Round = defaultRound
	}
	if cfg.Most <= 0 {
		cfg.Most = defaultMost
	}
	r := &Recorder{cfg: cfg}
	r.relay = relay.New(relay.Config{Upstream: cfg.Upstream, Dial: cfg.Dial, Observe: r.observe})
	return r
}

// Serve passes connections of ln through until ctx ends, then closes ln and all
// of them, which is not recorded. The error is the listener's.
func (r *Recorder) Serve(ctx context.Context, ln net.Listener) error { return r.relay.Serve(ctx, ln) }

// Summary returns what has been recorded so far.
func (r *Recorder) Summary() Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.summary
}

// ErrNothing is the error of a recording without a line.
var ErrNothing = errors.New("nothing came by that a tape could hold, so that none was written")

// Tape returns what has been recorded so far, without secrets. It may be called
// while Serve runs. The error is ErrNothing if there is nothing.
func (r *Recorder) Tape() (*tape.Tape, error) {
	r.mu.Lock()
	entries, full := r.entries[:len(r.entries):len(r.entries)], r.summary.Full
	r.mu.Unlock()
	return compose(r.cfg, entries, full)
}

func (r *Recorder) observe(at time.Time, e relay.Event) {
	r.mu.Lock()
	size := sizeOf(e)
	switch {
	case r.summary.Full:
	case r.held+size > r.cfg.Most:
		r.summary.Full = true
	default:
		r.held += size
		r.entries = append(r.entries, entry{at, e})
		r.count(at, e)
	}
	now := r.summary
	r.mu.Unlock()
	if r.cfg.Changed != nil {
		r.cfg.Changed(now)
	}
}

// count is called with mu held.
func (r *Recorder) count(at time.Time, e relay.Event) {
	s := &r.summary
	if s.Began.IsZero() {
		s.Began = at
	}
	s.Ended = at
	switch e := e.(type) {
	case *relay.Request:
		if browserOf(e) == "" && recorded(e) {
			s.Calls++
		}
	case *relay.Garbled:
		s.Calls++
	case *relay.Answer:
		if e.Status == 101 {
			s.Links++
		}
	case *relay.Message:
		s.Messages++
	case *relay.End:
		s.Ends++
	case *relay.Unreachable:
		s.Unreachable++
	}
}

// overhead is what an entry costs beside its bytes.
const overhead = 256

func sizeOf(e relay.Event) int64 {
	size := overhead
	switch e := e.(type) {
	case *relay.Request:
		size += len(e.Body)
	case *relay.Answer:
		size += len(e.Body)
	case *relay.Garbled:
		size += len(e.Bytes)
	case *relay.Message:
		size += len(e.Data)
	}
	return int64(size)
}
