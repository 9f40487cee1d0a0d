package visit

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
)

// Request is what a page sent, as its server understood it.
type Request struct {
	Method  string           `json:"method"`
	Path    string           `json:"path"`
	Query   string           `json:"query,omitempty"`
	Enctype string           `json:"enctype,omitempty"`
	Body    string           `json:"body,omitempty"`
	Entries []generate.Entry `json:"entries,omitempty"`
}

// Understand reads a request as the server of a form does.
func Understand(method, uri, contentType string, body []byte) Request {
	path, query, asked := strings.Cut(uri, "?")
	r := Request{Method: method, Path: path, Query: query}
	kind, params, _ := mime.ParseMediaType(contentType)
	if method != http.MethodPost {
		if asked {
			r.Entries = decode(query)
		}
		return r
	}
	r.Enctype = kind
	switch kind {
	case generate.Multipart:
		parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if err != nil {
				break
			}
			value, _ := io.ReadAll(part)
			r.Entries = append(r.Entries, generate.Entry{Name: fieldName(part.Header.Get("Content-Disposition")), Value: string(value)})
		}
	default:
		r.Body = string(body)
		if kind == generate.URLEncoded {
			r.Entries = decode(r.Body)
		}
	}
	return r
}

// fieldName reads the name of a part as browsers write it (HTML 4.10.22.7):
// with " and line ends percent-encoded and nothing else, in UTF-8.
func fieldName(disposition string) string {
	_, rest, _ := strings.Cut(disposition, `name="`)
	name, _, _ := strings.Cut(rest, `"`)
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%22", `"`).Replace(name)
}

// decode reads application/x-www-form-urlencoded in its order.
func decode(s string) []generate.Entry {
	var list []generate.Entry
	for pair := range strings.SplitSeq(s, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, _ = url.QueryUnescape(name)
		value, _ = url.QueryUnescape(value)
		list = append(list, generate.Entry{Name: name, Value: value})
	}
	return list
}
