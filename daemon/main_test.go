package daemon_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/state"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scene is a daemon that serves a listener of pipes, in a bubble of virtual time.
type scene struct {
	t        *testing.T
	dir      string
	token    string
	listener *peer.Listener
	log      *strings.Builder
	daemon   *daemon.Daemon
	end      context.CancelFunc
	served   chan error
}

func bubble(t *testing.T, test func(t *testing.T, s *scene)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "omw")
	synctest.Test(t, func(t *testing.T) {
		s := &scene{t: t, dir: dir}
		s.serve()
		test(t, s)
	})
}

// serve starts a daemon on the scene's directory.
func (s *scene) serve() {
	s.t.Helper()
	s.listener, s.log, s.served = peer.Listen(), &strings.Builder{}, make(chan error, 1)
	var err error
	s.daemon, err = daemon.New(daemon.Config{
		Dir: s.dir, Version: "1.0", Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	require.NoError(s.t, err)
	s.token, err = state.ReadToken(s.dir)
	require.NoError(s.t, err)
	var ctx context.Context
	ctx, s.end = context.WithCancel(context.Background())
	s.t.Cleanup(s.end)
	go func() { s.served <- s.daemon.Serve(ctx, s.listener) }()
	synctest.Wait()
}

// shutdown ends the daemon and returns how long it took.
func (s *scene) shutdown() time.Duration {
	s.t.Helper()
	began := time.Now()
	s.end()
	select {
	case err := <-s.served:
		require.NoError(s.t, err)
	case <-time.After(time.Hour):
		require.Fail(s.t, "Serve does not return")
	}
	took := time.Since(began)
	synctest.Wait()
	stacks := make([]byte, 1<<22)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for _, left := range []string{"net/http.(*conn).serve", "daemon/api.(*Handler)", "daemon/browser.(*Link)"} {
		require.NotContains(s.t, string(stacks), left, "goroutines outlive Serve")
	}
	require.NotContains(s.t, s.log.String(), s.token)
	return took
}

// dial opens a connection and writes that text from a goroutine.
func (s *scene) dial(text string) net.Conn {
	s.t.Helper()
	c, err := s.listener.Dial(context.Background())
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = c.Close() })
	go func() { _, _ = io.WriteString(c, text) }()
	return c
}

// post returns a request with the token and that body, of which the end may be missing.
func (s *scene) post(path, body string, missing int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s",
		path, s.token, len(body)+missing, body)
}

// command sends a command and returns where its answer's text will be: empty if
// there is none.
func (s *scene) command(body string) <-chan string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, "http://127.0.0.1:17373/command", strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header.Set("Authorization", "Bearer "+s.token)
	out := make(chan string, 1)
	go func() {
		defer close(out)
		resp, err := s.listener.Client().Do(r)
		if err != nil {
			return
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		out <- string(text)
	}()
	return out
}
