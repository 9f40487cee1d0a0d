package sim

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

const testToken = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// fakeDaemon is as much of a daemon as an extension can see: it says what a
// test tells it to.
type fakeDaemon struct {
	t   *testing.T
	net *memnet.Network
	srv *http.Server
	end chan error

	// token is what /ping proves; refuse, if set, is what POST /extension and
	// the upgrade answer.
	token  string
	refuse int
	// mute: a hello is not welcomed.
	mute bool

	mu       sync.Mutex
	requests []string
	links    chan *fakeLink
}

// fakeLink is one WebSocket, as the daemon sees it.
type fakeLink struct {
	ws     *websocket.Conn
	header http.Header
	frames chan received
	over   chan struct{}
	err    error
}

type received struct {
	at    time.Time
	frame string
}

// inBubble runs test with a fake daemon in a bubble of its own.
func inBubble(t *testing.T, test func(t *testing.T, d *fakeDaemon)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &fakeDaemon{t: t, net: memnet.New(), token: testToken, links: make(chan *fakeLink, 100), end: make(chan error, 1)}
		d.srv = &http.Server{Handler: d}
		d.listen()
		defer func() {
			d.close()
			// Timeouts of the libraries that have lost their purpose run out.
			time.Sleep(20 * time.Second)
		}()
		test(t, d)
	})
}

func (d *fakeDaemon) listen() {
	ln := d.net.Listen()
	go func() { d.end <- d.srv.Serve(ln) }()
}

func (d *fakeDaemon) close() {
	_ = d.srv.Close()
	<-d.end
}

func (d *fakeDaemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	d.requests = append(d.requests, r.Method+" "+r.URL.Path)
	refuse := d.refuse
	d.mu.Unlock()
	switch {
	case r.Method == http.MethodGet && r.URL.Path == "/ping":
		fmt.Fprintf(w, `{"name":"omw","version":"1","protocol":"omw.v1","proof":%q}`, protocol.Proof(d.token, r.URL.Query().Get("nonce")))
	case r.Method == http.MethodOptions:
		w.Header().Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	case refuse != 0:
		w.WriteHeader(refuse)
		fmt.Fprint(w, `{"ok":false,"error":{"code":"conflict","message":"another one is connected"}}`)
	case r.Method == http.MethodPost:
		w.WriteHeader(http.StatusNoContent)
	default:
		d.link(w, r)
	}
}

func (d *fakeDaemon) link(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{protocol.Version}, InsecureSkipVerify: true})
	if err != nil {
		return
	}
	ws.SetReadLimit(128 << 20)
	l := &fakeLink{ws: ws, header: r.Header, frames: make(chan received, 10_000), over: make(chan struct{})}
	d.links <- l
	for {
		_, msg, err := ws.Read(context.Background())
		if err != nil {
			l.err = err
			close(l.over)
			_ = ws.CloseNow()
			return
		}
		f := string(msg)
		switch {
		case f == string(protocol.PingFrame):
			l.frames <- received{time.Now(), f}
			if !d.mute {
				l.send(string(protocol.PongFrame))
			}
		case strings.HasPrefix(f, `{"type":"hello"`) && !d.mute:
			l.frames <- received{time.Now(), f}
			l.send(`{"type":"welcome","daemon_version":"1","limits":{}}`)
		default:
			l.frames <- received{time.Now(), f}
		}
	}
}

func (l *fakeLink) send(frame string) {
	_ = l.ws.Write(context.Background(), websocket.MessageText, []byte(frame))
}

// command sends a command and gives it the id.
func (l *fakeLink) command(id, session, action, args string, deadline time.Duration) {
	c := protocol.CommandFrame{ID: id, Session: session, Action: action, Args: []byte(args), DeadlineMS: deadline.Milliseconds()}
	l.send(string(c.AppendTo(nil)))
}

// next returns the next frame that is no ping.
func (l *fakeLink) next(t *testing.T) received {
	t.Helper()
	for {
		select {
		case f := <-l.frames:
			if f.frame != string(protocol.PingFrame) {
				return f
			}
		case <-time.After(10 * time.Minute):
			require.Fail(t, "no frame came")
		}
	}
}

// result returns the next frame, which is a result.
func (l *fakeLink) result(t *testing.T) *protocol.Result {
	t.Helper()
	f := l.next(t)
	frame, err := protocol.DecodeFrame([]byte(f.frame))
	require.NoError(t, err)
	require.IsType(t, &protocol.Result{}, frame, f.frame)
	return frame.(*protocol.Result)
}

// code returns the next result's id and code, "ok" for a success.
func (l *fakeLink) code(t *testing.T) string {
	t.Helper()
	r := l.result(t)
	if r.OK {
		return r.ID + " ok"
	}
	require.NotNil(t, r.Error, "%+v", r)
	return r.ID + " " + string(r.Error.Code)
}

// nothing says that no frame but pings has come.
func (l *fakeLink) nothing(t *testing.T) {
	t.Helper()
	synctest.Wait()
	for {
		select {
		case f := <-l.frames:
			require.Equal(t, string(protocol.PingFrame), f.frame)
		default:
			return
		}
	}
}

// closeCode waits for the end and returns the code of the close frame; -1 if
// there was none.
func (l *fakeLink) closeCode() int {
	<-l.over
	if closed, ok := errors.AsType[websocket.CloseError](l.err); ok {
		return int(closed.Code)
	}
	return -1
}

func (d *fakeDaemon) browser(cfg Config) *Browser {
	cfg.Dial = d.net.DialContext
	if cfg.Token == "" {
		cfg.Token = testToken
	}
	b := New(cfg)
	d.t.Cleanup(func() { _ = b.Close() })
	return b
}

// connected returns a Browser that is connected, and the daemon's end of it.
func (d *fakeDaemon) connected(t *testing.T, cfg Config) (*Browser, *fakeLink) {
	t.Helper()
	b := d.browser(cfg)
	require.NoError(t, b.Connect(t.Context()))
	l := <-d.links
	require.Contains(t, l.next(t).frame, `"type":"hello"`)
	return b, l
}

func (d *fakeDaemon) asked() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	asked := d.requests
	d.requests = nil
	return asked
}
