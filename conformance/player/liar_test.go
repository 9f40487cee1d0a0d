package player_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// liar is a daemon that hands on commands, as well or as badly as its fields
// say. It has one browser.
type liar struct {
	// command serves POST /command in place of honest.
	command func(l *liar, w http.ResponseWriter, c protocol.Command)
	// status is what GET /admin/status answers.
	status string
	// welcomed, if set, is called when the browser has been welcomed.
	welcomed func()

	mu      sync.Mutex
	ctx     context.Context
	browser *websocket.Conn
	next    int
	results map[string]chan *protocol.Result
}

// lying is a target whose daemon is a liar.
func lying(l *liar) target.Target {
	return &target.InProcess{New: func(dir string, _ protocol.Limits, _ *slog.Logger) (target.Server, error) {
		l.results = map[string]chan *protocol.Result{}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		return l, os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"token":"`+strings.Repeat("t", 43)+`"}`), 0o600)
	}}
}

func (l *liar) Serve(ctx context.Context, ln net.Listener) error {
	l.ctx = ctx
	s := &http.Server{Handler: l, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/extension":
		l.link(w, r)
	case "/admin/status":
		_, _ = io.WriteString(w, l.status)
	case "/command":
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		c, err := protocol.DecodeCommand(body, protocol.DefaultLimits())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if l.command == nil {
			l.honest(w, c)
			return
		}
		l.command(l, w, c)
	}
}

// link serves the browser until it leaves.
func (l *liar) link(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{protocol.Version}, InsecureSkipVerify: true})
	if err != nil {
		return
	}
	defer func() { _ = c.CloseNow() }()
	ctx := r.Context()
	for {
		_, message, err := c.Read(ctx)
		if err != nil {
			return
		}
		f, err := protocol.DecodeFrame(message)
		if err != nil {
			return
		}
		switch f := f.(type) {
		case *protocol.Hello:
			l.mu.Lock()
			l.browser = c
			l.mu.Unlock()
			_ = c.Write(ctx, websocket.MessageText, (&protocol.Welcome{DaemonVersion: "0", Limits: []byte("{}")}).AppendTo(nil))
			if l.welcomed != nil {
				l.welcomed()
			}
		case *protocol.Result:
			l.mu.Lock()
			ch := l.results[f.ID]
			l.mu.Unlock()
			if ch != nil {
				select {
				case ch <- f:
				default:
				}
			}
		}
	}
}

// give gives the browser a command and returns where its answer comes.
func (l *liar) give(c protocol.Command) <-chan *protocol.Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	id := fmt.Sprintf("c%d", l.next)
	ch := make(chan *protocol.Result, 1)
	l.results[id] = ch
	f := protocol.CommandFrame{ID: id, Session: c.Session, Action: c.Action.Name, Args: c.Args, DeadlineMS: c.Timeout.Milliseconds()}
	_ = l.browser.Write(context.Background(), websocket.MessageText, f.AppendTo(nil))
	return ch
}

// tell answers a request.
func (l *liar) tell(w http.ResponseWriter, answer string) {
	_, _ = io.WriteString(w, `{"id":"x",`+answer+`}`)
}

const done = `"ok":true,"data":{"value":1}`

// honest gives a command to the browser and answers when that does.
func (l *liar) honest(w http.ResponseWriter, c protocol.Command) {
	r := <-l.give(c)
	if r.OK {
		l.tell(w, `"ok":true,"data":`+string(r.Data))
		return
	}
	l.tell(w, fmt.Sprintf(`"ok":false,"error":{"code":%q,"message":%q,"delivered":"unknown"}`, r.Error.Code, r.Error.Message))
}

// pause waits, at most until the daemon ends.
func (l *liar) pause(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-l.ctx.Done():
	}
}

// outside is a liar that has commands of agents that are in no tape.
type outside struct {
	target.Target
	l *liar
}

func (o outside) Start(ctx context.Context, s target.Setup) (target.Instance, error) {
	i, err := o.Target.Start(ctx, s)
	o.l.welcomed = func() {
		for _, body := range []string{`{"action":"evaluate","session":"shop","args":{"code":"1"}}`, `{"action":"click","session":"shop","args":{"ref":"@e4"}}`} {
			if c, err := protocol.DecodeCommand([]byte(body), protocol.DefaultLimits()); err == nil {
				o.l.give(c)
			}
		}
	}
	return i, err
}
