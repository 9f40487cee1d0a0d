package page_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/page"
)

func TestNavigate(t *testing.T) {
	a, site := visit(t, `<title> The  shop </title>`)
	require.JSONEq(t, `{"tab":1,"url":"http://shop.test/","title":"The shop","status":200}`, a.ok("navigate", `{"url":"HTTP://SHOP.test:80"}`))
	a.fails("navigate", `{"url":"http://other.test/"}`, "navigation_failed", "no page is served at http://other.test/")
	require.Equal(t, "http://other.test/", a.url(), "the page that says so stands there")
	a.fails("navigate", `{"url":"javascript:alert(1)"}`, "bad_request")
	a.fails("navigate", `{"url":"no url"}`, "navigation_failed", "no absolute URL")
	require.Contains(t, a.ok("navigate", `{"url":"about:blank"}`), `"title":""`)
	require.Contains(t, a.ok("navigate", `{"url":"data:text/html,<title>D</title>"}`), `"title":"D"`)

	site.answer = func(r page.Request) (page.Response, error) {
		switch strings.TrimPrefix(r.URL, home) {
		case "404":
			return page.Response{Status: 404, Body: []byte("<title>none</title>")}, nil
		case "204":
			return page.Response{Status: 204}, nil
		case "broken":
			return page.Response{}, errors.New("net::ERR_CONNECTION_RESET")
		case "text":
			return page.Response{Status: 200, Header: http.Header{"Content-Type": {"text/plain"}}, Body: []byte("<b>plain</b>")}, nil
		case "file":
			return page.Response{Status: 200, Header: http.Header{"Content-Disposition": {`attachment; filename="../a.csv"`}}, Body: []byte("1,2")}, nil
		}
		return page.Response{}, nil
	}
	require.JSONEq(t, `{"tab":1,"url":"http://shop.test/404","title":"none","status":404}`, a.ok("navigate", `{"url":"http://shop.test/404"}`))
	require.JSONEq(t, `{"tab":1,"url":"http://shop.test/404","title":"none","status":204,"no_content":true}`, a.ok("navigate", `{"url":"http://shop.test/204"}`))
	a.fails("navigate", `{"url":"http://shop.test/broken"}`, "navigation_failed", "ERR_CONNECTION_RESET")
	a.ok("navigate", `{"url":"http://shop.test/text"}`)
	require.Equal(t, "- text \"<b>plain</b>\"", a.snapshot())
	file := `{"id":1,"url":"http://shop.test/file","filename":"/downloads/a.csv","state":"complete","received":3,"total":3,"tab":1,"session":"s"}`
	require.JSONEq(t, `{"tab":1,"url":"http://shop.test/text","title":"","status":200,"download":`+file+`}`, a.ok("navigate", `{"url":"http://shop.test/file"}`))
	require.JSONEq(t, `{"downloads":[`+file+`]}`, a.ok("downloads", `{"cmd":"list"}`))
	require.JSONEq(t, `{"downloads":[`+file+`]}`, a.ok("downloads", `{"cmd":"wait","id":1}`))
	a.fails("downloads", `{"cmd":"cancel","id":2}`, "not_found")
}

// Redirects: Fetch standard, HTTP-redirect fetch. 20 are followed, not one more.
func TestRedirects(t *testing.T) {
	left, status := 20, http.StatusFound
	a, site := visit(t, `<form method=post action=/r><input name=a value=1><button id=x>x</button></form>`)
	site.answer = func(r page.Request) (page.Response, error) {
		if r.URL != "http://shop.test/r" || left == 0 {
			return page.Response{}, nil
		}
		left--
		return page.Response{Status: status, Header: http.Header{"Location": {"/r"}}}, nil
	}
	a.ok("navigate", `{"url":"http://shop.test/r#f"}`)
	require.Equal(t, "http://shop.test/r#f", a.url(), "the fragment stays")
	left = 21
	a.fails("navigate", `{"url":"http://shop.test/r"}`, "navigation_failed", "TOO_MANY_REDIRECTS")
	for code, method := range map[int]string{301: "GET", 302: "GET", 303: "GET", 307: "POST", 308: "POST"} {
		left, status = 1, code
		a.ok("navigate", `{"url":"`+home+`"}`)
		a.click("#x")
		require.Equal(t, method, site.last(t).Method, code)
		require.Equal(t, method == "POST", len(site.last(t).Body) > 0)
	}
}

