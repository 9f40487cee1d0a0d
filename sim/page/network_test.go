package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/page"
)

func TestNetworkEntries(t *testing.T) {
	a, _ := visit(t, `<link rel=stylesheet href=/s.css><img src=/i.png><script src=/j.js></script><iframe src=/f></iframe><img src=http://other.test/x.png>`)
	var list struct {
		Entries []struct {
			ID, URL, Method, Type, Error string
			Status                       int
		}
		Next int
	}
	require.NoError(t, json.Unmarshal([]byte(a.ok("network", `{"cmd":"list"}`)), &list, json.MatchCaseInsensitiveNames(true)))
	var said []string
	for _, e := range list.Entries {
		said = append(said, fmt.Sprint(e.ID, " ", e.Type, " ", e.Method, " ", e.URL, " ", e.Status, e.Error))
	}
	require.Equal(t, []string{
		"1 document GET http://shop.test/ 200", "2 stylesheet GET http://shop.test/s.css 200", "3 image GET http://shop.test/i.png 200",
		"4 script GET http://shop.test/j.js 200", "5 image GET http://other.test/x.png 0net::ERR_NAME_NOT_RESOLVED", "6 subframe GET http://shop.test/f 200",
	}, said)
	require.Equal(t, 6, list.Next)
	require.JSONEq(t, `{"body":"<!doctype html><title>GET /s.css</title>","encoding":"text","mime":"text/html"}`, a.ok("network", `{"cmd":"body","id":"2"}`))
	a.fails("network", `{"cmd":"body","id":"5"}`, "not_found")
	a.fails("network", `{"cmd":"body","id":"7"}`, "not_found")
	require.Contains(t, a.ok("network", `{"cmd":"list","since":5}`), `"entries":[{"id":"6"`)
	require.Contains(t, a.ok("network", `{"cmd":"list","limit":1,"filter":"shop"}`), `"truncated":true`)
	a.ok("network", `{"cmd":"clear"}`)
	require.Equal(t, `{"entries":[],"next":6}`, a.ok("network", `{"cmd":"list"}`))
}

// LIMIT-13: 500 entries, the oldest dropped first, and 8 MiB of bodies.
func TestTheCaptureIsBounded(t *testing.T) {
	a, site := visit(t, ``)
	a.ok("network", `{"cmd":"clear"}`)
	site.page = strings.Repeat("<img src=/i>", 499)
	a.ok("reload", `{}`)
	require.NotContains(t, a.ok("network", `{"cmd":"list"}`), "truncated")
	a.ok("network", `{"cmd":"body","id":"2"}`)
	site.page = ``
	a.ok("reload", `{}`)
	require.Contains(t, a.ok("network", `{"cmd":"list"}`), `"truncated":true`)
	a.fails("network", `{"cmd":"body","id":"2"}`, "not_found", "no entry of that id")

	a.ok("network", `{"cmd":"clear"}`)
	site.answer = func(page.Request) (page.Response, error) {
		return page.Response{Status: 200, Body: make([]byte, 4<<20)}, nil
	}
	for range 2 {
		a.ok("navigate", `{"url":"http://shop.test/large"}`)
	}
	a.ok("network", `{"cmd":"body","id":"503"}`)
	site.answer = nil
	a.ok("navigate", `{"url":"http://shop.test/small"}`)
	a.fails("network", `{"cmd":"body","id":"503"}`, "not_found", "made room")
	a.ok("network", `{"cmd":"body","id":"504"}`)
}

func TestPresetsAndHeaders(t *testing.T) {
	a, site := visit(t, `<img src=/i.png>`)
	site.answer = func(r page.Request) (page.Response, error) {
		if strings.HasSuffix(r.URL, "/csv") {
			return page.Response{Status: 200, Header: http.Header{"Content-Type": {"text/csv"}}, Body: []byte("a,b")}, nil
		}
		return page.Response{}, nil
	}
	rules := `[{"url":"*.png","block":true},{"url":"/old","redirect":"/new"},{"url":"/doc","types":["image"],"block":true}]`
	require.Equal(t, `{"rules":`+rules+`}`, a.ok("presets", `{"cmd":"set","rules":`+rules+`}`))
	asked := len(site.requests)
	a.ok("reload", `{}`)
	require.Len(t, site.requests, asked+1, "the picture was not asked for")
	require.Contains(t, a.ok("network", `{"cmd":"list"}`), `"error":"net::ERR_BLOCKED_BY_CLIENT","blocked":true`)
	require.Contains(t, a.ok("navigate", `{"url":"http://shop.test/old"}`), `"url":"http://shop.test/new"`)
	require.Contains(t, a.ok("navigate", `{"url":"http://shop.test/doc"}`), `"status":200`)
	a.ok("presets", `{"cmd":"set","rules":[{"url":"doc","block":true}]}`)
	a.fails("navigate", `{"url":"http://shop.test/doc"}`, "navigation_failed", "BLOCKED_BY_CLIENT")
	require.Equal(t, `{"rules":[]}`, a.ok("presets", `{"cmd":"clear"}`))
	a.ok("navigate", `{"url":"http://shop.test/doc"}`)

	a.ok("headers", `{"cmd":"set","rules":[{"url":"*","request":{"X-Own":"1","Referer":null},"response":{"content-type":"text/plain"}}]}`)
	require.NotContains(t, a.ok("navigate", `{"url":"http://shop.test/csv"}`), "download")
	require.Equal(t, "1", site.last(t).Header.Get("X-Own"))
	a.ok("headers", `{"cmd":"clear"}`)
	require.Contains(t, a.ok("navigate", `{"url":"http://shop.test/csv"}`), "download")
	require.Empty(t, site.last(t).Header.Get("X-Own"))
}

