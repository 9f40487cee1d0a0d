package gate

import (
	"mime"
	"net/http"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// checkMedia refuses a body that says that it is no JSON in UTF-8, or that it
// is packed: application/json with or without charset=utf-8, or no
// Content-Type at all, and no Content-Encoding.
func checkMedia(h http.Header) *protocol.Error {
	for coding := range members(h["Content-Encoding"]) {
		if !strings.EqualFold(coding, "identity") {
			return protocol.Errorf(protocol.UnsupportedMedia, "send the body as it is, without a Content-Encoding")
		}
	}
	if types := h["Content-Type"]; len(types) > 1 || (len(types) == 1 && !isJSON(types[0])) {
		return protocol.Errorf(protocol.UnsupportedMedia, "the Content-Type must be application/json, in UTF-8")
	}
	return nil
}

func isJSON(contentType string) bool {
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil || media != "application/json" {
		return false
	}
	for name, value := range params {
		if name != "charset" || !strings.EqualFold(value, "utf-8") {
			return false
		}
	}
	return true
}
