package gate_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// flipped is the token with the case of one letter changed.
var flipped = strings.Replace(token, "a", "A", 1)

// wrongTokens are refused exactly like a missing one (AUTH-02).
var wrongTokens = map[string]string{
	"empty": "", "truncated": token[:len(token)-1], "lengthened": token + "x", "twice": token + token, "flipped": flipped,
	"first letter gone": token[1:], "another": strings.Repeat("x", len(token)), "upper": strings.ToUpper(token), "padded": token + "=",
}

func TestCheckToken(t *testing.T) {
	require.True(t, gate.CheckToken(token, token))
	require.True(t, gate.CheckToken("x", "x"))
	for name, presented := range wrongTokens {
		require.False(t, gate.CheckToken(presented, token), name)
	}
	require.False(t, gate.CheckToken("", ""), "an empty token is nobody's")
	require.False(t, gate.CheckToken("x", ""))
}

func TestAuthorization(t *testing.T) {
	for line, in := range map[string]bool{
		"Bearer " + token:                true,
		"bearer " + token:                true,
		"BEARER " + token:                true,
		"bEaReR " + token:                true,
		"Bearer  " + token:               false,
		"Bearer\t" + token:               false,
		"Bearer" + token:                 false,
		"Bearer":                         false,
		"Bearer ":                        false,
		"":                               false,
		token:                            false,
		"Basic " + token:                 false,
		"Beare " + token:                 false,
		"Bearers " + token:               false,
		"Bearer: " + token:               false,
		"Bearer \"" + token + "\"":       false,
		"Bearer token=" + token:          false,
		"Bearer " + token + ", Bearer X": false,
		"Bearer X, Bearer " + token:      false,
		"Bearer " + token + "\r\nAuthorization: Bearer X":        false,
		"Bearer X\r\nAuthorization: Bearer " + token:             false,
		"Bearer " + token + "\r\nAuthorization: Bearer " + token: false,
		"Bearer " + token + "\r\nAuthorization:":                 false,
	} {
		for _, target := range []string{"POST /command", "GET /json", "GET /devtools/page/1"} {
			t.Run(target+" "+line, func(t *testing.T) {
				a := admit(t, target+" HTTP/1.1", host, "Authorization: "+line)
				if in {
					require.Nil(t, a.err)
				} else {
					require.Equal(t, http.StatusUnauthorized, a.status())
				}
			})
		}
	}
}

func TestWrongTokenIsRefusedLikeAMissingOne(t *testing.T) {
	for target, missing := range map[string]answer{
		"POST /command":   admit(t, "POST /command HTTP/1.1", host),
		"GET /json":       admit(t, "GET /json HTTP/1.1", host),
		"GET /nowhere":    admit(t, "GET /nowhere HTTP/1.1", host),
		"DELETE /command": admit(t, "DELETE /command HTTP/1.1", host),
		"HEAD /ping":      admit(t, "HEAD /ping HTTP/1.1", host),
		"PUT /ping":       admit(t, "PUT /ping HTTP/1.1", host),
	} {
		require.Equal(t, http.StatusUnauthorized, missing.status(), target)
		require.Equal(t, protocol.Unauthorized, missing.err.Code)
		require.Equal(t, "Bearer", missing.header.Get("WWW-Authenticate"))
		for name, presented := range wrongTokens {
			a := admit(t, target+" HTTP/1.1", host, "Authorization: Bearer "+presented)
			require.Equal(t, missing.err, a.err, name)
			require.Equal(t, missing.header, a.header, name)
		}
	}
}