// Cookies: RFC 6265, 5.3 and 5.4.
func TestCookies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, site := visit(t, ``)
		site.answer = func(r page.Request) (page.Response, error) {
			if !strings.HasSuffix(r.URL, "/set") {
				return page.Response{}, nil
			}
			return page.Response{Status: 200, Header: http.Header{"Set-Cookie": {
				"a=1; Path=/; HttpOnly; SameSite=Lax", "b=2; Path=/deep", "c=3; Max-Age=10", "d=4; Secure", "e=5; Domain=other.test", "f=6; Max-Age=0", "g=7; Domain=test",
			}}}, nil
		}
		a.ok("navigate", `{"url":"http://shop.test/set"}`)
		sent := func(path string) string {
			a.ok("navigate", `{"url":"http://shop.test/`+path+`"}`)
			return site.last(t).Header.Get("Cookie")
		}
		require.Equal(t, "a=1; c=3", sent(""))
		require.Equal(t, "b=2; a=1; c=3", sent("deep/er"), "the longest path first")
		require.Equal(t, "a=1; c=3", sent("deeper"))
		time.Sleep(10*time.Second - time.Nanosecond)
		require.Equal(t, "a=1; c=3", sent(""))
		time.Sleep(time.Millisecond)
		require.Equal(t, "a=1", sent(""))
		require.Contains(t, a.ok("cookies", `{"cmd":"get","name":"a"}`),
			`{"cookies":[{"name":"a","value":"1","domain":"shop.test","path":"/","secure":false,"http_only":true,"same_site":"lax"}]}`)
		a.ok("cookies", `{"cmd":"set","name":"a","value":"9"}`)
		a.ok("cookies", `{"cmd":"set","name":"z","value":"0","path":"/z"}`)
		require.Equal(t, "z=0; a=9", sent("z"))
		a.fails("cookies", `{"cmd":"set","name":"n","value":"","domain":"other.test"}`, "bad_request")
		a.ok("cookies", `{"cmd":"clear","name":"a"}`)
		require.Empty(t, sent(""))
		a.ok("navigate", `{"url":"about:blank"}`)
		a.fails("cookies", `{"cmd":"get"}`, "bad_request", "no site")
	})
}

// What a page will do by itself is waited for, and no longer than the deadline.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := visit(t, `<p id=p>wait</p><button id=b hidden>late</button><a id=go href=# data-sim-after=2s data-sim-target="#p" data-sim-html="there">go</a>
<script>setTimeout(() => document.getElementById('b').hidden = false, 3000)</script>`)
		began := time.Now()
		a.click("#go")
		require.Equal(t, `{"waited_ms":2000}`, a.ok("wait", `{"text":"there"}`))
		a.click("#b")
		require.Equal(t, 3*time.Second, time.Since(began), "a click waits until the button is seen")
		require.Equal(t, `{"waited_ms":0}`, a.ok("wait", `{"text":"wait","gone":true}`))
		require.Equal(t, `{"waited_ms":1500}`, a.ok("wait", `{"ms":1500}`))
		a.ok("wait", `{"load":true}`)
		a.ok("wait", `{"url":"*shop.test/#"}`)
		a.ok("wait", on("#b"))
		a.fails("wait", on("b["), "bad_request")

		for args, why := range map[string]string{`{"text":"never"}`: `the text "never" did not come`, `{"selector":"#b","gone":true}`: "#b is still there"} {
			began = time.Now()
			r := a.tabs.Do(deadline{t.Context(), began.Add(5 * time.Second)}, "s", "wait", jsontext.Value(args))
			require.Contains(t, r.Err.Message, why)
			require.Equal(t, 5*time.Second, time.Since(began))
		}
		go func() {
			time.Sleep(time.Second)
			a.tabs.CloseTab(1)
		}()
		a.fails("wait", `{"text":"never"}`, "tab_gone")
	})
}
