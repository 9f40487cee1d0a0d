package main

import (
	"bytes"
	"context"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
)

// request is what a page sent, as its server understood it.
type request struct {
	Method  string           `json:"method"`
	Path    string           `json:"path"`
	Query   string           `json:"query,omitempty"`
	Enctype string           `json:"enctype,omitempty"`
	Body    string           `json:"body,omitempty"`
	Entries []generate.Entry `json:"entries,omitempty"`
}

// site serves the generated pages to one tab and writes down every other request
// of it.
type site struct {
	server *httptest.Server
	heard  chan struct{}

	mu   sync.Mutex
	seen []request
}

func newSite() *site {
	s := &site{heard: make(chan struct{}, 1)}
	s.server = httptest.NewServer(s)
	return s
}

// forget begins a new visit.
func (s *site) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = nil
}

// requests are those of the visit, once there are n of them or ctx ends.
func (s *site) requests(ctx context.Context, n int) []request {
	for {
		s.mu.Lock()
		seen := s.seen
		s.mu.Unlock()
		if len(seen) >= n {
			return seen
		}
		select {
		case <-s.heard:
		case <-ctx.Done():
			return seen
		}
	}
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if r.URL.Path == "/favicon.ico" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	seed, isPage := strings.CutPrefix(r.URL.Path, "/page/")
	if n, err := strconv.ParseUint(seed, 10, 64); isPage && err == nil && r.Method == http.MethodGet && r.URL.RawQuery == "" && !strings.HasSuffix(r.RequestURI, "?") {
		io.WriteString(w, generate.New(n).HTML) //nolint:errcheck // the browser left
		return
	}
	body, _ := io.ReadAll(r.Body)
	got := understand(r.Method, r.RequestURI, r.Header.Get("Content-Type"), body)
	s.mu.Lock()
	s.seen = append(s.seen, got)
	s.mu.Unlock()
	select {
	case s.heard <- struct{}{}:
	default:
	}
	io.WriteString(w, "<!doctype html><title>Received</title><p>Received.</p>") //nolint:errcheck // the browser left
}

// understand reads a request as the server of a form does.
func understand(method, uri, contentType string, body []byte) request {
	path, query, asked := strings.Cut(uri, "?")
	r := request{Method: method, Path: path, Query: query}
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
