package gate_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

var origins = map[string]protocol.Browser{
	chromeExt: protocol.Chrome,
	"chrome-extension://" + strings.Repeat("a", 32): protocol.Chrome,
	"chrome-extension://" + strings.Repeat("p", 32): protocol.Chrome,
	mozExt: protocol.Firefox,
	"moz-extension://00000000-0000-0000-0000-000000000000": protocol.Firefox,
	"moz-extension://ffffffff-ffff-ffff-ffff-ffffffffffff": protocol.Firefox,
	"moz-extension://09afb7c2-09af-09af-09af-09af09af09af": protocol.Firefox,
}

// strangers are the web origins and the near misses of AUTH-13, AUTH-14 and C07.
var strangers = []string{
	"", "null", "file://", "file:///", "data:", "about:blank", "blob:null", "http://127.0.0.1:17373", "http://127.0.0.1", "https://127.0.0.1:17373",
	"http://localhost:17373", "https://evil.example", "ws://127.0.0.1:17373", "omw://abcdefghijklmnopabcdefghijklmnop",
	"https://abcdefghijklmnopabcdefghijklmnop", "safari-web-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b", "*",
	"chrome-extension://", "chrome-extension://*", "chrome-extension://evil", "chrome-extension:abcdefghijklmnopabcdefghijklmnop",
	"chrome-extension:/abcdefghijklmnopabcdefghijklmnop", "chrome-extension:///abcdefghijklmnopabcdefghijklmnop",
	"chrome-extension://abcdefghijklmnopabcdefghijklmno", "chrome-extension://abcdefghijklmnopabcdefghijklmnopa",
	"chrome-extension://abcdefghijklmnopabcdefghijklmnoq", "chrome-extension://qbcdefghijklmnopabcdefghijklmnop",
	"chrome-extension://abcdefghijklmnopabcdefghijklmnoz", "chrome-extension://abcdefghijklmno`abcdefghijklmnop",
	"chrome-extension://abcdefghijklmnopabcdefghijklmno1", "chrome-extension://ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP",
	"Chrome-Extension://abcdefghijklmnopabcdefghijklmnop", "CHROME-EXTENSION://abcdefghijklmnopabcdefghijklmnop",
	chromeExt + "/", chromeExt + ":80", chromeExt + "/x", chromeExt + "?", chromeExt + "#", chromeExt + ".evil.example",
	chromeExt + ", https://evil.example", chromeExt + "," + chromeExt, chromeExt + " " + chromeExt, "https://evil.example, " + chromeExt,
	"x" + chromeExt, chromeExt + "\tx",
	"chrome-extension://u@abcdefghijklmnopabcdefghijklmnop", "chrome-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b",
	"moz-extension://abcdefghijklmnopabcdefghijklmnop", "moz-extension://", "moz-extension://job@example.org",
	"moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6", "moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b0",
	"moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6g", "moz-extension://3F2B6C1E-8A4D-4E0F-9B7A-1C2D3E4F5A6B",
	"moz-extension://3f2b6c1e8a4d4e0f9b7a1c2d3e4f5a6b", "moz-extension://3f2b6c1e-8a4d-4e0f-9b7a01c2d3e4f5a6b",
	"moz-extension://3f2b6c1-e8a4d-4e0f-9b7a-1c2d3e4f5a6b", "moz-extension://{3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a}",
	"moz-extension://3f2b6c1e-8a4d-4e0f-9b7a--c2d3e4f5a6b", mozExt + "/", mozExt + ":80", "Moz-Extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b",
}

func TestParseOrigin(t *testing.T) {
	for origin, browser := range origins {
		got, ok := gate.ParseOrigin(origin)
		require.True(t, ok, origin)
		require.Equal(t, browser, got, origin)
	}
	for _, origin := range strangers {
		_, ok := gate.ParseOrigin(origin)
		require.False(t, ok, origin)
	}
}

func TestOriginIsTheBrowser(t *testing.T) {
	for origin, browser := range origins {
		for _, target := range []string{"GET /ping", "POST /pair", "POST /extension"} {
			a := admit(t, target+" HTTP/1.1", host, bearer, "Origin: "+origin)
			require.Nil(t, a.err)
			require.Equal(t, origin, a.visitor.Origin)
			require.Equal(t, browser, a.visitor.Browser)
			require.Equal(t, strings.Fields(target)[1], a.visitor.Route.Path)
		}
	}
}

