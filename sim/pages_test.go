package sim

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/page"
)

// linkArgs are good arguments for every action, as the daemon sends them.
var linkArgs = map[string][]string{
	"navigate":   {`{"url":"https://a.example/"}`, `{"url":"https://b.example/","new_tab":true}`},
	"back":       {`{}`},
	"forward":    {`{}`},
	"reload":     {`{}`},
	"snapshot":   {`{}`},
	"click":      {`{"ref":"e1"}`},
	"dblclick":   {`{"ref":"e1"}`},
	"hover":      {`{"ref":"e1"}`},
	"focus":      {`{"ref":"e1"}`},
	"type":       {`{"ref":"e2","text":"hello"}`},
	"press":      {`{"key":"Enter"}`},
	"select":     {`{"ref":"e1","values":["a","b"]}`},
	"check":      {`{"ref":"e1"}`, `{"ref":"e1","checked":false}`},
	"scroll":     {`{"direction":"down"}`, `{"direction":"up","amount":12.5}`, `{"to":"e1"}`},
	"drag":       {`{"from":"e1","to":"e2"}`},
	"upload":     {`{"ref":"e1","files":["/tmp/a.pdf"]}`, `{"ref":"e1","files":[{"name":"a.pdf","base64":"YQ=="}]}`},
	"dialog":     {`{"accept":true}`},
	"evaluate":   {`{"code":"1+1"}`, `{"code":"{\"a\":[1,\"\\ud800\"]}"}`},
	"frame":      {`{"frame":"e3"}`, `{}`},
	"wait":       {`{"ms":5}`, `{"text":"x"}`, `{"ms":0}`},
	"extract":    {`{}`, `{"refs":["e1","@e2"]}`},
	"screenshot": {`{}`, `{"format":"jpeg","quality":5}`},
	"pdf":        {`{}`},
	"network":    {`{"cmd":"list"}`, `{"cmd":"clear"}`},
	"console":    {`{"cmd":"list"}`, `{"cmd":"clear"}`},
	"presets":    {`{"cmd":"set","rules":[{"url":"*","block":true}]}`, `{"cmd":"list"}`, `{"cmd":"clear"}`},
	"headers":    {`{"cmd":"set","rules":[{"url":"*","request":{"a":null}}]}`, `{"cmd":"list"}`, `{"cmd":"clear"}`},
	"cookies":    {`{"cmd":"get"}`},
	"downloads":  {`{"cmd":"list"}`},
	"tabs":       {`{}`, `{"all":true}`, `{"tab":1}`},
	"borrow":     {`{"tab":1}`},
	"release":    {`{"tab":1}`},
	"close_tab":  {`{}`},
	"switch_tab": {`{"tab":2}`},
	"sessions":   {`{}`},
	"status":     {`{}`},
	"cdp":        {`{"method":"Page.enable"}`},
	"cdp_detach": {`{}`},
	// The last one, since it ends what the others need.
	"close_session": {`{}`},
}

// order is that of linkArgs where one action needs another before it.
func order() []string {
	names := []string{"navigate", "borrow"}
	for _, a := range protocol.Actions() {
		switch a.Name {
		case "navigate", "borrow", "release", "close_tab", "close_session":
		default:
			names = append(names, a.Name)
		}
	}
	return append(names, "release", "close_tab", "close_session")
}

// Every action has a default answer that keeps its schema.
func TestDefaultDataKeepTheSchema(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		_, l := d.connected(t, Config{PersonTabs: []string{"https://person.example/"}, StrictTabs: true})
		for _, name := range order() {
			action, ok := protocol.LookupAction(name)
			require.True(t, ok)
			require.NotEmpty(t, linkArgs[name], "%s has no arguments here", name)
			for _, args := range linkArgs[name] {
				l.command("1", "s", name, args, minute)
				r := l.result(t)
				require.True(t, r.OK, "%s %s: %+v", name, args, r.Error)
				require.NoError(t, action.CheckData(r.Data), "%s: %s", name, r.Data)
			}
		}
	})
}

// do sends a command of session s and returns "ok DATA" or the error's code.
func do(t *testing.T, l *fakeLink, s, action, args string) string {
	t.Helper()
	l.command("x", s, action, args, minute)
	r := l.result(t)
	if !r.OK {
		return string(r.Error.Code)
	}
	return "ok " + string(r.Data)
}

