package client_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// token is one that nobody else has.
const token = "test-token-0123456789-abcdefghijklmnopqrstu"

// pong is what a daemon answers to GET /ping.
func pong(t string, r *http.Request) []byte {
	b, _ := json.Marshal(map[string]string{
		"name": "omw", "version": "1.2.3", "protocol": protocol.Version, "proof": protocol.Proof(t, r.URL.Query().Get("nonce")),
	})
	return b
}

// proving answers GET /ping as a daemon with the token does, and leaves
// everything else to next.
func proving(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ping" {
			_, _ = w.Write(pong(token, r))
			return
		}
		next(w, r)
	})
}

// commands decodes what arrives as strictly as the daemon and lets answer say
// what comes of it.
func commands(t *testing.T, answer func(protocol.Command) (data string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if r.Method != http.MethodPost || r.URL.Path != "/command" || r.Header.Get("Authorization") != "Bearer "+token {
			t.Errorf("%s %s with Authorization %q", r.Method, r.URL, r.Header.Get("Authorization"))
		}
		c, err := protocol.DecodeCommand(body, protocol.DefaultLimits())
		if err != nil {
			refuse(w, protocol.AsError(err))
			return
		}
		if c.ID == "" {
			c.ID = "made-by-the-daemon"
		}
		_, _ = w.Write(protocol.AppendAnswer(nil, c.ID, []byte(answer(c))))
	}
}

func refuse(w http.ResponseWriter, e *protocol.Error) {
	w.WriteHeader(e.Code.Status())
	_, _ = w.Write(protocol.AppendError(nil, "", e))
}

// serve serves h on a port of its own and returns a client of it.
func serve(t *testing.T, h http.Handler) *client.Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return dial(t, srv.Listener.Addr().String())
}

func dial(t *testing.T, addr string) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{Addr: addr, Token: token})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// wire returns the error of the wire in err.
func wire(t *testing.T, err error) *protocol.Error {
	t.Helper()
	var e *protocol.Error
	require.ErrorAs(t, err, &e)
	require.NotContains(t, err.Error(), token)
	return e
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// listener is a server of raw connections. Its handler serves one connection,
// which is closed behind it.
type listener struct {
	net.Listener
	mu   sync.Mutex
	seen bytes.Buffer
	work sync.WaitGroup
}

func listen(t *testing.T, handle func(c net.Conn, r *bufio.Reader)) *listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &listener{Listener: ln}
	l.work.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			l.work.Go(func() {
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(20 * time.Second))
				handle(c, bufio.NewReader(io.TeeReader(c, l)))
			})
		}
	})
	t.Cleanup(func() {
		_ = ln.Close()
		l.work.Wait()
	})
	return l
}

// Write records what a connection received.
func (l *listener) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen.Write(b)
}

// received returns every byte that came in so far.
func (l *listener) received() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen.String()
}

func (l *listener) addr() string { return l.Addr().String() }

// prove answers the GET /ping that a connection begins with.
func prove(c net.Conn, r *bufio.Reader) error {
	req, err := http.ReadRequest(r)
	if err != nil {
		return err
	}
	return respond(c, "200 OK", pong(token, req))
}

func respond(c net.Conn, status string, body []byte) error {
	res := http.Response{ProtoMajor: 1, ProtoMinor: 1, Status: status, ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body))}
	if _, err := io.WriteString(c, "HTTP/1.1 "+status+"\r\n"); err != nil {
		return err
	}
	var b bytes.Buffer
	_ = res.Write(&b)
	_, rest, _ := bytes.Cut(b.Bytes(), []byte("\r\n"))
	_, err := c.Write(rest)
	return err
}

// readCommand reads one whole POST /command.
func readCommand(r *bufio.Reader) (string, error) {
	req, err := http.ReadRequest(r)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(req.Body)
	return string(body), err
}
