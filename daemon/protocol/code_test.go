package protocol_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestTheStatusOfARefusal(t *testing.T) {
	want := map[protocol.Code]int{
		protocol.BadRequest: 400, protocol.Unauthorized: 401, protocol.Forbidden: 403, protocol.NotFound: 404,
		protocol.MethodNotAllowed: 405, protocol.RequestTimeout: 408, protocol.Conflict: 409, protocol.TooLarge: 413,
		protocol.UnsupportedMedia: 415, protocol.Busy: 503, protocol.NotConnected: 503,
	}
	for _, c := range protocol.Codes {
		status, ok := want[c]
		if !ok {
			status = 500
		}
		require.Equal(t, status, c.Status(), c)
	}
}

func TestAnInternalErrorTellsNothing(t *testing.T) {
	secret := errors.New("open /home/me/token: denied")
	e := protocol.AsError(fmt.Errorf("save bindings: %w", secret))
	require.Equal(t, protocol.Internal, e.Code)
	require.NotContains(t, e.Error(), "token")
	wire := protocol.Errorf(protocol.Busy, "full")
	require.Same(t, wire, protocol.AsError(fmt.Errorf("send: %w", wire)))
	require.Equal(t, "busy: full", wire.Error())
	require.Equal(t, protocol.DeliveredNo, wire.Delivered)
	require.Equal(t, protocol.OutcomeUnknown, protocol.Unknown(protocol.DeliveredUnknown, "x").Code)
}

func TestBrowsers(t *testing.T) {
	require.Equal(t, [...]protocol.Browser{protocol.Chrome, protocol.Firefox}, protocol.Browsers)
	require.Equal(t, protocol.Firefox, protocol.Chrome.Other())
	require.Equal(t, protocol.Chrome, protocol.Firefox.Other())
	require.Equal(t, "Chrome", protocol.Chrome.Title())
	require.Equal(t, "Firefox", protocol.Firefox.Title())
	require.Equal(t, "no browser", protocol.Browser("").Title())
}

// TestProof holds one proof that was computed elsewhere (Python's hmac).
func TestProof(t *testing.T) {
	token, nonce := strings.Repeat("A", 43), "abcdefghijklmnopqrstuv"
	const proof = "6R2_YP6PqAKG33lLc6vPmN3QK2nmNZbwUYMwDjym75E"
	require.Equal(t, proof, protocol.Proof(token, nonce))
	require.True(t, protocol.CheckProof(token, nonce, proof))
	for _, bad := range []string{"", proof[1:], proof + "=", strings.ToUpper(proof)} {
		require.False(t, protocol.CheckProof(token, nonce, bad), bad)
	}
	require.False(t, protocol.CheckProof(token, nonce+"w", proof))
	require.False(t, protocol.CheckProof(token+"A", nonce, proof))
}

func TestPairingBodies(t *testing.T) {
	s := newOracle(t).schema(t, "http/pair.json#/$defs/request")
	code, err := protocol.DecodePair([]byte(` {"c\u006fde" : "012345"} `), limits)
	require.NoError(t, err)
	require.Equal(t, "012345", code)
	require.NoError(t, valid(t, s, []byte(`{"code":"012345"}`)))

	for body, want := range map[string]string{
		``:                                       "the body is no good JSON",
		`[]`:                                     "the body is no good JSON: it is an array",
		`null`:                                   "the body is no good JSON: it is null",
		`{"code":"012345"} x`:                    "the body is no good JSON: something stands behind it",
		"\xef\xbb\xbf{\"code\":\"012345\"}":      "byte order mark",
		`{"code":"1","code":"2"}`:                "a name stands twice",
		`{"code":[[[[` + strings.Repeat("[", 64): "nests deeper than 64 levels",
		`{}`:                                     `"code" is missing`,
		`{"code":""}`:                            `"code"`,
		`{"code":12345}`:                         `"code" must be a string, not a number`,
		`{"code":["012345"]}`:                    `"code" must be a string, not an array`,
		`{"code":null}`:                          `"code" must be a string, not null`,
		`{"Code":"012345"}`:                      `"Code" is no field of a pairing`,
		`{"code":"012345","x":1}`:                `"x" is no field of a pairing`,
	} {
		_, err := protocol.DecodePair([]byte(body), limits)
		require.ErrorContains(t, err, want, body)
		require.Equal(t, protocol.BadRequest, protocol.AsError(err).Code)
	}
}

func TestEveryCodeHasAMeaningOfItsOwn(t *testing.T) {
	seen := map[string]protocol.Code{}
	for _, c := range protocol.Codes {
		require.NotEmpty(t, c.Meaning(), c)
		require.Empty(t, seen[c.Meaning()], c)
		seen[c.Meaning()] = c
	}
	require.Empty(t, protocol.Code("kaputt").Meaning())
}