func TestATabHasOneOwner(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{StrictTabs: true, PersonTabs: []string{"https://p.example/"}})
		require.Equal(t, "no_tab", do(t, l, "s", "click", `{}`))
		require.Equal(t, "permission", do(t, l, "s", "click", `{"tab":1}`))
		require.Equal(t, "tab_gone", do(t, l, "s", "click", `{"tab":99}`))
		require.Contains(t, do(t, l, "s", "navigate", `{"url":"https://a.example/"}`), `"tab":2`)
		require.Equal(t, "ok {}", do(t, l, "s", "click", `{"tab":2}`))
		require.Equal(t, "tab_taken", do(t, l, "t", "click", `{"tab":2}`))
		require.Equal(t, "tab_taken", do(t, l, "t", "borrow", `{"tab":2}`))
		require.Equal(t, "tab_gone", do(t, l, "t", "borrow", `{"tab":99}`))
		require.Contains(t, do(t, l, "t", "borrow", `{}`), `"borrowed":true`)
		require.Equal(t, "no_tab", do(t, l, "u", "borrow", `{}`), "the person has no other one")
		require.Equal(t, "bad_request", do(t, l, "s", "release", `{}`))
		require.Equal(t, `ok {"tabs":[]}`, do(t, l, "t", "release", `{}`))
		require.Equal(t, "permission", do(t, l, "t", "click", `{"tab":1}`))
		require.True(t, b.CloseTab(2))
		require.False(t, b.CloseTab(2))
		require.Equal(t, "tab_gone", do(t, l, "s", "click", `{"tab":2}`))
		require.Equal(t, "no_tab", do(t, l, "s", "click", `{}`))
	})
}

func TestTheCurrentTab(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		_, l := d.connected(t, Config{})
		require.Equal(t, "ok {}", do(t, l, "s", "click", `{}`), "a blank tab was there")
		do(t, l, "s", "navigate", `{"url":"https://a.example/"}`)
		do(t, l, "s", "navigate", `{"url":"https://b.example/","new_tab":true}`)
		require.Contains(t, do(t, l, "s", "reload", `{}`), `"tab":2,"title":"Page at https://b.example/"`)
		do(t, l, "s", "switch_tab", `{"tab":1}`)
		require.Contains(t, do(t, l, "s", "reload", `{}`), `"tab":1,"title":"Page at https://a.example/"`)
		require.Contains(t, do(t, l, "s", "back", `{}`), `"url":"about:blank"`)
		require.Contains(t, do(t, l, "s", "back", `{}`), `"url":"about:blank"`)
		require.Contains(t, do(t, l, "s", "forward", `{}`), `"url":"https://a.example/"`)
		require.Contains(t, do(t, l, "s", "close_tab", `{}`), `"tab":2`)
		require.Contains(t, do(t, l, "s", "reload", `{}`), `"tab":2`)
		require.Contains(t, do(t, l, "s", "sessions", `{}`), `{"session":"s","tabs":1,"current":2}`)
	})
}

func TestThe33rdTabIsBusy(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		_, l := d.connected(t, Config{PersonTabs: []string{"https://p.example/"}})
		for i := range 32 {
			require.Contains(t, do(t, l, "s", "navigate", `{"url":"https://a.example/","new_tab":true}`), "ok", fmt.Sprint(i))
		}
		require.Equal(t, "busy", do(t, l, "s", "navigate", `{"url":"https://a.example/","new_tab":true}`))
		require.Equal(t, "busy", do(t, l, "s", "borrow", `{}`))
		require.Contains(t, do(t, l, "s", "navigate", `{"url":"https://a.example/"}`), "ok")
		do(t, l, "s", "close_tab", `{}`)
		require.Contains(t, do(t, l, "s", "borrow", `{}`), "ok")
	})
}

func TestWhichCommandsBeginASession(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		for _, action := range []string{"tabs", "sessions", "status", "close_session"} {
			require.Contains(t, do(t, l, action, action, `{}`), "ok")
		}
		require.Empty(t, b.Sessions())
		do(t, l, "s", "click", `{}`)
		require.Equal(t, []string{"s"}, b.Sessions())
	})
}

