package world

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// RoundTripper returns a transport that records the requests that go through
// it and their answers, headers and the beginning of the bodies included,
// under that name. An answer is recorded when its body has been read to its
// end or closed.
func (t *Transcript) RoundTripper(name string, next http.RoundTripper) http.RoundTripper {
	return &recorder{t, name, next}
}

type recorder struct {
	transcript *Transcript
	name       string
	next       http.RoundTripper
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.transcript.Sent(r.name, r.request(req))
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		r.transcript.Note(r.name, "%s %s failed: %v", req.Method, req.URL.Path, err)
		return nil, err
	}
	head := fmt.Appendf(nil, "%s", resp.Status)
	head = appendHeader(head, resp.Header)
	if resp.StatusCode == http.StatusSwitchingProtocols {
		// The body of an upgrade is the connection itself.
		r.transcript.Received(r.name, head)
		return resp, nil
	}
	resp.Body = &recordedBody{ReadCloser: resp.Body, done: func(body []byte) {
		r.transcript.Received(r.name, append(append(head, "\n"...), body...))
	}}
	return resp, nil
}

func (r *recorder) request(req *http.Request) []byte {
	out := fmt.Appendf(nil, "%s %s", req.Method, req.URL.RequestURI())
	out = appendHeader(out, req.Header)
	if req.GetBody == nil {
		return out
	}
	body, err := req.GetBody()
	if err != nil {
		return out
	}
	defer func() { _ = body.Close() }()
	text, err := io.ReadAll(io.LimitReader(body, maxText+1))
	if err != nil {
		return out
	}
	return append(append(out, "\n"...), text...)
}

// quiet are headers that say nothing about a rule.
var quiet = []string{"Date", "User-Agent", "Accept-Encoding", "Sec-Websocket-Key", "Sec-Websocket-Accept"}

func appendHeader(dst []byte, h http.Header) []byte {
	names := make([]string, 0, len(h))
	for name := range h {
		if !slices.Contains(quiet, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		dst = fmt.Appendf(dst, "\n%s: %s", name, strings.Join(h[name], ", "))
	}
	return dst
}

// recordedBody keeps the beginning of a body for the transcript.
type recordedBody struct {
	io.ReadCloser
	done func([]byte)

	once sync.Once
	seen bytes.Buffer
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if room := maxText + 1 - b.seen.Len(); room > 0 {
		b.seen.Write(p[:min(n, room)])
	}
	if err != nil {
		b.once.Do(func() { b.done(b.seen.Bytes()) })
	}
	return n, err
}

func (b *recordedBody) Close() error {
	b.once.Do(func() { b.done(b.seen.Bytes()) })
	return b.ReadCloser.Close()
}