// everywhere are all kinds of paths, with all that they need but an Origin.
var everywhere = []string{
	"GET /ping", "POST /pair", "POST /extension", "POST /command", "GET /json", "GET /devtools/page/1", "GET /nowhere", "DELETE /ping",
}

func TestStrangeOriginIsRefusedEverywhere(t *testing.T) {
	for _, origin := range strangers {
		for _, target := range everywhere {
			t.Run(target+" "+origin, func(t *testing.T) {
				a := admit(t, target+" HTTP/1.1", host, bearer, "Origin: "+origin)
				require.NotNil(t, a.err)
				require.Equal(t, protocol.Forbidden, a.err.Code)
				require.Empty(t, allowHeaders(a.header))
				require.Empty(t, a.visitor.Origin)
				require.Empty(t, a.visitor.Browser)
			})
		}
	}
}

func TestOriginDecidesBeforeTheToken(t *testing.T) {
	for _, target := range everywhere {
		require.Equal(t, http.StatusForbidden, admit(t, target+" HTTP/1.1", host, "Origin: https://evil.example").status(), target)
	}
}

func TestTwoOriginLines(t *testing.T) {
	for _, second := range []string{"https://evil.example", chromeExt, ""} {
		a := admit(t, "POST /pair HTTP/1.1", host, "Origin: "+chromeExt, "Origin: "+second)
		require.Equal(t, http.StatusForbidden, a.status())
		require.Empty(t, allowHeaders(a.header))
	}
}

// Only the three routes are the extension's, with a good token too (AUTH-15).
func TestExtensionOriginElsewhere(t *testing.T) {
	for _, target := range []string{"POST /command", "GET /json", "GET /devtools/page/1", "GET /nowhere", "GET /ping/", "GET /Ping", "GET //ping", "OPTIONS /command"} {
		t.Run(target, func(t *testing.T) {
			a := admit(t, target+" HTTP/1.1", host, bearer, "Origin: "+chromeExt, "Access-Control-Request-Method: POST")
			require.NotNil(t, a.err)
			require.Equal(t, protocol.Forbidden, a.err.Code)
			require.Empty(t, allowHeaders(a.header))
		})
	}
}

func TestMissingOrigin(t *testing.T) {
	for target, status := range map[string]int{
		"GET /ping": 200, "POST /command": 200, "GET /json": 200, "GET /devtools/page/1": 200,
		"POST /pair": 403, "POST /extension": 403, "GET /extension": 403, "OPTIONS /pair": 403,
	} {
		a := admit(t, target+" HTTP/1.1", host, bearer)
		require.Equal(t, status, a.status(), target)
		require.Empty(t, a.visitor.Browser)
	}
}

// A page asks without an Origin for images, scripts and no-cors fetches; its
// browser says so (AUTH-19).
func TestSecFetchSite(t *testing.T) {
	for site, in := range map[string]bool{
		"cross-site": false, "same-site": false, "Cross-Site": false, "none, cross-site": false, "none\r\nSec-Fetch-Site: same-site": false,
		"none": true, "same-origin": true, "something-new": true, "": true,
	} {
		for _, target := range everywhere {
			if strings.Contains(target, "/pair") || strings.Contains(target, "/extension") {
				continue // refused without an Origin as it is
			}
			t.Run(site+" "+target, func(t *testing.T) {
				a := admit(t, target+" HTTP/1.1", host, bearer, "Sec-Fetch-Site: "+site)
				if in {
					require.NotEqual(t, http.StatusForbidden, a.status())
				} else {
					require.Equal(t, http.StatusForbidden, a.status())
					require.Contains(t, a.err.Message, "-site")
				}
			})
		}
	}
}

// An extension is another site than the daemon, and Chrome says so.
func TestSecFetchSiteOfAnExtension(t *testing.T) {
	for _, site := range []string{"cross-site", "same-origin", "none"} {
		a := admit(t, "GET /ping HTTP/1.1", host, "Origin: "+chromeExt, "Sec-Fetch-Site: "+site)
		require.Equal(t, http.StatusOK, a.status(), site)
	}
}
