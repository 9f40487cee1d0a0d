package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// wire is a connection on which a test writes HTTP by hand.
type wire struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

func (s *scene) dial() *wire {
	s.t.Helper()
	c, err := s.listener.Dial(context.Background())
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = c.Close() })
	return &wire{s.t, c, bufio.NewReader(c)}
}

// write writes from a goroutine, since a pipe takes what is read and no more.
func (w *wire) write(text string) {
	go func() { _, _ = io.WriteString(w.Conn, text) }()
}

// answer reads the next answer, to a request of that method.
func (w *wire) answer(method string) answered {
	w.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, "/", http.NoBody)
	require.NoError(w.t, err)
	resp, err := http.ReadResponse(w.in, r)
	require.NoError(w.t, err)
	return read(w.t, resp)
}

// ended requires that the daemon has closed the connection.
func (w *wire) ended() {
	w.t.Helper()
	n, err := io.Copy(io.Discard, w.in)
	require.NoError(w.t, err)
	require.Zero(w.t, n, "behind the last answer")
}

// post returns a POST /command with that body and those further headers.
func post(body string, headers ...string) string {
	return fmt.Sprintf("POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n%s\r\n%s",
		token, len(body), strings.Join(append(headers, ""), "\r\n"), body)
}

func TestTwoRequestsInOneWrite(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		w := s.dial()
		w.write(post(`{"action":"click","id":"1","args":{"ref":"e1"}}`) + post(`{"action":"click","id":"2","args":{"ref":"e2"}}`))
		f := chrome.Command("click")
		require.JSONEq(t, `{"ref":"e1"}`, string(f.Args))
		require.Equal(t, 1+1, s.status().Requests, "one at a time")
		chrome.Answer(f, "{}")
		require.Equal(t, "1", w.answer("POST").ID)
		chrome.Answer(chrome.Command("click"), "{}")
		require.Equal(t, "2", w.answer("POST").ID)
	})
}

func TestHeadHasNoBody(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		w := s.dial()
		for range 2 {
			w.write("HEAD /json/version HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token + "\r\n\r\n")
			a := w.answer("HEAD")
			require.Equal(t, http.StatusOK, a.status)
			require.Empty(t, a.body)
			require.NotEmpty(t, a.header.Get("Content-Length"))
		}
		requireRefusedHead(t, s, "/ping")
		requireRefusedHead(t, s, "/command")
	})
}

func requireRefusedHead(t *testing.T, s *scene, path string) {
	t.Helper()
	w := s.dial()
	w.write("HEAD " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token + "\r\n\r\n")
	require.Equal(t, http.StatusMethodNotAllowed, w.answer("HEAD").status)
}

func TestHTTP10(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		w := s.dial()
		w.write(strings.Replace(post(`{"action":"click","id":"1","args":{"ref":"e1"}}`), "HTTP/1.1", "HTTP/1.0", 1))
		chrome.Answer(chrome.Command("click"), "{}")
		require.True(t, w.answer("POST").OK)
		w.ended()

		w = s.dial()
		w.write("GET /ping HTTP/1.0\r\n\r\n")
		require.Equal(t, http.StatusForbidden, w.answer("GET").status, "without a Host")

		w = s.dial()
		w.write("GET /extension HTTP/1.0\r\nHost: 127.0.0.1\r\nOrigin: " + peer.ChromeOrigin +
			"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" +
			"Sec-WebSocket-Protocol: omw.v1, omw-token." + token + "\r\n\r\n")
		requireRefused(t, w.answer("GET"), protocol.BadRequest)
	})
}

// halfClosed is a connection whose sending half can be closed; a pipe has none.
type halfClosed struct {
	net.Conn
	eof chan struct{}
}

func (c *halfClosed) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	got := make(chan result, 1)
	go func() {
		n, err := c.Conn.Read(p)
		got <- result{n, err}
	}()
	select {
	case r := <-got:
		return r.n, r.err
	case <-c.eof:
		_ = c.SetReadDeadline(time.Unix(1, 0))
		<-got
		return 0, io.EOF
	}
}

func TestHalfClosedCallerGetsItsAnswer(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		near, far := net.Pipe()
		half := &halfClosed{far, make(chan struct{})}
		go func() { _ = (&http.Server{Handler: s.handler}).Serve(&once{conn: half}) }()
		w := &wire{t, near, bufio.NewReader(near)}
		w.write(post(`{"action":"click","args":{"ref":"e1"}}`))
		f := chrome.Command("click")
		close(half.eof)
		synctest.Wait()
		require.Equal(t, 1, s.status().Requests, "it takes no slot")
		chrome.Answer(f, "{}")
		require.True(t, w.answer("POST").OK)
		require.NoError(t, near.Close())
	})
}

// once is a listener with one connection.
type once struct{ conn net.Conn }

func (o *once) Accept() (net.Conn, error) {
	if o.conn == nil {
		return nil, net.ErrClosed
	}
	c := o.conn
	o.conn = nil
	return c, nil
}

func (o *once) Close() error   { return nil }
func (o *once) Addr() net.Addr { return &net.TCPAddr{} }

func TestEveryAnswerIsJSON(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		for _, path := range []string{"/", "/nothing", "/command/", "//command", "/admin/pair", "/json/list"} {
			a := <-s.ask(http.MethodGet, path, "")
			require.Contains(t, []int{http.StatusNotFound, http.StatusMethodNotAllowed}, a.status, path)
			require.Equal(t, "application/json", a.header.Get("Content-Type"), path)
			require.NotNil(t, a.Error, path)
		}
	})
}
