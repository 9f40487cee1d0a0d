package browser

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Config is what a link needs. All fields are required.
type Config struct {
	// Browser is what the WebSocket's Origin says, whatever hello claims (ROUTE-01).
	Browser protocol.Browser
	// Origin is that Origin, for the status alone.
	Origin string
	Limits protocol.Limits
	// Buffer is shared by the links of all browsers (LIMIT-08).
	Buffer *Buffer
	Log    *slog.Logger
	// Connected is called once, when a good hello has come, and says what is
	// to be sent before any command. The link takes commands from then on.
	Connected func(*Link)
	// Ended is called once, as soon as the link takes no more commands.
	Ended func()
	// Request answers a request frame with a result frame (CMD-13). It is
	// called in a goroutine that the link owns, under a context that ends with
	// the link.
	Request func(context.Context, *protocol.Request) []byte
}

// Link is the connection to one browser's extension.
type Link struct {
	cfg     Config
	conn    *websocket.Conn
	log     *slog.Logger
	silence *time.Timer
	noHello *time.Timer

	// answering counts the goroutines that answer request frames; their
	// context, ctx, ends with the link.
	answering sync.WaitGroup
	ctx       context.Context
	cancel    context.CancelFunc

	hello protocol.Hello // set before Connected is called, constant from then on

	wake  chan struct{} // holds one token when out has grown
	ended chan struct{} // closed when end is set

	mu      sync.Mutex
	pending map[string]*Call
	// waiting holds each session's admitted commands that have not been sent,
	// in the order of their admission (CMD-06).
	waiting map[string][]*Call
	out     []outgoing
	used    [2]int // slots taken: ordinary, reserved
	sent    uint64 // counts the command frames, in the order they were queued
	end     *ending
}

// outgoing is one message to write: a call, whose frame is made when its turn
// comes so that it says how much time is left, or a text that is ready.
type outgoing struct {
	call *Call
	text []byte
}

// ending says why a link ended. A code of 0 means that the peer is gone and a
// close frame makes no sense.
type ending struct {
	code   websocket.StatusCode
	reason string
}

// closeGrace bounds the close handshake with a peer that may be dead, so that
// a shutdown keeps its 5 s.
const closeGrace = 2 * time.Second

// Accept upgrades an admitted request and returns its link, on which Run must
// be called. It selects omw.v1 and never echoes the token's subprotocol
// (AUTH-04). After an error the answer has been written.
func Accept(w http.ResponseWriter, r *http.Request, cfg Config) (*Link, error) {
	ctx, cancel := context.WithCancel(context.Background())
	l := &Link{
		cfg: cfg, log: cfg.Log.With("browser", string(cfg.Browser)),
		ctx: ctx, cancel: cancel,
		wake: make(chan struct{}, 1), ended: make(chan struct{}),
		pending: map[string]*Call{}, waiting: map[string][]*Call{},
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: []string{protocol.Version},
		// The gate has checked the Origin more strictly than this library would.
		InsecureSkipVerify: true,
		CompressionMode:    websocket.CompressionDisabled,
		OnPingReceived:     func(context.Context, []byte) bool { l.heard(); return true },
	})
	if err != nil {
		cancel()
		return nil, err
	}
	conn.SetReadLimit(cfg.Limits.Message)
	l.conn = conn
	return l, nil
}

// Browser returns which browser this is.
func (l *Link) Browser() protocol.Browser { return l.cfg.Browser }

// Origin returns the extension's origin.
func (l *Link) Origin() string { return l.cfg.Origin }

// Hello returns what the extension said of itself, once Connected was called.
func (l *Link) Hello() protocol.Hello { return l.hello }

// Use returns how many ordinary and reserved slots are taken.
func (l *Link) Use() (ordinary, reserved int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used[ordinarySlot], l.used[reservedSlot]
}

// Run serves the link until it ends, by its peer, by a fault or by Close. When
// it returns every command is settled and every goroutine of the link is done.
func (l *Link) Run() {
	l.silence = time.AfterFunc(l.cfg.Limits.Silence, func() {
		l.Close(websocket.StatusPolicyViolation, "nothing was received for "+l.cfg.Limits.Silence.String())
	})
	l.noHello = time.AfterFunc(l.cfg.Limits.HelloTime, func() {
		l.Close(websocket.StatusPolicyViolation, "no hello within "+l.cfg.Limits.HelloTime.String())
	})
	var own sync.WaitGroup
	own.Go(l.write)
	own.Go(l.closeWhenEnded)
	l.read()
	l.silence.Stop()
	l.noHello.Stop()
	own.Wait()
	l.answering.Wait()
}

// Close ends the link with a close frame and settles its commands at once. It
// does not wait for the peer; Run returns when all is done.
func (l *Link) Close(code websocket.StatusCode, reason string) {
	l.finish(ending{code: code, reason: reason})
}

// finish ends the link once, for its first cause, and settles every command in
// flight on it with outcome_unknown (CMD-04).
func (l *Link) finish(e ending) {
	l.mu.Lock()
	if l.end != nil {
		l.mu.Unlock()
		return
	}
	l.end = &e
	calls := make([]*Call, 0, len(l.pending))
	for _, c := range l.pending {
		calls = append(calls, c)
	}
	l.mu.Unlock()

	l.cfg.Ended()
	l.log.Info("extension disconnected", "reason", e.reason, "in_flight", len(calls))
	for _, c := range calls {
		l.settle(c, Outcome{Err: l.lost})
	}
	l.cancel()
	close(l.ended)
}

// closeWhenEnded does the close handshake beside the reader, which sees the
// peer's half of it.
func (l *Link) closeWhenEnded() {
	<-l.ended
	if l.end.code != 0 {
		late := time.AfterFunc(closeGrace, func() { _ = l.conn.CloseNow() })
		defer late.Stop()
		_ = l.conn.Close(l.end.code, l.end.reason)
	}
	_ = l.conn.CloseNow()
}

func (l *Link) lost(written bool) *protocol.Error {
	if !written {
		return protocol.Unknown(protocol.DeliveredNo, "%s's extension disconnected before the command was sent to it",
			l.cfg.Browser.Title())
	}
	return Lost()
}

// Lost returns the error of a command whose link ended before its whole answer
// had come.
func Lost() *protocol.Error {
	return protocol.Unknown(protocol.DeliveredUnknown, "the extension disconnected before it answered whole; "+
		"the command may have run, so look at the page before you send it again")
}

// Send queues a text frame. It never blocks.
func (l *Link) Send(text []byte) {
	l.mu.Lock()
	l.out = append(l.out, outgoing{text: text})
	l.mu.Unlock()
	l.signal()
}

func (l *Link) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
