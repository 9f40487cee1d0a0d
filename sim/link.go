package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// link is one connection of a Browser. Three goroutines of the Browser's serve
// it: one reads, one writes (outbox), one keeps it alive.
type link struct {
	b    *Browser
	n    int
	ws   *websocket.Conn
	conn *memnet.Faulty
	out  *outbox

	ctx    context.Context
	cancel context.CancelCauseFunc
	// done is closed when the reader has ended: nothing comes from here on.
	done chan struct{}

	// welcome is closed when greeting is set.
	welcome  chan struct{}
	greeting *protocol.Welcome
	heard    chan struct{}
	// frozen: the background stands still, with its socket open.
	frozen atomic.Bool

	lanes     lanes
	artifacts artifacts
	requests  requests

	mu sync.Mutex
	// closing is the close frame that the daemon sent.
	closing *websocket.CloseError
}

func newLink(b *Browser, n int, ws *websocket.Conn, conn *memnet.Faulty) *link {
	l := &link{
		b: b, n: n, ws: ws, conn: conn,
		done: make(chan struct{}), welcome: make(chan struct{}), heard: make(chan struct{}, 1),
	}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	l.out = newOutbox(l)
	l.lanes.init(b.profile.Limits)
	l.artifacts.init()
	return l
}

// start begins to serve the link. b.mu is held.
func (l *link) start() {
	l.b.work.Go(l.read)
	l.b.work.Go(l.out.run)
	l.b.work.Go(l.keepAlive)
}

// greet sends hello and waits for the welcome.
func (l *link) greet(ctx context.Context) error {
	l.b.trace(l.n, Out, "open", []byte(l.b.profile.Origin))
	hello := l.b.hello()
	if len(hello) == 0 {
		return nil
	}
	l.out.text(hello)
	select {
	case <-l.welcome:
		return nil
	case <-l.done:
		code, reason, ok := l.said()
		if !ok {
			code = int(websocket.StatusAbnormalClosure)
		}
		return &Closed{Code: code, Reason: reason}
	case <-ctx.Done():
		l.drop(context.Cause(ctx))
		return context.Cause(ctx)
	}
}

func (b *Browser) hello() []byte {
	if b.cfg.Hello != nil {
		return []byte(*b.cfg.Hello)
	}
	h := protocol.Hello{
		Browser:          b.profile.Browser,
		BrowserVersion:   b.profile.BrowserVersion,
		ExtensionVersion: b.profile.ExtensionVersion,
		Sessions:         b.pages.Sessions(),
		FileAccess:       b.profile.FileAccess,
	}
	return h.AppendTo(nil)
}

// read takes messages until the connection ends. Its context is never the one
// of a wait: a context that ends kills the whole connection.
func (l *link) read() {
	var err error
	for err == nil {
		var kind websocket.MessageType
		var r io.Reader
		if kind, r, err = l.ws.Reader(context.Background()); err != nil {
			break
		}
		var message []byte
		if message, err = io.ReadAll(r); err != nil {
			break
		}
		l.hear()
		l.message(kind, message)
	}
	if closing, ok := errors.AsType[websocket.CloseError](err); ok {
		l.b.trace(l.n, In, "close", fmt.Appendf(nil, "%d %s", closing.Code, closing.Reason))
		l.mu.Lock()
		l.closing = &closing
		l.mu.Unlock()
	}
	l.drop(err)
	_ = l.ws.CloseNow()
	l.lanes.end()
	l.artifacts.end()
	l.b.trace(l.n, In, "end", []byte(context.Cause(l.ctx).Error()))
	close(l.done)
}

func (l *link) message(kind websocket.MessageType, message []byte) {
	if kind == websocket.MessageBinary {
		l.b.trace(l.n, In, "binary", message)
		return
	}
	l.b.trace(l.n, In, "text", message)
	frame, err := protocol.DecodeFrame(message)
	if err != nil {
		// What a daemon sends wrongly is in the trace; the extension ignores it.
		return
	}
	switch f := frame.(type) {
	case *protocol.Welcome:
		l.welcomed(f)
	case *protocol.CommandFrame:
		l.arrive(f)
	case *protocol.Result:
		l.requests.answer(f)
	}
}

// welcomed runs on the reading goroutine alone; greeting is read after welcome.
func (l *link) welcomed(w *protocol.Welcome) {
	if !l.isWelcome() {
		l.greeting = w
		close(l.welcome)
	}
}

func (l *link) isWelcome() bool {
	select {
	case <-l.welcome:
		return true
	default:
		return false
	}
}

// alive reports whether the link has not ended and is not about to.
func (l *link) alive() bool { return l.ctx.Err() == nil }

// drop ends the connection at once, without a close frame (FIN).
func (l *link) drop(why error) {
	l.cancel(why)
	_ = l.conn.Close()
}

func (l *link) reset(why error) {
	l.cancel(why)
	_ = l.conn.Reset()
}

func (l *link) said() (code int, reason string, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing == nil {
		return 0, "", false
	}
	return int(l.closing.Code), l.closing.Reason, true
}

// hear says that something was received.
func (l *link) hear() {
	select {
	case l.heard <- struct{}{}:
	default:
	}
}

var (
	errSilence = errors.New("nothing was received for too long")
	errLeft    = errors.New("the simulated browser closed the connection")
)

// keepAlive sends the pings and watches for silence, during a long command too
// (LIFE-01, LIFE-02).
func (l *link) keepAlive() {
	ping, stopPing := ticker(l.b.profile.Limits.Ping)
	defer stopPing()
	most := l.b.profile.Limits.Silence
	silence := time.NewTimer(max(most, 1))
	defer silence.Stop()
	if most <= 0 {
		silence.Stop()
	}
	for {
		select {
		case <-ping:
			if !l.frozen.Load() {
				l.out.text(protocol.PingFrame)
			}
		case <-l.heard:
			if most > 0 {
				silence.Reset(most)
			}
		case <-silence.C:
			if l.frozen.Load() {
				silence.Reset(most)
				continue
			}
			l.out.put(closeItem(l.b.profile.SilenceCode, "nothing was received for "+most.String(), errSilence))
			l.dropAfter(closeWait, errSilence)
			return
		case <-l.ctx.Done():
			return
		}
	}
}

// ticker is time.NewTicker; a channel that never fires if d is not positive.
func ticker(d time.Duration) (<-chan time.Time, func()) {
	if d <= 0 {
		return nil, func() {}
	}
	t := time.NewTicker(d)
	return t.C, t.Stop
}

// closeWait is how long a closing handshake may take.
const closeWait = 5 * time.Second

func closeItem(code int, reason string, last error) item {
	return item{opcode: OpClose, message: closePayload(code, reason), last: last}
}

// dropAfter drops the link unless it ends by itself within wait.
func (l *link) dropAfter(wait time.Duration, why error) {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		l.drop(why)
	case <-l.ctx.Done():
	}
}

func (l *link) traceOut(it item) {
	switch {
	case it.raw:
		l.b.trace(l.n, Out, "raw", it.message)
	case it.opcode == OpText:
		l.b.trace(l.n, Out, "text", it.message)
	case it.opcode == OpBinary:
		l.b.trace(l.n, Out, "binary", it.message)
	case it.opcode == OpClose:
		code, reason := parseClose(it.message)
		l.b.trace(l.n, Out, "close", fmt.Appendf(nil, "%d %s", code, reason))
	}
}
