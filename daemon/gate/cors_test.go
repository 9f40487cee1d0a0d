package gate_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPreflight(t *testing.T) {
	for path, methods := range map[string]string{"/ping": "GET", "/pair": "POST", "/extension": "GET, POST"} {
		for _, origin := range []string{chromeExt, mozExt} {
			t.Run(path+" "+origin, func(t *testing.T) {
				a := admit(t, "OPTIONS "+path+" HTTP/1.1", host, "Origin: "+origin,
					"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type", "Access-Control-Request-Private-Network: true")
				require.Nil(t, a.err)
				require.True(t, a.visitor.Preflight)
				require.Equal(t, []string{origin}, a.header["Access-Control-Allow-Origin"])
				require.Equal(t, methods, a.header.Get("Access-Control-Allow-Methods"))
				require.Equal(t, "authorization, content-type", a.header.Get("Access-Control-Allow-Headers"))
				require.Equal(t, "true", a.header.Get("Access-Control-Allow-Private-Network"))
				require.Equal(t, []string{"Origin"}, a.header["Vary"])
			})
		}
	}
}

func TestPrivateNetworkIsAllowedWhenAsked(t *testing.T) {
	for _, asked := range []string{"false", "", "TRUE"} {
		a := admit(t, "OPTIONS /pair HTTP/1.1", host, "Origin: "+chromeExt,
			"Access-Control-Request-Method: POST", "Access-Control-Request-Private-Network: "+asked)
		require.True(t, a.visitor.Preflight)
		require.NotContains(t, a.header, "Access-Control-Allow-Private-Network", asked)
	}
}

func TestPreflightOfAnybodyElse(t *testing.T) {
	ask := "Access-Control-Request-Method: POST"
	for name, c := range map[string]struct {
		lines  []string
		status int
	}{
		"web origin":              {[]string{"OPTIONS /pair HTTP/1.1", "Origin: https://evil.example", ask}, 403},
		"null":                    {[]string{"OPTIONS /ping HTTP/1.1", "Origin: null", ask}, 403},
		"no origin":               {[]string{"OPTIONS /pair HTTP/1.1", ask}, 403},
		"no origin, no token":     {[]string{"OPTIONS /ping HTTP/1.1", ask}, 401},
		"a program's":             {[]string{"OPTIONS /command HTTP/1.1", ask}, 401},
		"a program's, with token": {[]string{"OPTIONS /command HTTP/1.1", ask, bearer}, 405},
		"extension on command":    {[]string{"OPTIONS /command HTTP/1.1", "Origin: " + chromeExt, ask}, 403},
		"extension on json":       {[]string{"OPTIONS /json HTTP/1.1", "Origin: " + chromeExt, ask}, 403},
		"extension on devtools":   {[]string{"OPTIONS /devtools/page/1 HTTP/1.1", "Origin: " + chromeExt, ask}, 403},
		"extension on nothing":    {[]string{"OPTIONS /nowhere HTTP/1.1", "Origin: " + chromeExt, ask}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			a := admit(t, append(c.lines, host)...)
			require.Equal(t, c.status, a.status())
			require.False(t, a.visitor.Preflight)
			require.Empty(t, allowHeaders(a.header))
		})
	}
}

// OPTIONS that asks for nothing is no preflight, so it needs the token.
func TestOptionsThatIsNoPreflight(t *testing.T) {
	for token, status := range map[string]int{"X: x": 401, bearer: 405} {
		a := admit(t, "OPTIONS /ping HTTP/1.1", host, "Origin: "+chromeExt, token)
		require.Equal(t, status, a.status())
		require.False(t, a.visitor.Preflight)
		require.Equal(t, chromeExt, a.header.Get("Access-Control-Allow-Origin"))
		require.NotContains(t, a.header, "Access-Control-Allow-Methods")
	}
}

// The extension can read every answer, errors too; its Origin is never *.
func TestEveryAnswerToTheExtensionIsReadable(t *testing.T) {
	for status, lines := range map[int][]string{
		http.StatusOK:                   {"GET /ping HTTP/1.1"},
		http.StatusUnauthorized:         {"POST /extension HTTP/1.1"},
		http.StatusMethodNotAllowed:     {"PUT /pair HTTP/1.1", bearer},
		http.StatusUnsupportedMediaType: {"POST /pair HTTP/1.1", "Content-Type: text/plain"},
		http.StatusBadRequest:           {"GET /extension HTTP/1.1", "Sec-WebSocket-Protocol: omw-token." + token},
	} {
		a := admit(t, append(lines, host, "Origin: "+mozExt)...)
		require.Equal(t, status, a.status())
		require.Equal(t, []string{mozExt}, a.header["Access-Control-Allow-Origin"])
		require.Equal(t, []string{"Origin"}, a.header["Vary"])
	}
}

func TestNoCORSWithoutOrigin(t *testing.T) {
	a := admit(t, "GET /ping HTTP/1.1", host)
	require.Empty(t, allowHeaders(a.header))
	require.Equal(t, []string{"Origin"}, a.header["Vary"], "another Origin would have got another answer")
	require.Empty(t, admit(t, "POST /command HTTP/1.1", host, bearer).header["Vary"])
}
