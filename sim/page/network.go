package page

import (
	"encoding/base64"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// keptRequests and keptBodies bound what a tab's capture holds (LIMIT-13).
const (
	keptRequests = 500
	keptBodies   = 8 << 20
)

// capture is what a tab remembers of its requests.
type capture struct {
	next    int64
	entries []*request
	bytes   int
	// dropped counts the entries that made room for later ones.
	dropped int64
}

// request is common.json's network-entry, and its body.
type request struct {
	n        int64
	ID       string  `json:"id"`
	URL      string  `json:"url"`
	Method   string  `json:"method"`
	Type     string  `json:"type,omitempty"`
	Status   int     `json:"status,omitzero"`
	Mime     string  `json:"mime,omitempty"`
	Started  float64 `json:"started_ms"`
	Duration float64 `json:"duration_ms"`
	Size     int     `json:"size"`
	Error    string  `json:"error,omitempty"`
	Blocked  bool    `json:"blocked,omitzero"`

	began time.Time
	body  []byte
	lost  bool
	tab   *tab
}

// begin records that a request starts.
func (c *call) begin(b *tab, kind string, req *Request) *request {
	p := &b.requests
	p.next++
	now := time.Now()
	r := &request{
		n: p.next, ID: strconv.FormatInt(p.next, 10), URL: req.URL, Method: req.Method, Type: kind,
		Started: float64(now.UnixMicro()) / 1000, began: now, tab: b,
	}
	p.entries = append(p.entries, r)
	if len(p.entries) > keptRequests {
		p.bytes -= len(p.entries[0].body)
		p.entries = p.entries[1:]
		p.dropped++
	}
	return r
}

// finish records what came of a request; old bodies make room for its own.
func (r *request) finish(got *Response, err error) {
	r.Duration = float64(time.Since(r.began).Microseconds()) / 1000
	if err != nil {
		r.Error = err.Error()
		if errors.Is(err, ErrNotServed) {
			r.Error = "net::ERR_NAME_NOT_RESOLVED"
		}
		return
	}
	r.Status, r.Size = got.Status, len(got.Body)
	r.Mime, _, _ = mime.ParseMediaType(got.Header.Get("Content-Type"))
	p := &r.tab.requests
	r.body = got.Body
	p.bytes += len(r.body)
	for _, old := range p.entries {
		if p.bytes <= keptBodies {
			return
		}
		if old.body != nil {
			p.bytes -= len(old.body)
			old.body, old.lost = nil, true
		}
	}
}

func (c *call) network(b *tab) (any, error) {
	p := &b.requests
	switch c.text("cmd") {
	case "list":
		return c.requests(p), nil
	case "body":
		return p.body(c.text("id"))
	}
	*p = capture{next: p.next}
	return struct{}{}, nil
}

func (c *call) requests(p *capture) any {
	filter := c.text("filter")
	since, _ := c.int64("since")
	limit, bounded := c.int64("limit")
	entries := []*request{}
	for _, r := range p.entries {
		if r.n > since && (filter == "" || matches(filter, r.URL)) {
			entries = append(entries, r)
		}
	}
	truncated := p.dropped > 0 && since < p.dropped
	if bounded && int64(len(entries)) > limit {
		entries, truncated = entries[int64(len(entries))-limit:], true
	}
	data := map[string]any{"entries": entries, "next": p.next}
	if truncated {
		data["truncated"] = true
	}
	return data
}

func (p *capture) body(id string) (any, error) {
	for _, r := range p.entries {
		switch {
		case r.ID != id:
		case r.lost:
			return nil, fail(protocol.NotFound, "the body of that request made room for later ones")
		case r.Error != "" || r.Blocked:
			return nil, fail(protocol.NotFound, "that request has no body: %s", r.Error)
		default:
			data := map[string]any{"body": string(r.body), "encoding": "text", "mime": r.Mime}
			if !utf8.Valid(r.body) {
				data["body"], data["encoding"] = base64.StdEncoding.EncodeToString(r.body), "base64"
			}
			return data, nil
		}
	}
	return nil, fail(protocol.NotFound, "there is no entry of that id")
}

// local answers what no Site is asked for: about: and data: URLs.
func local(raw string) (Response, bool) {
	switch {
	case raw == blank, raw == srcdoc:
		return page(http.StatusOK, ""), true
	case scheme(raw) == "data":
		return dataURL(raw), true
	}
	return Response{}, false
}

// dataURL reads a data: URL (RFC 2397).
func dataURL(raw string) Response {
	meta, body, _ := strings.Cut(strings.TrimPrefix(raw[len("data:"):], "//"), ",")
	kind, coded := strings.CutSuffix(meta, ";base64")
	if kind == "" || strings.HasPrefix(kind, ";") {
		kind = "text/plain" + kind
	}
	text := unescape(body)
	if coded {
		if plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text)); err == nil {
			text = string(plain)
		}
	}
	return Response{Status: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Body: []byte(text)}
}

// unescape percent-decodes; what is no escape stays as it is.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
