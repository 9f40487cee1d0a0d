package gate

import (
	"net/http"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ParseOrigin returns the browser whose extension sends this Origin, or false
// for any other (AUTH-14): chrome-extension:// with 32 letters from a to p, or
// moz-extension:// with a UUID in lower case, as Firefox writes it, and nothing
// before or behind.
func ParseOrigin(origin string) (protocol.Browser, bool) {
	if id, ok := strings.CutPrefix(origin, "chrome-extension://"); ok {
		return protocol.Chrome, isChromeID(id)
	}
	if id, ok := strings.CutPrefix(origin, "moz-extension://"); ok {
		return protocol.Firefox, isUUID(id)
	}
	return "", false
}

func isChromeID(s string) bool {
	if len(s) != 32 {
		return false
	}
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'p' {
			return false
		}
	}
	return true
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}

// comeFrom finds out where the request was made and refuses what a web page
// made. v.Route is known, and nil for a path that is none.
func (v *Visitor) comeFrom(h http.Header) *protocol.Error {
	origins, sent := h["Origin"]
	if !sent {
		return v.withoutOrigin(h)
	}
	if len(origins) != 1 {
		return protocol.Errorf(protocol.Forbidden, "a request has one Origin; this one has %d", len(origins))
	}
	browser, ok := ParseOrigin(origins[0])
	if !ok {
		return protocol.Errorf(protocol.Forbidden, "this Origin is not let in: only the oh-my-webbridge extension is, and programs that send no Origin")
	}
	if v.Route == nil || !v.Route.Extension {
		return protocol.Errorf(protocol.Forbidden, "an extension may use /extension, /ping and /pair alone; this path is for programs that send no Origin")
	}
	v.Origin, v.Browser = origins[0], browser
	return nil
}

// withoutOrigin refuses the requests that a page makes without an Origin, such
// as images, scripts and no-cors fetches (AUTH-19). A page cannot change
// Sec-Fetch-Site. A value that nobody knows yet is no verdict, as the Fetch
// Metadata specification asks.
func (v *Visitor) withoutOrigin(h http.Header) *protocol.Error {
	for value := range members(h["Sec-Fetch-Site"]) {
		switch strings.ToLower(value) {
		case "cross-site", "same-site":
			return protocol.Errorf(protocol.Forbidden, "this request was made by a web page (Sec-Fetch-Site: %s), and pages are not let in", strings.ToLower(value))
		}
	}
	if v.Route != nil && v.Route.NeedsOrigin {
		return protocol.Errorf(protocol.Forbidden, "this path is for the extension alone, and the request has no Origin")
	}
	return nil
}