func TestAWaitTakesItsTime(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		_, l := d.connected(t, Config{})
		began := time.Now()
		require.Equal(t, `ok {"waited_ms":1500}`, do(t, l, "s", "wait", `{"ms":1500}`))
		require.Equal(t, 1500*time.Millisecond, time.Since(began))
	})
}

func TestUnknownActionsAreRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		_, l := d.connected(t, Config{})
		require.Equal(t, "bad_request", do(t, l, "s", "teleport", `{}`))
		require.Equal(t, "not_found", do(t, l, "s", "network", `{"cmd":"body","id":"1"}`))
		require.Equal(t, `ok {"value":[1,"\ud800"]}`, do(t, l, "s", "evaluate", `{"code":"[1,\"\\ud800\"]"}`))
		require.Equal(t, `ok {"names":["b.pdf"]}`, do(t, l, "s", "upload", `{"files":[{"name":"b.pdf","base64":""}]}`))
		require.Equal(t, `ok {"names":["c.pdf"]}`, do(t, l, "s", "upload", `{"files":["/a/b/c.pdf"]}`))
	})
}

// A profile says what it is and keeps to the shapes of AUTH-14.
func TestProfiles(t *testing.T) {
	for _, browser := range protocol.Browsers {
		p, ok := ProfileOf(browser)
		require.True(t, ok)
		require.Equal(t, browser, p.Browser)
		scheme, _, _ := strings.Cut(p.Origin, "://")
		require.Contains(t, map[protocol.Browser]string{protocol.Chrome: "chrome-extension", protocol.Firefox: "moz-extension"}[browser], scheme)
		require.Equal(t, protocol.DefaultExtensionLimits(), p.Limits)
		for action := range p.Unsupported {
			_, known := protocol.LookupAction(action)
			require.True(t, known, action)
		}
	}
	_, ok := ProfileOf("opera")
	require.False(t, ok)
}

// A browser with a site shows its pages, over the link.
func TestPagesOfASite(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{SiteOnly: true, StrictTabs: true, Site: page.Map{
			"http://shop.test/": `<title>Shop</title><form action=/order method=post><input name=q required><button>Order</button></form>
<button id=ask type=button onclick="alert('hello')">Ask</button><button id=late hidden data-sim-on=load></button>
<script>setTimeout(() => document.getElementById('late').hidden = false, 90000)</script>`,
			"http://shop.test/order": `<title>Thanks</title>`,
		}})
		require.Equal(t, "navigation_failed", do(t, l, "s", "navigate", `{"url":"http://other.test/"}`))
		require.Contains(t, do(t, l, "s", "navigate", `{"url":"http://shop.test/"}`), `"title":"Shop"`)
		require.Equal(t, "ok {}", do(t, l, "s", "click", `{"selector":"form button"}`))
		require.Equal(t, "ok {}", do(t, l, "s", "type", `{"selector":"input","text":"1"}`))
		require.Contains(t, do(t, l, "s", "screenshot", `{}`), `"base64":"iVBOR`)
		require.Contains(t, do(t, l, "s", "pdf", `{}`), `"base64":"JVBER`)

		require.Contains(t, do(t, l, "s", "click", `{"selector":"#ask"}`), `"dialog":{"type":"alert","message":"hello"}`)
		require.Equal(t, "dialog_open", do(t, l, "s", "snapshot", `{}`))
		require.Contains(t, do(t, l, "s", "dialog", `{"accept":true}`), "hello")

		began := time.Now()
		require.Equal(t, "not_actionable", do(t, l, "s", "click", `{"selector":"#late"}`))
		require.Equal(t, time.Minute-2*250*time.Millisecond, time.Since(began), "the page's deadline comes before the extension's (CMD-16)")
		require.Equal(t, "ok {}", do(t, l, "s", "click", `{"selector":"#late"}`), "it was seen at last")

		require.Equal(t, "ok {}", do(t, l, "s", "click", `{"selector":"form button"}`))
		require.Contains(t, do(t, l, "s", "tabs", `{}`), `"title":"Thanks"`)
		submits := 0
		for _, e := range b.Effects() {
			if e.Kind == "submit" {
				submits++
			}
		}
		require.Equal(t, 1, submits)
	})
}
