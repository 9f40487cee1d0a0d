package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Site answers the requests that pages make. Fetch is called from several
// goroutines, with no lock held, and may wait. It follows no redirect: an answer
// with a 3xx status and a Location header is followed by the browser. It returns
// ErrNotServed for a URL that is none of its own, and any other error for a
// request that failed as a network does; its text is what the browser says.
type Site interface {
	Fetch(ctx context.Context, r Request) (Response, error)
}

// Request is a request of a page. URL is absolute and has no fragment.
type Request struct {
	Method string
	URL    string
	Header http.Header
	Body   []byte
}

// Response is an answer. The zero Status is 200; a missing Content-Type is
// guessed from the body. URL is where the answer came from, if that is not the
// URL of the request.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	URL    string
}

// ErrNotServed is returned by a Site for a URL that is none of its own.
var ErrNotServed = errors.New("no page is served there")

// SiteFunc is a Site that is a function.
type SiteFunc func(ctx context.Context, r Request) (Response, error)

// Fetch calls f.
func (f SiteFunc) Fetch(ctx context.Context, r Request) (Response, error) { return f(ctx, r) }

// Map is a Site of absolute URLs and their HTML. A URL that is there but for its
// query is found without it, whatever the method. Any other URL of an origin that
// the map names is answered 404.
type Map map[string]string

// Fetch answers with the HTML of the URL.
func (m Map) Fetch(_ context.Context, r Request) (Response, error) {
	bare, _, _ := strings.Cut(r.URL, "?")
	for _, key := range []string{r.URL, bare, strings.TrimSuffix(bare, "/")} {
		if text, ok := m[key]; ok {
			return page(http.StatusOK, text), nil
		}
	}
	for key := range m {
		if sameOrigin(key, r.URL) {
			return notFound(), nil
		}
	}
	return Response{}, ErrNotServed
}

// Inline is a Site that answers every URL of http and https with the same HTML.
func Inline(html string) Site {
	return SiteFunc(func(_ context.Context, r Request) (Response, error) {
		if s := scheme(r.URL); s != "http" && s != "https" {
			return Response{}, ErrNotServed
		}
		return page(http.StatusOK, html), nil
	})
}

// Sites is a Site made of several: the first that serves a URL answers.
func Sites(all ...Site) Site {
	all = slices.Clone(all)
	return SiteFunc(func(ctx context.Context, r Request) (Response, error) {
		for _, s := range all {
			if resp, err := s.Fetch(ctx, r); !errors.Is(err, ErrNotServed) {
				return resp, err
			}
		}
		return Response{}, ErrNotServed
	})
}

func page(status int, text string) Response {
	return Response{Status: status, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(text)}
}

func notFound() Response {
	return page(http.StatusNotFound, "<!doctype html><title>404 Not Found</title><h1>Not Found</h1><p>There is no page at this address.</p>")
}

func scheme(raw string) string {
	s, _, _ := strings.Cut(raw, ":")
	return strings.ToLower(s)
}

func sameOrigin(a, b string) bool {
	x, err := url.Parse(a)
	if err != nil {
		return false
	}
	y, err := url.Parse(b)
	return err == nil && x.Scheme == y.Scheme && x.Host == y.Host
}
