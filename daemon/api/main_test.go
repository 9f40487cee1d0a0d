package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/oh-my-webbridge/omw/daemon/api"
	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/route"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// token is the first token of every scene.
const token = "abcdefghijklmnopqrstuvwxyz-_0123"

// scene is the daemon's HTTP on a listener of pipes, in a bubble of virtual time.
type scene struct {
	t        *testing.T
	limits   protocol.Limits
	listener *peer.Listener
	handler  *api.Handler
	router   *route.Router
	log      *strings.Builder
	dir      string // where files may be made
	closed   bool   // the handler was closed, and tells no status any more

	mu    sync.Mutex
	token string
	// save is called for every save of the bindings.
	save func(map[string]protocol.Browser) error
	// asked is called whenever the token is asked for.
	asked func()
	// rotate makes the next token.
	rotate func() (string, error)
}

func bubble(t *testing.T, test func(t *testing.T, s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{t: t, limits: protocol.DefaultLimits(), listener: peer.Listen(), log: &strings.Builder{}, dir: t.TempDir(), token: token}
		s.open()
		test(t, s)
		if !t.Failed() && !s.closed {
			s.requireIdle()
		}
	})
}

func (s *scene) open() {
	log := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.router = route.New(s.limits, log, nil, func(b map[string]protocol.Browser) error {
		if s.save != nil {
			return s.save(b)
		}
		return nil
	})
	s.handler = api.New(api.Config{
		Version: "1.0", Addr: s.listener.Addr().String(), Limits: s.limits, Log: log, Router: s.router,
		Token: func() string {
			if s.asked != nil {
				s.asked()
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.token
		},
		Rotate: func() (string, error) {
			next, err := "zyxwvutsrqponmlkjihgfedcba-_9876", error(nil)
			if s.rotate != nil {
				next, err = s.rotate()
			}
			if err == nil {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.token = next
			}
			return next, err
		},
	})
	srv := &http.Server{Handler: s.handler}
	go func() { _ = srv.Serve(s.listener) }()
	s.t.Cleanup(func() {
		s.handler.Close()
		require.NoError(s.t, srv.Close())
		s.handler.Wait()
		time.Sleep(time.Minute)
		require.NotContains(s.t, s.log.String(), token, "the log holds no token")
	})
}

// requireIdle requires that every slot and every byte was given back.
func (s *scene) requireIdle() {
	s.t.Helper()
	synctest.Wait()
	status := s.status()
	require.Equal(s.t, 1, status.Requests, "slots of requests are given back")
	require.Zero(s.t, status.Buffered, "the room that answers took is given back")
	for name, b := range status.Browsers {
		require.Zero(s.t, b.Commands+b.Reserved, "slots of %s are given back", name)
	}
}

// status is what GET /admin/status answers, as far as tests want to know.
type status struct {
	Requests int   `json:"requests"`
	Buffered int64 `json:"buffered_bytes"`
	Browsers map[string]struct {
		Connected                    bool
		Commands, Reserved, Sessions int
	} `json:"browsers"`
	Sessions map[string]string
	Pairing  struct {
		Open     bool
		Attempts []struct{ Origin, Outcome string }
	}
}

func (s *scene) status() (out status) {
	s.t.Helper()
	a := <-s.ask(http.MethodGet, "/admin/status", "")
	require.Equal(s.t, http.StatusOK, a.status)
	require.NoError(s.t, json.Unmarshal(a.body, &out))
	return out
}

// answered is an answer of the daemon's.
type answered struct {
	status int
	header http.Header
	body   []byte
	// The fields of a command's answer, or of a refusal.
	ID    string
	OK    bool
	Data  json.RawMessage
	Error *protocol.Error
}

// ask sends a request with the token, and with the headers given by name and
// value, and returns where its answer will be.
func (s *scene) ask(method, path, body string, headers ...string) <-chan answered {
	s.mu.Lock()
	bearer := s.token
	s.mu.Unlock()
	r, err := http.NewRequestWithContext(context.Background(), method, "http://127.0.0.1:17373"+path, strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header.Set("Authorization", "Bearer "+bearer)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	out := make(chan answered, 1)
	go func() {
		defer close(out)
		resp, err := s.listener.Client().Do(r)
		if err != nil {
			s.t.Errorf("%s %s: %v", method, path, err)
			return
		}
		out <- read(s.t, resp)
	}()
	return out
}

func read(t *testing.T, resp *http.Response) answered {
	a := answered{status: resp.StatusCode, header: resp.Header}
	var err error
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		t.Errorf("read the answer: %v", err)
	}
	_ = resp.Body.Close()
	if bytes.HasPrefix(a.body, []byte("{")) {
		if err := json.Unmarshal(a.body, &a); err != nil {
			t.Errorf("%s: %v", a.body, err)
		}
	}
	return a
}

// command sends a command, written as its fields without the braces.
func (s *scene) command(fields string) <-chan answered {
	return s.ask(http.MethodPost, "/command", "{"+fields+"}")
}

// chrome connects Chrome, which holds no session and may open no files.
func (s *scene) chrome() *peer.Extension { return s.connect(protocol.Chrome) }

func (s *scene) connect(b protocol.Browser, sessions ...string) *peer.Extension {
	s.t.Helper()
	e := peer.Connect(s.t, s.listener, b, s.token)
	e.Hello(b, sessions...)
	synctest.Wait()
	return e
}

// requireFailed requires that a command was answered, with that error.
func requireFailed(t *testing.T, a answered, code protocol.Code, delivered protocol.Delivered) {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	require.False(t, a.OK, "%s", a.body)
	require.Equal(t, code, a.Error.Code, "%s", a.body)
	require.Equal(t, delivered, a.Error.Delivered, "%s", a.body)
}

// requireRefused requires that a request was refused, with that code and its status.
func requireRefused(t *testing.T, a answered, code protocol.Code) {
	t.Helper()
	require.Equal(t, code.Status(), a.status, "%s", a.body)
	require.Equal(t, code, a.Error.Code, "%s", a.body)
	require.Equal(t, protocol.DeliveredNo, a.Error.Delivered, "%s", a.body)
}
