package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
	"github.com/oh-my-webbridge/omw/sim/page/generate/visit"
)

// site serves the generated pages to one tab and writes down every other request
// of it.
type site struct {
	server *httptest.Server
	heard  chan struct{}

	mu   sync.Mutex
	seen []visit.Request
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
func (s *site) requests(ctx context.Context, n int) []visit.Request {
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
	got := visit.Understand(r.Method, r.RequestURI, r.Header.Get("Content-Type"), body)
	s.mu.Lock()
	s.seen = append(s.seen, got)
	s.mu.Unlock()
	select {
	case s.heard <- struct{}{}:
	default:
	}
	io.WriteString(w, "<!doctype html><title>Received</title><p>Received.</p>") //nolint:errcheck // the browser left
}
