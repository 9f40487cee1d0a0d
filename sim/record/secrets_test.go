package record

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

func js(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// sources are the places in which a secret is one.
var sources = map[string]func(w *wire, link int, text string){
	"token of a request": func(w *wire, _ int, text string) {
		w.calls++
		w.see(&relay.Request{Call: w.calls, Method: "GET", Target: "/json/list", Header: http.Header{"Authorization": {"Bearer " + text}}})
	},
	"token of an upgrade": func(w *wire, _ int, text string) {
		w.calls++
		w.see(&relay.Request{Call: w.calls, Method: "GET", Target: "/extension", Header: http.Header{
			"Origin": {sim.Firefox.Origin}, "Upgrade": {"websocket"}, "Sec-Websocket-Protocol": {"omw.v1, omw-token." + text},
		}})
		w.answer(w.calls, 401, "")
	},
	"token of a pairing": func(w *wire, _ int, text string) {
		w.calls++
		w.see(&relay.Request{Call: w.calls, Method: "POST", Target: "/pair", Header: http.Header{"Origin": {sim.Chrome.Origin}}})
		w.answer(w.calls, 200, js(map[string]string{"token": text}))
	},
	"new token": func(w *wire, _ int, text string) {
		w.answer(w.request("POST", "/admin/token", ""), 200, js(map[string]string{"token": text}))
	},
	"code that was opened": func(w *wire, _ int, text string) {
		w.answer(w.request("POST", "/admin/pair", ""), 200, js(map[string]any{"code": text, "expires_ms": 300000}))
	},
	"code that was tried": func(w *wire, _ int, text string) {
		w.calls++
		w.see(&relay.Request{Call: w.calls, Method: "POST", Target: "/pair", Body: []byte(js(map[string]string{"code": text})), Header: http.Header{"Origin": {sim.Chrome.Origin}}})
	},
	"typed": func(w *wire, _ int, text string) {
		w.command(js(map[string]any{"action": "fill", "args": map[string]string{"ref": "e1", "text": text}}))
	},
	"typed into a dialog": func(w *wire, _ int, text string) {
		w.command(js(map[string]any{"action": "dialog", "args": map[string]any{"accept": true, "text": text}}))
	},
	"typed by the extension": func(w *wire, link int, text string) {
		w.text(link, relay.Client, js(map[string]any{"type": "request", "action": "type", "args": map[string]string{"ref": "e1", "text": text}}))
	},
	"typed by somebody who is not recorded": func(w *wire, link int, text string) {
		w.sent(link, "other", "default", "type", js(map[string]string{"ref": "e1", "text": text}), time.Second)
	},
	"typed, and refused": func(w *wire, _ int, text string) {
		w.answer(w.command(js(map[string]any{"action": "type", "nonsense": 1, "args": map[string]string{"text": text}})), 400, "{}")
	},
	"cookie that is set": func(w *wire, _ int, text string) {
		w.command(js(map[string]any{"action": "cookies", "args": map[string]string{"cmd": "set", "name": "a", "value": text}}))
	},
	"cookie that was got": func(w *wire, link int, text string) {
		w.command(`{"action":"cookies","args":{"cmd":"get"}}`)
		w.sent(link, "cookies", "default", "cookies", `{"cmd":"get"}`, time.Second)
		w.result(link, "cookies", js(map[string]any{"cookies": []any{map[string]string{"name": "a", "value": text}}}))
	},
	"cookie of an answer": func(w *wire, _ int, text string) {
		n := w.command(`{"action":"cookies","args":{"cmd":"get"}}`)
		w.answer(n, 200, js(map[string]any{"id": "1", "ok": true, "data": map[string]any{"cookies": []any{map[string]string{"name": "a", "value": text}}}}))
	},
	"header rule": func(w *wire, _ int, text string) {
		w.command(js(map[string]any{"action": "headers", "args": map[string]any{"cmd": "set", "rules": []any{map[string]any{"url": "*", "request": map[string]string{"X-A": text}}}}}))
	},
	"DevTools": func(w *wire, _ int, text string) {
		w.command(js(map[string]any{"action": "cdp", "args": map[string]any{"method": "Input.insertText", "params": map[string]string{"text": text}}}))
	},
}

// echoes are the other places in which it may turn up.
var echoes = map[string]func(w *wire, link int, text string){
	"a URL": func(w *wire, _ int, text string) {
		w.request("GET", "/json/"+url.PathEscape(text)+"?q="+url.QueryEscape(text), "")
	},
	"a page's URL": func(w *wire, _ int, text string) {
		w.command(js(map[string]any{"action": "open", "args": map[string]string{"url": "https://a.test/?q=" + url.QueryEscape(text)}}))
	},
	"code": func(w *wire, _ int, text string) {
		w.command(js(map[string]any{"action": "evaluate", "args": map[string]string{"code": "say(" + js(text) + ")"}}))
	},
	"a session":   func(w *wire, _ int, text string) { w.command(js(map[string]any{"action": "tabs", "session": text})) },
	"an id":       func(w *wire, _ int, text string) { w.command(js(map[string]any{"action": "tabs", "id": "x" + text})) },
	"no command":  func(w *wire, _ int, text string) { w.command(js(map[string]any{text: []string{text, "b" + text}})) },
	"no JSON":     func(w *wire, _ int, text string) { w.command(`{"action":"type","args":{"text":` + js(text)) },
	"half a body": func(w *wire, _ int, text string) { w.command(`{"action":"type","args":{"text":"` + text) },
	"many bytes": func(w *wire, _ int, text string) {
		w.command(js(map[string]any{"action": "tabs", "x": strings.Repeat(text+" ", 100)}))
	},
	"an event": func(w *wire, link int, text string) {
		w.text(link, relay.Client, js(map[string]any{"type": "event", "event": "dialog_opened", "dialog": map[string]string{"type": "alert", "message": text}}))
	},
	"a strange one": func(w *wire, link int, text string) {
		w.text(link, relay.Client, js(map[string]any{"type": "news", text: text}))
	},
	"garbage": func(w *wire, link int, text string) { w.text(link, relay.Client, text+"{") },
	"a number": func(w *wire, link int, text string) {
		w.text(link, relay.Client, `{"type":"news","n":`+js(json.Number(digits(text)))+`}`)
	},
	"a reason": func(w *wire, link int, text string) {
		w.see(&relay.Close{Call: link, From: relay.Client, Code: 1000, Reason: text})
	},
	"a result": func(w *wire, link int, text string) {
		w.command(`{"action":"snapshot"}`)
		w.sent(link, "s", "default", "snapshot", `{}`, time.Second)
		w.result(link, "s", js(map[string]any{"text": `- textbox "Name" [ref=e1]: ` + text, "url": "https://a.test/#" + text, text: 1}))
	},
	"an error": func(w *wire, link int, text string) {
		w.command(`{"action":"reload"}`)
		w.sent(link, "e", "default", "reload", `{}`, time.Second)
		r := protocol.Result{ID: "e", Error: &protocol.Error{Code: protocol.PageError, Message: "cannot find " + text}}
		w.text(link, relay.Client, string(r.AppendTo(nil)))
	},
	"a hello": func(w *wire, link int, text string) {
		w.calls++
		w.see(&relay.Request{Call: w.calls, Method: "GET", Target: "/extension", Header: http.Header{"Origin": {sim.Firefox.Origin}, "Upgrade": {"websocket"}}})
		w.answer(w.calls, 101, "")
		h := protocol.Hello{Browser: protocol.Firefox, BrowserVersion: text, ExtensionVersion: text, Sessions: []string{"a" + text}}
		w.text(w.calls, relay.Client, string(h.AppendTo(nil)))
		w.see(&relay.End{Call: w.calls, From: relay.Client, How: relay.Reset})
	},
	"a welcomed hello": func(w *wire, _ int, text string) {
		w.calls++
		w.see(&relay.Request{Call: w.calls, Method: "GET", Target: "/extension", Header: http.Header{"Origin": {sim.Chrome.Origin}, "Upgrade": {"websocket"}}})
		w.answer(w.calls, 101, "")
		h := protocol.Hello{Browser: protocol.Browser(text), BrowserVersion: text, ExtensionVersion: text, Sessions: []string{"a" + text}}
		w.text(w.calls, relay.Client, string(h.AppendTo(nil)))
		w.text(w.calls, relay.Server, `{"type":"welcome","daemon_version":"1","limits":{}}`)
	},
	"a cut request": func(w *wire, _ int, text string) {
		w.calls++
		w.see(&relay.Request{Call: w.calls, Method: "POST", Target: "/" + url.PathEscape(text), Header: http.Header{}, Cut: true})
	},
	"headers": func(w *wire, _ int, text string) {
		w.calls++
		w.see(&relay.Request{Call: w.calls, Method: "POST", Target: "/command", Body: []byte("{}"), Size: 2, Header: http.Header{
			"Host": {text}, "Origin": {"https://" + text}, "Content-Type": {text}, "Cookie": {text}, "Sec-Fetch-Site": {text}, "X-A": {text},
		}})
	},
}

// digits returns a text as a number that holds it, if it is one.
func digits(text string) string {
	if strings.Trim(text, "0123456789") == "" && text[0] != '0' {
		return "7" + text + "7"
	}
	return "7"
}

func names[V any](m map[string]V) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	// rapid repeats a failure by what it drew, so that the order must not change.
	slices.Sort(out)
	return out
}

