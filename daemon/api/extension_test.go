package api_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestWhatIsNoHandshake(t *testing.T) {
	good := map[string]string{
		"Connection": "keep-alive, Upgrade", "Upgrade": "websocket",
		"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
	}
	for _, tc := range []struct{ name, header, value string }{
		{"no Connection", "Connection", ""},
		{"another Connection", "Connection", "upgrades"},
		{"no Upgrade", "Upgrade", ""},
		{"another Upgrade", "Upgrade", "h2c"},
		{"no version", "Sec-WebSocket-Version", ""},
		{"an old version", "Sec-WebSocket-Version", "8"},
		{"no key", "Sec-WebSocket-Key", ""},
		{"a key of 15 bytes", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAA"},
		{"a key of 17 bytes", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAAA="},
		{"a key that is no base64", "Sec-WebSocket-Key", "$"},
		{"two keys", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				w := s.dial()
				w.write(handshake(good, tc.header, tc.value))
				a := w.answer("GET")
				requireRefused(t, a, protocol.BadRequest)
				require.Equal(t, peer.ChromeOrigin, a.header.Get("Access-Control-Allow-Origin"), "so that the extension can read it")
				s.chrome() // the place is free
			})
		})
	}
	bubble(t, func(t *testing.T, s *scene) {
		w := s.dial()
		w.write(handshake(good, "", ""))
		a := w.answer("GET")
		require.Equal(t, http.StatusSwitchingProtocols, a.status)
		require.Equal(t, protocol.Version, a.header.Get("Sec-WebSocket-Protocol"))
		require.NoError(t, w.Close())
	})
}

// handshake returns an upgrade with the good headers, one of them changed.
func handshake(good map[string]string, name, value string) string {
	var b strings.Builder
	b.WriteString("GET /extension HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: " + peer.ChromeOrigin +
		"\r\nSec-WebSocket-Protocol: omw.v1, omw-token." + token + "\r\n")
	for k, v := range good {
		if k == name {
			v = value
		}
		if v != "" {
			b.WriteString(k + ": " + v + "\r\n")
		}
	}
	return b.String() + "\r\n"
}

func TestUpgradedSocketHoldsNoSlot(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.chrome()
		require.Equal(t, 1, s.status().Requests)
	})
}

func TestWhoAsksFirstTakesNoPlace(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		for range 3 {
			a := <-s.ask(http.MethodPost, "/extension", "", "Origin", peer.ChromeOrigin)
			require.Equal(t, http.StatusNoContent, a.status)
		}
		chrome := s.chrome()
		requireRefused(t, <-s.ask(http.MethodPost, "/extension", "", "Origin", peer.ChromeOrigin), protocol.Conflict)
		require.Equal(t, http.StatusNoContent, (<-s.ask(http.MethodPost, "/extension", "", "Origin", peer.FirefoxOrigin)).status)
		chrome.Leave()
		synctest.Wait()
		require.Equal(t, http.StatusNoContent, (<-s.ask(http.MethodPost, "/extension", "", "Origin", peer.ChromeOrigin)).status)
	})
}

func TestRotationPutsOutWhoCameByTheOldToken(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		silent := peer.Connect(t, s.listener, protocol.Firefox, token)
		running := s.command(`"action":"click","args":{"ref":"e1"}`)
		chrome.Command("click")
		rotated := s.ask(http.MethodPost, "/admin/token", "")
		for _, e := range []*peer.Extension{chrome, silent} {
			code, reason := e.Closed()
			require.Equal(t, websocket.StatusPolicyViolation, code)
			require.Equal(t, "the token was rotated; pair again", reason)
		}
		requireFailed(t, <-running, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
		require.JSONEq(t, `{"token":"`+s.token+`"}`, string((<-rotated).body))
		require.NotEqual(t, token, s.token)
		_, resp, err := peer.TryConnect(t, s.listener, protocol.Chrome, token)
		require.Error(t, err)
		require.Equal(t, http.StatusUnauthorized, resp.StatusCode)
		s.chrome()
	})
}

// Who was let in by the old token while it was being rotated must not stay.
func TestRotationBetweenTheGateAndTheUpgrade(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		asked := 0
		s.asked = func() {
			if asked++; asked == 2 { // the gate has asked, and let it in
				s.mu.Lock()
				s.token = "a new one"
				s.mu.Unlock()
			}
		}
		late := peer.Connect(t, s.listener, protocol.Chrome, token)
		code, reason := late.Closed()
		require.Equal(t, websocket.StatusPolicyViolation, code)
		require.Equal(t, "the token was rotated; pair again", reason)
	})
}

func TestRotationThatFailsChangesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.rotate = func() (string, error) { return "", errors.New("the disk is full") }
		s.chrome()
		a := <-s.ask(http.MethodPost, "/admin/token", "")
		require.Equal(t, http.StatusInternalServerError, a.status)
		require.Equal(t, protocol.FileError, a.Error.Code)
		require.NotContains(t, string(a.body), token)
		require.True(t, s.status().Browsers["chrome"].Connected)
	})
}

