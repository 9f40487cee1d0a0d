package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestPing(t *testing.T) {
	nonce := strings.Repeat("n", 22)
	for _, tc := range []struct {
		query string
		good  bool
	}{
		{"nonce=" + nonce, true},
		{"nonce=" + nonce[1:], false},
		{"nonce=" + strings.Repeat("n", 64), true},
		{"nonce=" + strings.Repeat("n", 65), false},
		{"nonce=azAZ09-_" + nonce, true},
		{"nonce=" + nonce + "/", false},
		{"nonce=" + nonce + "%2B", false},
		{"nonce=" + nonce + "%C3%A9", false},
		{"nonce=" + nonce + "&nonce=" + nonce, false},
		{"nonce=", false},
		{"nonce", false},
	} {
		t.Run(tc.query, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				a := <-s.ask(http.MethodGet, "/ping?"+tc.query, "")
				if !tc.good {
					requireRefused(t, a, protocol.BadRequest)
					require.NotContains(t, string(a.body), "proof")
					return
				}
				asked, _ := strings.CutPrefix(tc.query, "nonce=")
				require.JSONEq(t, `{"name":"omw","version":"1.0","protocol":"omw.v1","proof":"`+protocol.Proof(token, asked)+`"}`, string(a.body))
			})
		})
	}
	bubble(t, func(t *testing.T, s *scene) {
		a := <-s.ask(http.MethodGet, "/ping?token=x", "")
		require.JSONEq(t, `{"name":"omw","version":"1.0","protocol":"omw.v1"}`, string(a.body))
	})
}
