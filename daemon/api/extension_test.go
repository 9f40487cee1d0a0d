package api_test

import (
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
