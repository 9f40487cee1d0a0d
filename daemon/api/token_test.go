package api_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

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
