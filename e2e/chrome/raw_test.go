package chrome_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An agent needs no SDK: an address, a token, and JSON.
func takesPlainHTTP(t *testing.T, r *rig) {
	url := serve(t, html(`<title>Plain</title><button onclick="this.textContent = 'Done'">Do it</button>`))
	ask := func(body string) (data map[string]any) {
		t.Helper()
		request, err := http.NewRequestWithContext(soon(t), http.MethodPost, "http://"+r.addr+"/command", strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+r.token(t))
		request.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer func() { _ = answer.Body.Close() }()
		require.Equal(t, http.StatusOK, answer.StatusCode)
		var result struct {
			OK   bool
			Data map[string]any
		}
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&result))
		require.True(t, result.OK, body)
		return result.Data
	}
	ask(`{"action":"goto","args":{"url":"` + url + `"},"session":"plain"}`)
	require.Contains(t, ask(`{"action":"snapshot","session":"plain"}`)["text"], `- button "Do it" [ref=e1]`)
	ask(`{"action":"click","args":{"ref":"e1"},"session":"plain"}`)
	require.Equal(t, "Done", ask(`{"action":"evaluate","args":{"code":"document.querySelector('button').innerText"},"session":"plain"}`)["value"])
	require.Len(t, ask(`{"action":"close_session","session":"plain"}`)["closed"], 1)
}