// Whatever is secret, wherever it is put: it is not in the tape, which is a good
// one all the same.
func TestNoSecretIsInATape(t *testing.T) {
	texts := map[string]*rapid.Generator[string]{
		"token": rapid.StringMatching(`[A-Za-z0-9_-]{43}`),
		"code":  rapid.StringMatching(`[1-9][0-9]{5}`),
		"typed": rapid.StringOfN(rapid.RuneFrom([]rune(`abcQ7 "\/<&%+é日😀{}[]=#`)), 4, 14, -1).Filter(func(s string) bool {
			return len([]rune(strings.TrimSpace(s))) >= 4 && strings.ContainsAny(s, "Q7é日😀")
		}),
	}
	rapid.Check(t, func(rt *rapid.T) {
		w := newWire()
		link := w.join(sim.Chrome)
		var secrets []string
		for range rapid.IntRange(1, 3).Draw(rt, "secrets") {
			text := texts[rapid.SampledFrom([]string{"token", "code", "typed"}).Draw(rt, "kind")].Draw(rt, "text")
			secrets = append(secrets, text)
			// Its places may come before and after the one that makes it a secret.
			for range rapid.IntRange(0, 3).Draw(rt, "before") {
				echoes[rapid.SampledFrom(names(echoes)).Draw(rt, "echo")](w, link, text)
			}
			sources[rapid.SampledFrom(names(sources)).Draw(rt, "source")](w, link, text)
			for range rapid.IntRange(0, 3).Draw(rt, "after") {
				echoes[rapid.SampledFrom(names(echoes)).Draw(rt, "echo")](w, link, text)
			}
		}
		made, err := compose(Config{Round: defaultRound, Title: "About " + secrets[0]}, w.entries, false)
		require.NoError(rt, err)
		text := string(made.Format())
		_, err = tape.Parse("again", []byte(text))
		require.NoError(rt, err)
		for _, s := range secrets {
			for _, spelling := range []string{s, url.QueryEscape(s), url.PathEscape(s), strings.Trim(js(s), `"`)} {
				require.NotContains(rt, text, spelling)
			}
		}
	})
}

// Every source and every place is tried once at least, by itself.
func TestEverySourceAndEveryPlace(t *testing.T) {
	for _, source := range names(sources) {
		for _, echo := range names(echoes) {
			for _, first := range []bool{true, false} {
				w := newWire()
				link := w.join(sim.Chrome)
				text := "hunter2 é" + fmt.Sprint(len(source))
				if first {
					echoes[echo](w, link, text)
				}
				sources[source](w, link, text)
				if !first {
					echoes[echo](w, link, text)
				}
				made, err := compose(Config{Round: defaultRound}, w.entries, false)
				require.NoError(t, err, "%s, %s", source, echo)
				require.NotContains(t, string(made.Format()), "hunter2", "%s, %s", source, echo)
			}
		}
	}
}
