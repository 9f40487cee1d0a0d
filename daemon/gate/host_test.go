package gate_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// good are requests that are let in once their Host is.
var good = map[string][]string{
	"ping":      {"GET /ping HTTP/1.1"},
	"pair":      {"POST /pair HTTP/1.1", "Origin: " + mozExt},
	"command":   {"POST /command HTTP/1.1", bearer},
	"extension": {"GET /extension HTTP/1.1", "Origin: " + chromeExt, "Sec-WebSocket-Protocol: omw.v1, omw-token." + token},
	"preflight": {"OPTIONS /pair HTTP/1.1", "Origin: " + chromeExt, "Access-Control-Request-Method: POST"},
}

func TestHostThatIsServed(t *testing.T) {
	for _, name := range []string{
		"127.0.0.1", "127.0.0.1:17373", "127.0.0.1:9999", "127.0.0.1:1", "127.0.0.1:65535",
	} {
		for path, lines := range good {
			t.Run(name+"/"+path, func(t *testing.T) {
				require.Nil(t, admit(t, append(lines, "Host: "+name)...).err)
			})
		}
	}
}

func TestHostThatIsRefused(t *testing.T) {
	for _, name := range []string{
		"", "localhost", "localhost:17373", "LOCALHOST", "localhost.", "127.0.0.1.", "127.0.0.1.:17373",
		"[::1]", "[::1]:17373", "::1", "[::ffff:127.0.0.1]", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1",
		"127.0.0.1%20", "127.0.0.1,evil.example", "127.0.0.1, 127.0.0.1", "evil.example:127.0.0.1",
		"127.0.0.1.evil.example", "evil.example", "evil.example@127.0.0.1", "127.0.0.1@evil.example", "127.0.0.1:17373@evil.example",
		"127.0.0.2", "0.0.0.0", "127.0.0.10", "127.000.000.001", "１２７.0.0.1", "[127.0.0.1]", "[127.0.0.1]:17373",
		"127.0.0.1:", "127.0.0.1:017373", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:99999", "127.0.0.1:100000",
		"127.0.0.1:+80", "127.0.0.1:-1", "127.0.0.1:1_0", "127.0.0.1:0x50", "127.0.0.1:80:80", "127.0.0.1: 80", "127.0.0.1 :80",
		"127.0.0.1:http", "127.0.0.1/", "127.0.0.1:80/", "127.0.0.1\\", "127.0.0.1#", "127.0.0.1?",
	} {
		for path, lines := range good {
			t.Run(name+"/"+path, func(t *testing.T) {
				a := admit(t, append(lines, "Host: "+name)...)
				require.NotNil(t, a.err)
				require.Equal(t, protocol.Forbidden, a.err.Code)
				require.Contains(t, a.err.Message, "127.0.0.1")
				require.Empty(t, allowHeaders(a.header), "nothing else was looked at")
				require.Empty(t, a.visitor)
			})
		}
	}
}

func TestHostDecidesBeforeEverythingElse(t *testing.T) {
	for name, lines := range map[string][]string{
		"no token":     {"POST /command HTTP/1.1"},
		"unknown path": {"GET /nowhere HTTP/1.1", bearer},
		"web origin":   {"GET /ping HTTP/1.1", "Origin: https://evil.example"},
		"wrong method": {"DELETE /command HTTP/1.1", bearer},
		"wrong type":   {"POST /command HTTP/1.1", bearer, "Content-Type: text/plain"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, http.StatusForbidden, admit(t, append(lines, "Host: evil.example")...).status())
		})
	}
}

// What a proxy says of the Host never counts, in either direction.
func TestHostIsTheHostLineAlone(t *testing.T) {
	a := admit(t, "GET /ping HTTP/1.1", "Host: evil.example", "X-Forwarded-Host: 127.0.0.1", "Forwarded: host=127.0.0.1")
	require.Equal(t, http.StatusForbidden, a.status())
	a = admit(t, "GET /ping HTTP/1.1", host, "X-Forwarded-Host: evil.example", "Forwarded: host=evil.example")
	require.Equal(t, http.StatusOK, a.status())
}

func TestTargetThatIsNoPath(t *testing.T) {
	for _, target := range []string{
		"GET http://127.0.0.1:17373/ping", "POST http://127.0.0.1/command", "GET HTTP://127.0.0.1/ping",
		"OPTIONS *", "CONNECT 127.0.0.1:17373", "GET omw:ping", "OPTIONS http://127.0.0.1/ping",
	} {
		t.Run(target, func(t *testing.T) {
			a := admit(t, target+" HTTP/1.1", host, bearer)
			require.NotNil(t, a.err)
			require.Equal(t, protocol.Forbidden, a.err.Code)
			require.Contains(t, a.err.Message, "127.0.0.1")
		})
	}
}

func TestTargetThatLooksLikeAnAddressIsAPath(t *testing.T) {
	require.Equal(t, http.StatusNotFound, admit(t, "GET //127.0.0.1/ping HTTP/1.1", host, bearer).status())
	require.Equal(t, http.StatusUnauthorized, admit(t, "GET //127.0.0.1/ping HTTP/1.1", host).status())
}

func TestOldRequestWithoutHost(t *testing.T) {
	require.Equal(t, http.StatusForbidden, admit(t, "GET /ping HTTP/1.0").status())
	require.Equal(t, http.StatusOK, admit(t, "GET /ping HTTP/1.0", host).status())
}
