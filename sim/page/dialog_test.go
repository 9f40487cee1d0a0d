package page_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/page"
)

// TAB-12: while a dialog is open every other command on its tab fails at once with
// its type and text; the command that raised it says so.
func TestADialogBlocksItsTab(t *testing.T) {
	a, site := visit(t, `<a id=x href=/gone data-sim-dialog="confirm:Really?">go</a>`)
	a.fails("dialog", `{"accept":true}`, "not_found", "no dialog is open")
	require.JSONEq(t, `{"dialog":{"type":"confirm","message":"Really?"}}`, a.ok("click", on("#x")))
	for action, args := range map[string]string{
		"click": on("#x"), "snapshot": `{}`, "evaluate": `{"code":"1"}`, "navigate": `{"url":"http://shop.test/b"}`, "screenshot": `{}`, "pdf": `{}`,
		"wait": `{"ms":1}`, "network": `{"cmd":"list"}`, "close_tab": `{}`, "switch_tab": `{"tab":1}`, "back": `{}`, "cookies": `{"cmd":"get"}`,
	} {
		a.fails(action, args, "dialog_open", `confirm: "Really?"`)
	}
	a.ok("tabs", `{}`)
	a.ok("navigate", `{"url":"http://shop.test/b","new_tab":true}`)
	a.ok("dialog", `{"accept":false,"tab":1}`)
	a.ok("switch_tab", `{"tab":1}`)
	require.Equal(t, home, a.url(), "a confirm that is dismissed prevents the click")
	a.ok("click", on("#x"))
	require.Equal(t, `{"type":"confirm","message":"Really?"}`, a.ok("dialog", `{"accept":true}`))
	require.Equal(t, "http://shop.test/gone", a.url())
	require.Equal(t, "http://shop.test/gone", site.last(t).URL)

	a.ok("back", `{}`)
	a.ok("click", on("#x"))
	require.Equal(t, `{"closed":[1,2],"released":[]}`, a.ok("close_session", `{}`))
	a.fails("dialog", `{"accept":true}`, "no_tab")
}

func TestWhereDialogsComeFrom(t *testing.T) {
	for name, c := range map[string]struct{ html, kind, message string }{
		"onclick":        {`<button type=button id=x onclick="alert('a;b \'c\'')">x</button>`, "alert", "a;b 'c'"},
		"around it":      {`<div onclick='return confirm("ok?")'><button type=button id=x>x</button></div>`, "confirm", "ok?"},
		"if not":         {`<a href=/b id=x onclick="if (!confirm('sure')) { return false; }">x</a>`, "confirm", "sure"},
		"prompt":         {`<button type=button id=x onclick="prompt('name', 'Ann')">x</button>`, "prompt", "name"},
		"javascript URL": {`<a href="javascript:alert('hi%21')" id=x>x</a>`, "alert", "hi!"},
		"onsubmit":       {`<form onsubmit="return confirm('send?')"><button id=x>x</button></form>`, "confirm", "send?"},
		"data-sim-on":    {`<button type=button id=x data-sim-on=focus data-sim-dialog="alert:f">x</button>`, "alert", "f"},
		"a rule":         {`<button type=button id=x class=r>x</button>`, "prompt", "which"},
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := visit(t, c.html, func(cfg *page.Config) {
				cfg.Rules = []page.Rule{{On: "click", Selector: ".r", Dialog: "prompt:which|one"}}
			})
			require.JSONEq(t, `{"dialog":{"type":`+text(c.kind)+`,"message":`+text(c.message)+`}}`, a.ok("click", on("#x")))
			a.ok("dialog", `{"accept":true}`)
			a.snapshot()
		})
	}
}

// A submission that is confirmed goes on where it waited, once.
func TestAConfirmedSubmission(t *testing.T) {
	a, site := visit(t, `<form action=/go onsubmit="alert('one'); return confirm('two')"><input name=a value=1><button id=x>x</button></form>`)
	require.Contains(t, a.ok("click", on("#x")), `"message":"one"`)
	a.ok("dialog", `{"accept":true}`)
	require.Len(t, site.requests, 1)
	a.fails("snapshot", `{}`, "dialog_open", "two")
	a.ok("dialog", `{"accept":true}`)
	require.Len(t, site.requests, 2)
	require.Equal(t, "http://shop.test/go?a=1", a.url())
}

func TestBeforeUnload(t *testing.T) {
	a, _ := visit(t, `<body data-sim-beforeunload><input id=i><a href=/b id=x>x</a>`)
	a.ok("navigate", `{"url":"`+home+`"}`)
	a.typing("#i", "unsaved")
	require.Contains(t, a.ok("navigate", `{"url":"http://shop.test/b"}`), `"dialog":{"type":"beforeunload","message":""}`)
	a.ok("dialog", `{"accept":false}`)
	require.Equal(t, home, a.url())
	require.Contains(t, a.ok("click", on("#x")), `beforeunload`)
	a.ok("dialog", `{"accept":true}`)
	require.Equal(t, "http://shop.test/b", a.url())
}

func TestADialogAtLoad(t *testing.T) {
	b, _ := visit(t, ``, func(c *page.Config) {
		c.Site = page.Inline(`<title>T</title><body data-sim-dialog="alert:hello">`)
		c.Rules = nil
	}, func(c *page.Config) { c.StrictTabs = false })
	b.ok("dialog", `{"accept":true}`)
	require.Contains(t, b.ok("reload", `{}`), `"dialog":{"type":"alert","message":"hello"}`)
}

// A released tab is nobody's to answer for: its dialog is dismissed first.
func TestReleaseDismissesTheDialog(t *testing.T) {
	a, _ := visit(t, ``, func(c *page.Config) {
		c.Site = page.Inline(`<a id=x href=/gone data-sim-dialog="confirm:Really?">go</a>`)
		c.PersonTabs = []string{"http://p.test/"}
	})
	a.ok("borrow", `{"tab":1}`)
	require.Contains(t, a.ok("click", on("#x")), "Really?")
	a.ok("release", `{"tab":1}`)
	a.ok("borrow", `{"tab":1}`)
	require.Equal(t, "http://p.test/", a.url())
}
