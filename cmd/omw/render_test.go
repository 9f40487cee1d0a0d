package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestTextsOfAnswers(t *testing.T) {
	for _, tc := range []struct{ action, data, want string }{
		{"navigate", `{"tab":12,"url":"https://a/","title":"A\nB","status":200}`, "url: https://a/\ntitle: A B\ntab: 12\n"},
		{"navigate", `{"tab":12,"url":"u","title":"","status":404}`, "url: u\ntitle: \ntab: 12\nstatus: 404\n"},
		{"navigate", `{"tab":1,"url":"u","title":"","status":204,"no_content":true}`, "url: u\ntitle: \ntab: 1\nthe answer was empty: the old page stands\n"},
		{"navigate", `{"tab":1,"url":"u","title":"t","download":{"id":3,"url":"d","state":"in_progress","filename":"/f","received":1,"total":2}}`, "url: u\ntitle: t\ntab: 1\na download came in place of a page:\n3 in_progress 1 of 2 bytes /f d\n"},
		{"back", `{"tab":1,"url":"u","title":"t"}`, "url: u\ntitle: t\ntab: 1\n"},
		{"snapshot", `{"text":"- a\n  - b \"c\" [ref=e1]","nodes":2,"truncated":false,"url":"u","title":"t"}`, "url: u\ntitle: t\n- a\n  - b \"c\" [ref=e1]\n"},
		{"snapshot", `{"text":"- a\n","nodes":4000,"truncated":true,"url":"u","title":"t"}`, "url: u\ntitle: t\n- a\ncut after 4000 nodes; name a part of the page to see the rest: omw snapshot TARGET\n"},
		{"evaluate", `{"value":2}`, "2\n"},
		{"evaluate", `{"value":null}`, "null\n"},
		{"evaluate", `{"value":"a\nb"}`, "a\nb\n"},
		{"evaluate", `{"value":""}`, "\n"},
		{"evaluate", `{"value":{"b":1, "a":[1, 2]}}`, "{\"b\":1,\"a\":[1,2]}\n"},
		{"evaluate", `{"value":12345678901234567890.10}`, "12345678901234567890.10\n"},
		{"extract", `{"items":[{"content":"a\nb"}]}`, "a\nb\n"},
		{"extract", `{"items":[{"ref":"e1","content":"a","truncated":true},{"ref":"e2","content":"b"}]}`, "[e1]\na\ncut: there is more\n\n[e2]\nb\n"},
		{"extract", `{"items":[]}`, "nothing matches\n"},
		{"click", `{}`, "ok\n"},
		{"click", `{"dialog":{"type":"confirm","message":"Delete?"}}`, "ok\ndialog: confirm \"Delete?\" is open; run omw dialog accept -s shop, or omw dialog dismiss -s shop\n"},
		{"click", `{"dialog":{"type":"alert","message":"Hi\n","dismissed":true}}`, "ok\ndialog: alert \"Hi\\n\" was dismissed before\n"},
		{"click", `{"new":"\u001b[2J"}`, "new: \ufffd[2J\n"},
		{"evaluate", `{"value":null,"dialog":{"type":"prompt","message":"Name"}}`, "null\ndialog: prompt \"Name\" is open; run omw dialog accept -s shop, or omw dialog dismiss -s shop\n"},
		{"check", `{"checked":true}`, "checked: true\n"},
		{"select", `{"selected":["red","XL (tall)"]}`, "selected: red 'XL (tall)'\n"},
		{"select", `{"selected":[]}`, "selected: none\n"},
		{"upload", `{"names":["it's.pdf",""]}`, "files: 'it'\\''s.pdf' ''\n"},
		{"scroll", `{"scrolled":300.5,"at_boundary":false}`, "scrolled 300.5 px\n"},
		{"scroll", `{"scrolled":0,"at_boundary":true}`, "scrolled 0 px; there is no more\n"},
		{"wait", `{"waited_ms":12}`, "ok\n"},
		{"dialog", `{"type":"confirm","message":"Delete?"}`, "confirm: \"Delete?\"\n"},
		{"frame", `{"frame":null}`, "frame: main\n"},
		{"frame", `{"frame":"pay","url":"u"}`, "frame: pay\nurl: u\n"},
		{"screenshot", `{"path":"/a.png","bytes":72,"width":2,"height":1}`, "/a.png\n2x1 pixels, 72 bytes\n"},
		{"screenshot", `{"base64":"aGVsbG8=","width":2,"height":16384,"truncated":true}`, "base64: 8 characters; --json prints them, path=FILE writes a file\n2x16384 pixels, cut at its bottom\n"},
		{"pdf", `{"path":"/a.pdf","bytes":9,"pages":1}`, "/a.pdf\n1 pages, 9 bytes\n"},
		{"tabs", `{"tabs":[{"tab":1,"url":"u","title":"A \"b\"","current":true,"active":true},{"tab":2,"url":"v","title":"","borrowed":true,"session":"my shop"}]}`, "1 u \"A \\\"b\\\"\" current active\n2 v \"\" borrowed session='my shop'\n"},
		{"tabs", `{"tabs":[]}`, "no tabs\n"},
		{"close_tab", `{"tabs":[{"tab":1,"url":"u","title":"t"}]}`, "1 u \"t\"\n"},
		{"close_session", `{"closed":[1,2],"released":[3]}`, "closed: tab 1, 2\nreleased: tab 3\n"},
		{"close_session", `{"closed":[],"released":[]}`, "closed: no tabs\n"},
		{"sessions", `{"sessions":[{"session":"a b","tabs":2,"current":12,"waiting":0},{"session":"c"}]}`, "'a b' tabs=2 current=12 waiting=0\nc\n"},
		{"sessions", `{"sessions":[]}`, "no sessions\n"},
		{"network", `{"entries":[{"id":"r1","url":"u","method":"GET","type":"document","status":200},{"id":"r2","url":"v","method":"POST"},{"id":"r3","url":"w","method":"GET","error":"ERR"},{"id":"r4","url":"x","method":"GET","blocked":true}],"next":7,"truncated":true,"gap":true}`, "r1 GET 200 document u\nr2 POST pending v\nr3 GET failed (ERR) w\nr4 GET blocked x\nolder ones were left out\nthe capture was interrupted: some may be missing\nnewer ones: --since 7\n"},
		{"network", `{"entries":[],"next":0}`, "no requests\n"},
		{"network", `{}`, "ok\n"},
		{"network", `{"body":"{\"a\":1}","encoding":"text","mime":"application/json"}`, "{\"a\":1}\n"},
		{"network", `{"body":"","encoding":"text","truncated":true}`, "\ncut: there is more\n"},
		{"network", `{"body":"AAAA","encoding":"base64","mime":"image/png"}`, "image/png, 4 characters of base64; --json prints them\n"},
		{"console", `{"records":[{"level":"error","text":"a\nb","url":"u","line":3},{"level":"log","text":"c","url":"u"}],"next":2}`, "error a\n  b (u:3)\nlog c\nnewer ones: --since 2\n"},
		{"console", `{}`, "ok\n"},
		{"console", `{"records":[],"next":2}`, "no records\n"},
		{"cookies", `{"cookies":[{"name":"a","value":"b"},{"name":"c","value":"","domain":"d","path":"/","secure":true,"http_only":true,"same_site":"lax","expires":1.5e9}]}`, "a=b\nc=; domain=d; path=/; secure; http_only; same_site=lax; expires=1500000000\n"},
		{"cookies", `{"cookies":[]}`, "no cookies\n"},
		{"downloads", `{"downloads":[{"id":1,"url":"u","state":"interrupted","error":"no space"},{"id":2,"url":"v","state":"complete","filename":"/f","received":5,"total":5}]}`, "1 interrupted (no space) u\n2 complete /f v\n"},
		{"downloads", `{"downloads":[]}`, "no downloads\n"},
		{"presets", `{"rules":[{"url":"a", "block":true}]}`, "{\"url\":\"a\",\"block\":true}\n"},
		{"headers", `{"rules":[]}`, "no rules\n"},
		{"cdp", `{"result":{"a":{"b":1}}}`, "{\"a\":{\"b\":1}}\n"},
		{"status", `{"browser":"chrome","missing":[]}`, "browser: chrome\nmissing: 0\n"},
	} {
		a, ok := protocol.LookupAction(tc.action)
		require.True(t, ok, tc.action)
		if tc.data != `{}` && tc.data != `{"new":"\u001b[2J"}` {
			require.NoError(t, a.CheckAnswer([]byte(tc.data)), "%s %s", tc.action, tc.data)
		}
		var b bytes.Buffer
		require.NoError(t, render(&b, tc.action, json.RawMessage(tc.data), " -s shop"), tc.data)
		require.Equal(t, tc.want, b.String(), "%s %s", tc.action, tc.data)
	}
}

// An answer of another shape than this version knows is an error and no panic.
func TestAnswersThatAreNotUnderstood(t *testing.T) {
	for _, a := range protocol.Actions() {
		for _, data := range []string{``, `[]`, `{`} {
			require.Error(t, render(&bytes.Buffer{}, a.Name, json.RawMessage(data), ""), "%s %s", a.Name, data)
		}
	}
	require.Error(t, render(&bytes.Buffer{}, "tabs", json.RawMessage(`{"tabs":7}`), ""))
}
