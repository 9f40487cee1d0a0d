package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

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

func TestBodyAtItsLimit(t *testing.T) {
	const most = 2 << 20
	chunked := func(size int) string {
		return "POST /admin/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token +
			fmt.Sprintf("\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", size, strings.Repeat("x", size))
	}
	plain := func(size int) string {
		return strings.Replace(post(strings.Repeat("x", size)), "/command", "/admin/pair", 1)
	}
	for name, request := range map[string]func(int) string{"chunked": chunked, "plain": plain} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				w := s.dial()
				w.write(request(most))
				require.Equal(t, http.StatusOK, w.answer("POST").status)
				w.write(request(most + 1))
				requireRefused(t, w.answer("POST"), protocol.TooLarge)
				w.ended()
			})
		})
	}
}
