package page_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/page"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shop is a site of one page that remembers what it was asked.
type shop struct {
	page     string
	others   map[string]string
	requests []page.Request
	answer   func(r page.Request) (page.Response, error)
}

const home = "http://shop.test/"

func (s *shop) Fetch(_ context.Context, r page.Request) (page.Response, error) {
	s.requests = append(s.requests, r)
	if s.answer != nil {
		if resp, err := s.answer(r); resp.Status != 0 || err != nil {
			return resp, err
		}
	}
	u, err := url.Parse(r.URL)
	if err != nil || u.Host != "shop.test" {
		return page.Response{}, page.ErrNotServed
	}
	text, ok := s.others[u.Path]
	switch {
	case u.Path == "/" && r.Method == http.MethodGet && u.RawQuery == "":
		text = s.page
	case !ok:
		text = "<!doctype html><title>" + r.Method + " " + u.Path + "</title>"
	}
	return page.Response{Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(text)}, nil
}

// last is the newest request.
func (s *shop) last(t *testing.T) page.Request {
	t.Helper()
	require.NotEmpty(t, s.requests)
	return s.requests[len(s.requests)-1]
}

// agent is a session of a browser.
type agent struct {
	t       *testing.T
	tabs    *page.Tabs
	session string
}

// visit opens a page with that HTML.
func visit(t *testing.T, html string, with ...func(*page.Config)) (*agent, *shop) {
	t.Helper()
	site := &shop{page: html}
	cfg := page.Config{Site: site, StrictTabs: true}
	for _, f := range with {
		f(&cfg)
	}
	a := &agent{t, page.New(cfg), "s"}
	a.ok("navigate", `{"url":"`+home+`"}`)
	return a, site
}

func (a *agent) do(action, args string) page.Result {
	a.t.Helper()
	info, known := protocol.LookupAction(action)
	require.True(a.t, known, action)
	require.NoError(a.t, info.CheckLinkArgs(jsontext.Value(args)), "%s %s", action, args)
	r := a.tabs.Do(context.Background(), a.session, action, jsontext.Value(args))
	if r.Err == nil {
		data := r.Data
		if r.Content != nil {
			data = protocol.ReplaceArg(data, "base64", jsontext.Value(`""`))
		}
		require.NoError(a.t, info.CheckData(data), "%s: %s", action, r.Data)
	}
	return r
}

// ok performs an action that succeeds and returns its data.
func (a *agent) ok(action, args string) string {
	a.t.Helper()
	r := a.do(action, args)
	require.Nil(a.t, r.Err, "%s %s: %+v", action, args, r.Err)
	return string(r.Data)
}

// fails performs an action that fails with a code, and a message that holds what.
func (a *agent) fails(action, args string, code protocol.Code, what ...string) {
	a.t.Helper()
	r := a.do(action, args)
	require.NotNil(a.t, r.Err, "%s %s: %s", action, args, r.Data)
	require.Equal(a.t, code, r.Err.Code, r.Err.Message)
	for _, part := range what {
		require.Contains(a.t, r.Err.Message, part)
	}
}

// on is the arguments that name an element by CSS, and others.
func on(css string, more ...string) string {
	return `{"selector":` + text(css) + strings.Join(append([]string{""}, more...), ",") + `}`
}

func text(s string) string {
	out, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func (a *agent) click(css string) { a.t.Helper(); a.ok("click", on(css)) }

func (a *agent) typing(css, s string) { a.t.Helper(); a.ok("type", on(css, `"text":`+text(s))) }

func (a *agent) snapshot() string {
	a.t.Helper()
	s, _ := protocol.StringArg(jsontext.Value(a.ok("snapshot", `{}`)), "text")
	return s
}

// ref is the reference of the first line of the snapshot that holds what.
func (a *agent) ref(what string) string {
	a.t.Helper()
	for line := range strings.Lines(a.snapshot()) {
		if _, ref, ok := strings.Cut(line, "ref="); ok && strings.Contains(line, what) {
			ref, _, _ = strings.Cut(ref, "]")
			return ref
		}
	}
	require.Fail(a.t, "no such line", what)
	return ""
}

func (a *agent) url() string {
	a.t.Helper()
	v, _ := protocol.StringArg(jsontext.Value(a.ok("evaluate", `{"code":"location.href"}`)), "value")
	return v
}

// kinds are the kinds of the effects since from, without fetches.
func (a *agent) kinds(from int) string {
	var all []string
	for _, e := range a.tabs.Effects()[from:] {
		if e.Kind != "fetch" && e.Kind != "evaluate" {
			all = append(all, e.Kind)
		}
	}
	return strings.Join(all, " ")
}
