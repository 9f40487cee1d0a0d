package watch

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"time"
)

// Proxy stands between a client and a daemon, passes everything on and tells
// the Judge. It is a http.Handler. What the daemon refuses by the Host stays
// refused, since the Host is passed on as it is.
type Proxy struct {
	judge   *Judge
	observe func(Asked, Answered)
	seq     atomic.Int64
	proxy   *httputil.ReverseProxy
}

const (
	// keptBody is how much of a request's body the judge gets: more than a daemon
	// takes. keptAnswer is the same of an answer, which a command's is within.
	keptBody   = 4 << 20
	keptAnswer = 72 << 20
)

// NewProxy returns a Proxy to the daemon at that address. observe, if set, gets
// every request with its answer; it must not wait.
func NewProxy(upstream string, judge *Judge, observe func(Asked, Answered)) *Proxy {
	p := &Proxy{judge: judge, observe: observe}
	p.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: upstream})
			r.Out.Host = r.In.Host
		},
		// A proxy of the environment would take the token to somebody else.
		Transport:      &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
		ModifyResponse: p.answered,
		ErrorHandler:   p.unanswered,
		FlushInterval:  -1,
	}
	return p
}

type askedKey struct{}

// ServeHTTP passes a request on once the judge has been told of it.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, keptBody))
	if err != nil {
		return
	}
	a := Asked{
		Seq: int(p.seq.Add(1)), At: time.Now(), Method: r.Method, Target: r.RequestURI, Header: r.Header.Clone(), Body: body,
	}
	p.judge.Asked(a)
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	p.proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), askedKey{}, a)))
}

// answered tells the judge of an answer before the client has it.
func (p *Proxy) answered(resp *http.Response) error {
	a, ok := resp.Request.Context().Value(askedKey{}).(Asked)
	if !ok || resp.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, keptAnswer))
	if err != nil {
		return err
	}
	p.tell(a, Answered{Seq: a.Seq, At: time.Now(), Status: resp.StatusCode, Header: resp.Header, Body: body})
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), resp.Body), resp.Body}
	return nil
}

// unanswered ends the client's connection as the daemon's ended, or was never
// made, and tells the judge.
func (p *Proxy) unanswered(_ http.ResponseWriter, r *http.Request, _ error) {
	if a, ok := r.Context().Value(askedKey{}).(Asked); ok {
		p.tell(a, Answered{Seq: a.Seq, At: time.Now()})
	}
	panic(http.ErrAbortHandler)
}

func (p *Proxy) tell(a Asked, answer Answered) {
	p.judge.Answered(answer)
	if p.observe != nil {
		p.observe(a, answer)
	}
}
