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

func TestExpect100(t *testing.T) {
	const expect = "Expect: 100-continue"
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		w := s.dial()
		head, body, _ := strings.Cut(post(`{"action":"click","id":"1","args":{"ref":"e1"}}`, expect), "\r\n\r\n")
		w.write(head + "\r\n\r\n")
		line, err := w.in.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "HTTP/1.1 100 Continue\r\n", line)
		_, err = w.in.ReadString('\n')
		require.NoError(t, err)
		w.write(body)
		chrome.Answer(chrome.Command("click"), "{}")
		require.True(t, w.answer("POST").OK)
	})
	// What is refused is not asked for its body.
	for name, request := range map[string]string{
		"without a token":    "POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n" + expect + "\r\n\r\n",
		"too large":          strings.Replace(post("", expect), "Content-Length: 0", "Content-Length: 2097153", 1),
		"an unknown path":    strings.Replace(strings.Replace(post("", expect), "/command", "/nothing", 1), "Content-Length: 0", "Content-Length: 10", 1),
		"of the wrong media": strings.Replace(post("", expect, "Content-Type: text/plain"), "Content-Length: 0", "Content-Length: 10", 1),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				w := s.dial()
				w.write(request)
				a := w.answer("POST")
				require.GreaterOrEqual(t, a.status, 400)
				require.False(t, a.OK)
				w.ended()
			})
		})
	}
}

// A body that is not read keeps neither its answer waiting nor its connection
// open for ever; net/http would do both.
func TestBodyThatNeverComes(t *testing.T) {
	for _, tc := range []struct {
		name, head string
		status     int
		after      time.Duration // when it is answered
	}{
		{"refused", "POST /nothing HTTP/1.1\r\n", http.StatusUnauthorized, 0},
		{"a preflight", "OPTIONS /pair HTTP/1.1\r\nOrigin: " + peer.ChromeOrigin + "\r\nAccess-Control-Request-Method: POST\r\n", http.StatusNoContent, 0},
		{"read", "POST /command HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\n", http.StatusRequestTimeout, 30 * time.Second},
		{"a ping", "GET /ping HTTP/1.1\r\n", http.StatusRequestTimeout, 30 * time.Second},
		{"an upgrade", "GET /extension HTTP/1.1\r\nOrigin: " + peer.ChromeOrigin + "\r\nSec-WebSocket-Protocol: omw.v1, omw-token." + token + "\r\n", http.StatusRequestTimeout, 30 * time.Second},
		{"an open path", "POST /pair HTTP/1.1\r\nOrigin: " + peer.ChromeOrigin + "\r\n", http.StatusRequestTimeout, 5 * time.Second},
	} {
		for _, body := range []string{"Content-Length: 100\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\n5\r\nx"} {
			name, _, _ := strings.Cut(body, ":")
			t.Run(tc.name+" "+name, func(t *testing.T) {
				bubble(t, func(t *testing.T, s *scene) {
					w := s.dial()
					began := time.Now()
					w.write(tc.head + "Host: 127.0.0.1\r\n" + body)
					require.Equal(t, tc.status, w.answer("POST").status)
					require.Equal(t, tc.after, time.Since(began))
					synctest.Wait()
					require.Equal(t, 1, s.status().Requests, "its slot is free")
					w.ended()
					require.LessOrEqual(t, time.Since(began), 31*time.Second)
				})
			})
		}
	}
}

// One that says that it is too large is not waited for.
func TestBodyThatSaysTooMuch(t *testing.T) {
	for _, head := range []string{
		"POST /pair HTTP/1.1\r\nOrigin: " + peer.ChromeOrigin + "\r\nContent-Length: 1025",
		"POST /command HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\nContent-Length: 2097153",
	} {
		bubble(t, func(t *testing.T, s *scene) {
			w := s.dial()
			began := time.Now()
			w.write(head + "\r\nHost: 127.0.0.1\r\n\r\n{")
			requireRefused(t, w.answer("POST"), protocol.TooLarge)
			require.Zero(t, time.Since(began))
			w.ended()
		})
	}
}

func TestBodyThatIsSlow(t *testing.T) {
	for _, tc := range []struct {
		name   string
		last   time.Duration // when the last byte comes
		served bool
	}{
		{"a nanosecond less than 30 s", 30*time.Second - time.Nanosecond, true},
		{"a nanosecond more", 30*time.Second + time.Nanosecond, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				w := s.dial()
				request := post(`{"action":"click","args":{"ref":"e1"}}`)
				began := time.Now()
				w.write(request[:len(request)-1])
				time.Sleep(tc.last)
				w.write(request[len(request)-1:])
				a := w.answer("POST")
				if tc.served {
					requireFailed(t, a, protocol.NotConnected, protocol.DeliveredNo)
					require.Equal(t, tc.last, time.Since(began))
				} else {
					requireRefused(t, a, protocol.RequestTimeout)
				}
			})
		})
	}
}

// A connection lives on behind a refusal whose body was read.
func TestConnectionGoesOnBehindARefusal(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		w := s.dial()
		for range 3 {
			w.write(post(`{"action":"?"}`))
			requireRefused(t, w.answer("POST"), protocol.BadRequest)
			time.Sleep(40 * time.Second) // no deadline of a body is left behind
		}
	})
}

func TestCallerThatIsGone(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		w := s.dial()
		w.write(post(`{"action":"evaluate","id":"1","args":{"code":"x"}}`))
		f := chrome.Command("evaluate")
		require.NoError(t, w.Close())
		synctest.Wait()
		status := s.status()
		require.Equal(t, 1, status.Requests, "its slot is free though its command still runs")
		require.Equal(t, 1, status.Browsers["chrome"].Commands)
		chrome.Answer(f, `{"value":1}`)
	})
}

// The time that a body may take is not the time that its command may take.
func TestCommandThatRunsForLongKeepsItsSlot(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		answer := s.command(`"action":"evaluate","args":{"code":"x"},"timeout_ms":120000`)
		f := chrome.Command("evaluate")
		for range 5 {
			time.Sleep(20 * time.Second)
			chrome.Say(`{"type":"pong"}`)
		}
		require.Equal(t, 1+1, s.status().Requests)
		chrome.Answer(f, `{"value":1}`)
		require.True(t, (<-answer).OK)
	})
}

func TestSlotIsHeldToTheLastByteOfTheAnswer(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		w := s.dial()
		w.write("GET /ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		synctest.Wait()
		require.Equal(t, 1+1, s.status().Requests)
		require.Equal(t, http.StatusOK, w.answer("GET").status)
		synctest.Wait()
		require.Equal(t, 1, s.status().Requests)
	})
}

func TestCallerThatGoesWhileItIsAnswered(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		w := s.dial()
		w.write(post(`{"action":"evaluate","args":{"code":"x"}}`))
		chrome.Answer(chrome.Command("evaluate"), `{"value":"`+strings.Repeat("x", 1<<20)+`"}`)
		_, err := io.ReadFull(w.in, make([]byte, 1000))
		require.NoError(t, err)
		status := s.status()
		require.Equal(t, 1+1, status.Requests)
		require.Greater(t, status.Buffered, int64(1<<20), "held to the last byte of the answer")
		require.NoError(t, w.Close())
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
