package api

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// isUpgrade refuses what is no WebSocket handshake (RFC 6455 §4.2.1) in the
// words of the wire, which the library would answer as plain text.
func isUpgrade(r *http.Request) *protocol.Error {
	switch {
	case !r.ProtoAtLeast(1, 1) || !hasToken(r.Header["Connection"], "upgrade") || !hasToken(r.Header["Upgrade"], "websocket"):
		return protocol.Errorf(protocol.BadRequest, "this path is a WebSocket; connect to it as one")
	case r.Header.Get("Sec-WebSocket-Version") != "13":
		return protocol.Errorf(protocol.BadRequest, "the WebSocket version must be 13")
	case !isKey(r.Header.Values("Sec-WebSocket-Key")):
		return protocol.Errorf(protocol.BadRequest, "one Sec-WebSocket-Key is expected, 16 bytes in base64")
	}
	return nil
}

func isKey(values []string) bool {
	if len(values) != 1 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(values[0])
	return err == nil && len(key) == 16
}

// hasToken reports whether a list header holds a token, without case (RFC 9110 §5.6.1).
func hasToken(lines []string, token string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		return slices.ContainsFunc(strings.Split(line, ","), func(item string) bool {
			return strings.EqualFold(strings.Trim(item, " \t"), token)
		})
	})
}
