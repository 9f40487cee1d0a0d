package api_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

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