func TestRotationVoidsTheCode(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		require.Equal(t, http.StatusOK, (<-s.ask(http.MethodPost, "/admin/pair", "")).status)
		require.True(t, s.status().Pairing.Open)
		<-s.ask(http.MethodPost, "/admin/token", "")
		require.False(t, s.status().Pairing.Open)
	})
}

func TestWelcomeTellsTheLimits(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		e := peer.Connect(t, s.listener, protocol.Chrome, token)
		e.Say(`{"type":"hello","browser":"chrome","browser_version":"1","sessions":[]}`)
		w, ok := e.Next().(*protocol.Welcome)
		require.True(t, ok)
		require.Equal(t, "1.0", w.DaemonVersion)
		require.JSONEq(t, `{"body":2097152,"message":33554432,"inline":4194304,"waiting":32,"tabs":32,"jobs":2,"pdf":104857600,`+
			`"ping_ms":20000,"silence_ms":45000}`, string(w.Limits))
	})
}

// An extension may send commands itself (CMD-13), also to the other browser.
func TestRequestOnTheLink(t *testing.T) {
	for _, tc := range []struct {
		name, request, result string
		code                  protocol.Code
	}{
		{"no action", `{"type":"request","id":"mine"}`, "", protocol.BadRequest},
		{"a field that is none", `{"type":"request","id":"mine","action":"tabs","x":1}`, "", protocol.BadRequest},
		{"a file", `{"type":"request","id":"mine","action":"screenshot","args":{"path":"/tmp/x.png"}}`, "", protocol.BadRequest},
		{"too large", `{"type":"request","id":"mine","action":"tabs","session":"` + strings.Repeat("x", 2<<20) + `"}`, "", protocol.TooLarge},
		{"no browser", `{"type":"request","id":"mine","action":"tabs","browser":"chrome"}`, "", protocol.NotConnected},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				fox := s.connect(protocol.Firefox)
				fox.Say(tc.request)
				r, ok := fox.Next().(*protocol.Result)
				require.True(t, ok)
				require.Equal(t, "mine", r.ID)
				require.Equal(t, tc.code, r.Error.Code)
				require.Equal(t, protocol.DeliveredNo, r.Error.Delivered)
			})
		})
	}
	bubble(t, func(t *testing.T, s *scene) {
		fox, chrome := s.connect(protocol.Firefox), s.chrome()
		fox.Say(`{"type":"request","action":"evaluate","browser":"chrome","args":{"code":"x"},"timeout_ms":1000}`)
		chrome.Answer(chrome.Command("evaluate"), `{"value":"\ud800"}`)
		synctest.Wait()
		require.Equal(t, int64(len(`{"value":"\ud800"}`)), s.status().Buffered, "held until the extension has read it")
		r, ok := fox.Next().(*protocol.Result)
		require.True(t, ok)
		require.Len(t, r.ID, 32, "a random one (CMD-02)")
		require.Equal(t, `{"value":"\ud800"}`, string(r.Data))
	})
	bubble(t, func(t *testing.T, s *scene) {
		fox, chrome := s.connect(protocol.Firefox), s.chrome()
		fox.Say(`{"type":"request","action":"evaluate","browser":"chrome","args":{"code":"x"}}`)
		f := chrome.Command("evaluate")
		fox.Leave()
		synctest.Wait()
		s.connect(protocol.Firefox) // its place is free, though its request still waits
		chrome.Answer(f, `{"value":1}`)
	})
}

func TestShutdown(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		silent := peer.Connect(t, s.listener, protocol.Firefox, token)
		running := s.command(`"action":"click","args":{"ref":"e1"}`)
		chrome.Command("click")
		body := s.dial()
		request := post(`{"action":"click","args":{"ref":"e1"}}`)
		body.write(request[:len(request)-1])
		synctest.Wait()

		began := time.Now()
		s.closed = true
		s.handler.Close()
		s.handler.Close()
		requireFailed(t, <-running, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
		for _, e := range []*peer.Extension{chrome, silent} {
			code, reason := e.Closed()
			require.Equal(t, websocket.StatusGoingAway, code)
			require.Equal(t, "omw is shutting down", reason)
		}
		for _, path := range []string{"/ping", "/admin/status", "/json/version"} {
			a := <-s.ask(http.MethodGet, path, "")
			requireRefused(t, a, protocol.NotConnected)
		}
		requireRefused(t, <-s.ask(http.MethodPost, "/extension", "", "Origin", peer.ChromeOrigin), protocol.NotConnected)
		_, resp, err := peer.TryConnect(t, s.listener, protocol.Chrome, token)
		require.Error(t, err)
		require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
		waited := make(chan struct{})
		go func() { s.handler.Wait(); close(waited) }()
		synctest.Wait()
		select {
		case <-waited:
			t.Fatal("a request is being served still")
		default:
		}
		body.write(request[len(request)-1:])
		requireFailed(t, body.answer("POST"), protocol.NotConnected, protocol.DeliveredNo)
		<-waited
		require.Zero(t, time.Since(began))
	})
}