func TestHistory(t *testing.T) {
	a, site := visit(t, `<input id=i><a href=#part id=f>f</a><form method=post action=/sent><button id=x>x</button></form><p id=part>`)
	a.typing("#i", "kept")
	a.click("#f")
	require.Equal(t, "http://shop.test/#part", a.url())
	require.Len(t, site.requests, 1, "a fragment asks nobody")
	a.click("#x")
	require.Equal(t, "http://shop.test/sent", a.url())
	asked := len(site.requests)
	require.Contains(t, a.ok("back", `{}`), `"url":"http://shop.test/#part"`)
	require.Contains(t, a.ok("extract", on("#i")), "kept", "the page as it was left")
	require.Contains(t, a.ok("back", `{}`), `"url":"http://shop.test/"`)
	require.Contains(t, a.ok("back", `{}`), `"url":"http://shop.test/"`, "there is nothing before it")
	require.Contains(t, a.ok("forward", `{}`), `"url":"http://shop.test/#part"`)
	require.Contains(t, a.ok("forward", `{}`), `"url":"http://shop.test/sent"`)
	require.Len(t, site.requests, asked, "going through the history asks nobody, least of all with POST")
	a.ok("reload", `{}`)
	require.Equal(t, http.MethodPost, site.last(t).Method)
	a.ok("back", `{}`)
	a.ok("navigate", `{"url":"http://shop.test/new"}`)
	require.Contains(t, a.ok("forward", `{}`), `"url":"http://shop.test/new"`, "what lay ahead is forgotten")
}

// The seventh page back has been let go of, and is asked for again.
func TestTheHistoryKeepsSixDocuments(t *testing.T) {
	a, site := visit(t, `<input id=i>`)
	a.typing("#i", "gone")
	for _, path := range strings.Fields("1 2 3 4 5 6") {
		a.ok("navigate", `{"url":"http://shop.test/`+path+`"}`)
	}
	for range 6 {
		a.ok("back", `{}`)
	}
	require.Contains(t, a.ok("extract", on("#i")), "gone")
	for range 6 {
		a.ok("forward", `{}`)
	}
	a.ok("navigate", `{"url":"http://shop.test/7"}`)
	asked := len(site.requests)
	for range 7 {
		a.ok("back", `{}`)
	}
	require.Len(t, site.requests, asked+1)
	require.NotContains(t, a.ok("extract", on("#i")), "gone")
}

// TAB-01 to TAB-03 and LIMIT-06.
func TestTabsOfASession(t *testing.T) {
	a, _ := visit(t, `<a href=/b target=_blank id=x>b</a><a href=/c id=m>c</a>`, func(c *page.Config) {
		c.PersonTabs = []string{home}
		c.Limits = protocol.ExtensionLimits{Tabs: 3}
	})
	a.click("#x")
	require.Equal(t, home, a.url(), "a tab that the page opens is in the background")
	require.Contains(t, a.ok("tabs", `{}`), `"tab":3,"url":"http://shop.test/b","title":"GET /b","current":false`)
	a.ok("click", on("#m", `"modifiers":["Control"]`))
	require.Contains(t, a.ok("tabs", `{}`), `"tab":4,"url":"http://shop.test/c"`)
	a.fails("navigate", `{"url":"`+home+`","new_tab":true}`, "busy")
	a.fails("borrow", `{"tab":1}`, "busy")
	a.ok("click", on("#m", `"button":"middle"`))
	require.NotContains(t, a.ok("tabs", `{}`), `"tab":5`, "the one too many is the person's")
	require.Contains(t, a.ok("tabs", `{"all":true}`), `"tab":5`)
	b := &agent{t, a.tabs, "b"}
	b.fails("click", on("#x", `"tab":3`), "tab_taken")
	b.fails("click", on("#x", `"tab":1`), "permission")
	b.fails("click", on("#x", `"tab":9`), "tab_gone")
	b.fails("click", on("#x"), "no_tab")
	a.ok("close_tab", `{"tab":3}`)
	a.ok("borrow", `{"tab":1}`)
	a.ok("click", on("#x"))
	require.Equal(t, `{"closed":[2,4],"released":[1]}`, a.ok("close_session", `{}`))
	require.Equal(t, []string{}, append([]string{}, a.tabs.Sessions()...))
}

// A tab that is closed while its page is loaded leaves its command unknown.
func TestATabClosedInFlight(t *testing.T) {
	var tabs *page.Tabs
	tabs = page.New(page.Config{Site: page.SiteFunc(func(context.Context, page.Request) (page.Response, error) {
		tabs.CloseTab(1)
		return page.Response{}, nil
	})})
	r := tabs.Do(context.Background(), "s", "navigate", jsontext.Value(`{"url":"http://a.test/"}`))
	require.Equal(t, protocol.OutcomeUnknown, r.Err.Code)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	require.Equal(t, protocol.OutcomeUnknown, tabs.Do(ended, "s", "snapshot", jsontext.Value(`{}`)).Err.Code)
	require.Empty(t, tabs.Do(context.Background(), "s", "tabs", jsontext.Value(`{"all":true}`)).Err)
}