// A token anywhere else authenticates nothing (AUTH-05).
func TestTokenElsewhere(t *testing.T) {
	for name, lines := range map[string][]string{
		"query":                    {"POST /command?token=" + token + " HTTP/1.1"},
		"query, other name":        {"POST /command?access_token=" + token + " HTTP/1.1"},
		"query of bearer":          {"GET /json?Authorization=Bearer%20" + token + " HTTP/1.1"},
		"path":                     {"GET /" + token + "/json HTTP/1.1"},
		"path behind":              {"GET /devtools/page/" + token + " HTTP/1.1"},
		"cookie":                   {"POST /command HTTP/1.1", "Cookie: token=" + token},
		"other header":             {"POST /command HTTP/1.1", "X-Token: " + token, "Proxy-Authorization: Bearer " + token},
		"subprotocol of a command": {"POST /command HTTP/1.1", "Sec-WebSocket-Protocol: omw.v1, omw-token." + token},
		"subprotocol of devtools":  {"GET /devtools/page/1 HTTP/1.1", "Sec-WebSocket-Protocol: omw.v1, omw-token." + token},
		"subprotocol of a POST":    {"POST /extension HTTP/1.1", "Origin: " + chromeExt, "Sec-WebSocket-Protocol: omw.v1, omw-token." + token},
		"bearer of an upgrade":     {"GET /extension HTTP/1.1", "Origin: " + chromeExt, bearer, "Sec-WebSocket-Protocol: omw.v1"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, http.StatusUnauthorized, admit(t, append(lines, host)...).status())
		})
	}
}

func TestSubprotocol(t *testing.T) {
	own := "omw-token." + token
	for offer, status := range map[string]int{
		"omw.v1, " + own:                                        200,
		own + ", omw.v1":                                        200,
		"omw.v1," + own:                                         200,
		"omw.v1 ,\t" + own + "\t":                               200,
		"omw.v1,, " + own + ",":                                 200,
		"omw.v1\r\nSec-WebSocket-Protocol: " + own:              200,
		"chat, omw.v1, " + own:                                  200,
		"omw.v1, " + own + ", " + own:                           401,
		"omw.v1, " + own + "\r\nSec-WebSocket-Protocol: " + own: 401,
		"omw.v1, " + own + ", omw-token.x":                      401,
		"omw.v1, omw-token., " + own:                            401,
		"omw.v1, OMW-TOKEN." + token:                            401,
		"omw.v1, omw-token" + token:                             401,
		"omw.v1, omw_token." + token:                            401,
		"omw.v1, omw-token. " + token:                           401,
		"omw.v1, omw-token." + flipped:                          401,
		"omw.v1, omw-token." + token[:10]:                       401,
		"omw.v1, omw-token.":                                    401,
		"omw.v1, " + token:                                      401,
		"omw.v1":                                                401,
		"":                                                      401,
		"omw.v1 " + own:                                         401,
		own:                                                     400,
		"omw.v2, " + own:                                        400,
		"OMW.V1, " + own:                                        400,
		"omw.v11, " + own:                                       400,
		"omw.v1, omw.v1, " + own:                                400,
		"omw.v1, " + own + "\r\nSec-WebSocket-Protocol: omw.v1": 400,
	} {
		t.Run(offer, func(t *testing.T) {
			a := admit(t, "GET /extension HTTP/1.1", host, "Origin: "+chromeExt, "Upgrade: websocket", "Sec-WebSocket-Protocol: "+offer)
			require.Equal(t, status, a.status())
			if status == http.StatusBadRequest {
				require.Contains(t, a.err.Message, "omw.v1")
			}
		})
	}
}

// An upgrade's own subprotocols decide, whatever else it brings.
func TestSubprotocolBesideAuthorization(t *testing.T) {
	a := admit(t, "GET /extension HTTP/1.1", host, "Origin: "+mozExt, "Authorization: Bearer wrong", "Sec-WebSocket-Protocol: omw.v1, omw-token."+token)
	require.Nil(t, a.err)
}

func TestRotationHoldsFromTheNextRequest(t *testing.T) {
	current := token
	g := gate.New(routes, func() string { return current })
	require.Equal(t, http.StatusOK, admitBy(t, g, "GET /json HTTP/1.1", host, bearer).status())
	current = flipped
	require.Equal(t, http.StatusUnauthorized, admitBy(t, g, "GET /json HTTP/1.1", host, bearer).status())
	require.Equal(t, http.StatusOK, admitBy(t, g, "GET /json HTTP/1.1", host, "Authorization: Bearer "+flipped).status())
}
