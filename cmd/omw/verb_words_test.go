package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
}

// What a command line asks for, as the JSON of its arguments.
func TestVerbsAskFor(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	here, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	writeFile(t, "shop page.html", "<p>")
	writeFile(t, "probe.js", "return 1")
	writeFile(t, "shot-1.png", "")
	writeFile(t, "shot-2.png", "")
	writeFile(t, "shot-1.jpg", "")
	for _, tc := range []struct {
		line         []string
		action, args string
	}{
		{[]string{"open", "example.com"}, "navigate", `{"url":"https://example.com"}`},
		{[]string{"goto", "shop page.html"}, "navigate", `{"url":"file://` + here + `/shop%20page.html"}`},
		{[]string{"navigate", "--url", "example.com"}, "navigate", `{"url":"example.com"}`},
		{[]string{"open", "a.example", "--new-tab", "--group-title", "Shop", "--wait", "none", "--tab", "7"}, "navigate", `{"new_tab":true,"group_title":"Shop","wait":"none","tab":7,"url":"https://a.example"}`},
		{[]string{"open", "a.example", "--new_tab=false"}, "navigate", `{"new_tab":false,"url":"https://a.example"}`},
		{[]string{"back"}, "back", `{}`},
		{[]string{"reload", "--tab", "0"}, "reload", `{"tab":0}`},
		{[]string{"snapshot"}, "snapshot", `{}`},
		{[]string{"snapshot", "-i", "@e7"}, "snapshot", `{"interactive":true,"ref":"@e7"}`},
		{[]string{"snapshot", "main form", "--frame", "pay"}, "snapshot", `{"frame":"pay","selector":"main form"}`},
		{[]string{"click", "@e5"}, "click", `{"ref":"@e5"}`},
		{[]string{"click", "e5"}, "click", `{"ref":"e5"}`},
		{[]string{"click", "ref=e5"}, "click", `{"ref":"ref=e5"}`},
		{[]string{"click", "e"}, "click", `{"selector":"e"}`},
		{[]string{"click", "@e12345678901234567"}, "click", `{"selector":"@e12345678901234567"}`},
		{[]string{"click", "--ref", "@e5", "--button", "right", "--modifiers", "Shift,Alt"}, "click", `{"ref":"@e5","button":"right","modifiers":["Shift","Alt"]}`},
		{[]string{"click", "@e5", "--modifiers", "Shift", "--modifiers", "Alt"}, "click", `{"modifiers":["Shift","Alt"],"ref":"@e5"}`},
		{[]string{"type", "@e5", "a b"}, "type", `{"ref":"@e5","text":"a b"}`},
		{[]string{"type", "@e5", ""}, "type", `{"ref":"@e5","text":""}`},
		{[]string{"fill", "#q", "@e5", "--submit", "--mode", "append"}, "type", `{"submit":true,"mode":"append","selector":"#q","text":"@e5"}`},
		{[]string{"type", "@e5", "--", "--x"}, "type", `{"ref":"@e5","text":"--x"}`},
		{[]string{"type", "--selector", "#q", "hello"}, "type", `{"selector":"#q","text":"hello"}`},
		{[]string{"type", "--text", "hello", "#q"}, "type", `{"text":"hello","selector":"#q"}`},
		{[]string{"press", "Enter"}, "press", `{"key":"Enter"}`},
		{[]string{"press", "Control+Shift+a", "@e5"}, "press", `{"modifiers":["Control","Shift"],"key":"a","ref":"@e5"}`},
		{[]string{"press", "Shift++"}, "press", `{"modifiers":["Shift"],"key":"+"}`},
		{[]string{"press", "+"}, "press", `{"key":"+"}`},
		{[]string{"press", "Shift+"}, "press", `{"key":"Shift+"}`},
		{[]string{"press", "ControlOrMeta+a"}, "press", `{"modifiers":["ControlOrMeta"],"key":"a"}`},
		{[]string{"press", "--key", "Control+a"}, "press", `{"key":"Control+a"}`},
		{[]string{"select", "@e5", "a,b"}, "select", `{"ref":"@e5","values":["a,b"]}`},
		{[]string{"select", "@e5", "a", "b c", ""}, "select", `{"ref":"@e5","values":["a","b c",""]}`},
		{[]string{"select", "@e5", "--values", "a,b"}, "select", `{"values":["a","b"],"ref":"@e5"}`},
		{[]string{"select", "@e5", "--values="}, "select", `{"values":[],"ref":"@e5"}`},
		{[]string{"check", "@e5"}, "check", `{"ref":"@e5"}`},
		{[]string{"check", "@e5", "--checked=false"}, "check", `{"checked":false,"ref":"@e5"}`},
		{[]string{"uncheck", "@e5"}, "check", `{"ref":"@e5","checked":false}`},
		{[]string{"scroll", "down"}, "scroll", `{"direction":"down"}`},
		{[]string{"scroll", "up", "0.5", "--selector", "#list"}, "scroll", `{"selector":"#list","direction":"up","amount":0.5}`},
		{[]string{"scroll", "@e40"}, "scroll", `{"to":"@e40"}`},
		{[]string{"drag", "@e1", "#b"}, "drag", `{"from":"@e1","to":"#b"}`},
		{[]string{"upload", "@e1", "a,b.txt", "/c"}, "upload", `{"ref":"@e1","files":["` + here + `/a,b.txt","/c"]}`},
		{[]string{"dialog", "accept"}, "dialog", `{"accept":true}`},
		{[]string{"dialog", "accept", "Ada"}, "dialog", `{"text":"Ada","accept":true}`},
		{[]string{"dialog", "dismiss", "--tab", "3"}, "dialog", `{"tab":3,"accept":false}`},
		{[]string{"eval", "1+1"}, "evaluate", `{"code":"1+1"}`},
		{[]string{"eval", "-"}, "evaluate", `{"code":"from stdin\n"}`},
		{[]string{"eval", "--file", "probe.js", "--await=false"}, "evaluate", `{"await":false,"code":"return 1"}`},
		{[]string{"evaluate", "--code", "-"}, "evaluate", `{"code":"-"}`},
		{[]string{"eval", "--", "-1"}, "evaluate", `{"code":"-1"}`},
		{[]string{"frame"}, "frame", `{}`},
		{[]string{"frame", "main"}, "frame", `{}`},
		{[]string{"frame", "--frame", "main"}, "frame", `{"frame":"main"}`},
		{[]string{"frame", "@e7"}, "frame", `{"frame":"@e7"}`},
		{[]string{"wait", "@e5"}, "wait", `{"selector":"@e5"}`},
		{[]string{"wait", ".done", "--gone"}, "wait", `{"gone":true,"selector":".done"}`},
		{[]string{"wait", "load"}, "wait", `{"load":"load"}`},
		{[]string{"wait", "domcontentloaded"}, "wait", `{"load":"domcontentloaded"}`},
		{[]string{"wait", "--load", "true"}, "wait", `{"load":true}`},
		{[]string{"wait", "true"}, "wait", `{"selector":"true"}`},
		{[]string{"wait", "https://*/done"}, "wait", `{"url":"https://*/done"}`},
		{[]string{"wait", "--url", "done"}, "wait", `{"url":"done"}`},
		{[]string{"wait", "--text", "42"}, "wait", `{"text":"42"}`},
		{[]string{"wait", "42"}, "wait", `{"ms":42}`},
		{[]string{"wait", "42px"}, "wait", `{"selector":"42px"}`},
		{[]string{"extract"}, "extract", `{}`},
		{[]string{"text", "@e1", "e2"}, "extract", `{"refs":["@e1","e2"]}`},
		{[]string{"extract", "article", "--format", "html"}, "extract", `{"format":"html","selector":"article"}`},
		{[]string{"screenshot"}, "screenshot", `{"path":"` + here + `/shot-3.png"}`},
		{[]string{"screenshot", "--format", "jpeg"}, "screenshot", `{"format":"jpeg","path":"` + here + `/shot-2.jpg"}`},
		{[]string{"screenshot", "a.JPG", "-f"}, "screenshot", `{"full_page":true,"path":"` + here + `/a.JPG","format":"jpeg"}`},
		{[]string{"screenshot", "a.jpeg", "--format", "png"}, "screenshot", `{"format":"png","path":"` + here + `/a.jpeg"}`},
		{[]string{"screenshot", "../a.png", "--ref", "e5"}, "screenshot", `{"ref":"e5","path":"` + filepath.Dir(here) + `/a.png"}`},
		{[]string{"screenshot", "-"}, "screenshot", `{}`},
		{[]string{"pdf"}, "pdf", `{"path":"` + here + `/page-1.pdf"}`},
		{[]string{"save_as_pdf", "a.pdf", "--margins", `{"top":1}`, "--pages", "1-2", "--scale", "0.5"}, "pdf", `{"margins":{"top":1},"pages":"1-2","scale":0.5,"path":"` + here + `/a.pdf"}`},
		{[]string{"tabs", "--all"}, "tabs", `{"all":true}`},
		{[]string{"switch", "12"}, "switch_tab", `{"tab":12}`},
		{[]string{"borrow"}, "borrow", `{}`},
		{[]string{"release", "12"}, "release", `{"tab":12}`},
		{[]string{"close"}, "close_session", `{}`},
		{[]string{"close", "--tab"}, "close_tab", `{}`},
		{[]string{"close", "--tab", "12"}, "close_tab", `{"tab":12}`},
		{[]string{"close", "--tab=12"}, "close_tab", `{"tab":12}`},
		{[]string{"close_tab", "12"}, "close_tab", `{"tab":12}`},
		{[]string{"sessions"}, "sessions", `{}`},
		{[]string{"network"}, "network", `{"cmd":"list"}`},
		{[]string{"network", "--limit", "500", "--since", "7"}, "network", `{"limit":500,"since":7,"cmd":"list"}`},
		{[]string{"network", "body", "r1"}, "network", `{"id":"r1","cmd":"body"}`},
		{[]string{"network", "clear", "--tab", "1"}, "network", `{"tab":1,"cmd":"clear"}`},
		{[]string{"console", "--level", "warn"}, "console", `{"level":"warn","cmd":"list"}`},
		{[]string{"cookies"}, "cookies", `{"cmd":"get"}`},
		{[]string{"cookies", "set", "a", "b", "--http-only", "--expires", "1.5"}, "cookies", `{"http_only":true,"expires":1.5,"name":"a","value":"b","cmd":"set"}`},
		{[]string{"cookies", "clear", "a"}, "cookies", `{"name":"a","cmd":"clear"}`},
		{[]string{"downloads", "wait"}, "downloads", `{"cmd":"wait"}`},
		{[]string{"downloads", "cancel", "3"}, "downloads", `{"id":3,"cmd":"cancel"}`},
		{[]string{"presets", "set", `[{"url":"a","block":true}]`}, "presets", `{"rules":[{"url":"a","block":true}],"cmd":"set"}`},
		{[]string{"headers", "clear"}, "headers", `{"cmd":"clear"}`},
		{[]string{"cdp", "Page.enable", `{"a":1}`}, "cdp", `{"method":"Page.enable","params":{"a":1}}`},
	} {
		cmd, err := commandOf(t, "from stdin\n", tc.line...)
		require.NoError(t, err, tc.line)
		require.Equal(t, tc.action, cmd.Action, tc.line)
		require.Equal(t, tc.args, string(cmd.Args.(json.RawMessage)), tc.line)
	}
}

// What is wrong is said before anything is sent, and what was to be typed is not
// repeated.
func TestVerbsRefuse(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "empty.js", "")
	require.NoError(t, os.Mkdir("shots", 0o700))
	for _, tc := range []struct {
		line []string
		why  string
	}{
		{[]string{"open"}, "open: URL is missing"},
		{[]string{"open", ""}, "open: URL is empty"},
		{[]string{"open", "a", "b"}, "open: it takes URL, and 2 words are given; put quotes around text with blanks"},
		{[]string{"open", "--url", "a", "b"}, "open: a word is too much: URL is given by a flag"},
		{[]string{"open", "a", "--wait", "never"}, `open: wait must be "load", "domcontentloaded" or "none", not "never"`},
		{[]string{"back", "x"}, "back: it takes no words, and 1 word is given; put quotes around text with blanks"},
		{[]string{"click"}, "click: TARGET is missing"},
		{[]string{"click", ""}, "click: TARGET is empty; it is a reference of a snapshot, as @e5, or CSS"},
		{[]string{"click", "--ref", "@e1", "--selector", "a"}, "click: it must have exactly one of ref and selector, and has ref and selector"},
		{[]string{"click", "--ref", "#a"}, `click: ref is "#a", which does not match`},
		{[]string{"click", "@e1", "--modifiers", "Ctrl"}, `click: modifiers[0] must be "Alt", "Control", "ControlOrMeta", "Meta" or "Shift", not "Ctrl"`},
		{[]string{"type", "@e1"}, "type: TEXT is missing"},
		{[]string{"type", "@e1", "my", "secret"}, "type: it takes TARGET TEXT, and 3 words are given; put quotes around text with blanks"},
		{[]string{"type", "@e1", "a\xff"}, "type: text is not UTF-8, which JSON cannot carry"},
		{[]string{"press"}, "press: KEY is missing"},
		{[]string{"press", ""}, "press: key must not be empty"},
		{[]string{"press", "Alt+Alt+a"}, "press: modifiers"},
		{[]string{"select", "@e1"}, "select: VALUE is missing"},
		{[]string{"scroll"}, "scroll: WHERE is missing"},
		{[]string{"scroll", "sideways"}, `scroll: direction must be "up", "down", "left" or "right", not "sideways"`},
		{[]string{"scroll", "down", "much"}, `scroll: amount must be a number, not "much"`},
		{[]string{"scroll", "down", "0"}, "scroll: amount must be a number above 0 and up to 1000000"},
		{[]string{"scroll", "@e5", "10"}, "scroll: it must have direction where it has amount"},
		{[]string{"drag", "@e1"}, "drag: TO is missing"},
		{[]string{"upload", "@e1"}, "upload: FILE is missing"},
		{[]string{"dialog"}, "dialog: say accept or dismiss"},
		{[]string{"dialog", "acept"}, `dialog: "acept" is none of accept, dismiss; did you mean accept?`},
		{[]string{"dialog", "dismiss", "x"}, "dialog: it takes no words, and 1 word is given; put quotes around text with blanks"},
		{[]string{"eval"}, "eval: CODE is missing"},
		{[]string{"eval", ""}, "eval: code must not be empty"},
		{[]string{"eval", "-"}, "eval: standard input is empty"},
		{[]string{"eval", "--file", "none.js"}, "eval: open none.js: "},
		{[]string{"eval", "--file", "empty.js"}, "eval: empty.js is empty"},
		{[]string{"eval", "--file", ""}, "eval: open : "},
		{[]string{"eval", "1", "--file", "empty.js"}, "eval: empty.js is empty"},
		{[]string{"wait"}, "wait: WHAT is missing"},
		{[]string{"wait", ""}, "wait: WHAT is empty"},
		{[]string{"wait", "5", "--gone"}, "wait: it must not have gone and ms together"},
		{[]string{"wait", "--text", "a", "--url", "b"}, "wait: it must have exactly one of"},
		{[]string{"wait", "119001"}, "wait: 119001 ms do not fit into the longest --timeout, 2m0s, with the 1s that the way there and back may take"},
		{[]string{"wait", "120001"}, "wait: 120001 ms do not fit into the longest"},
		{[]string{"wait", "99999999999"}, "wait: ms must be a whole number from 0 to 120000"},
		{[]string{"wait", "2001", "--timeout", "3s"}, "wait: 2001 ms do not fit into --timeout 3s; it takes 3.001s or more"},
		{[]string{"extract", "@e1", "a"}, "extract: it must not have refs and selector together"},
		{[]string{"extract", "a", "b"}, "extract: selector stands there twice"},
		{[]string{"screenshot", "shots/"}, "screenshot: path"},
		{[]string{"screenshot", "a.png", "--quality", "101"}, "screenshot: quality must be a whole number from 0 to 100"},
		{[]string{"screenshot", "a.png", "--full-page", "--ref", "e1"}, "screenshot: it must not have full_page and ref together"},
		{[]string{"switch"}, "switch: TAB is missing"},
		{[]string{"switch", "one"}, `switch: tab must be a whole number, not "one"`},
		{[]string{"close", "--tab", "x"}, `close: tab must be a whole number, not "x"`},
		{[]string{"close", "1", "2"}, "close: it takes TAB, and 2 words are given; put quotes around text with blanks"},
		{[]string{"network", "lst"}, `network: "lst" is none of list, body, clear; did you mean list?`},
		{[]string{"network", "body"}, "network: ID is missing"},
		{[]string{"network", "body", "r1", "--filter", "x"}, "network: body takes no --filter, which is for list"},
		{[]string{"network", "--id", "r1"}, "network: list takes no --id, which is for body"},
		{[]string{"network", "--limit", "501"}, "network: limit must be a whole number from 1 to 500"},
		{[]string{"network", "--limit", "0"}, "network: limit must be a whole number from 1 to 500"},
		{[]string{"cookies", "set", "a"}, "cookies: VALUE is missing"},
		{[]string{"cookies", "--http-only"}, "cookies: get takes no --http-only, which is for set"},
		{[]string{"presets", "set"}, "presets: RULES is missing"},
		{[]string{"presets", "set", "ads"}, "presets: rules must be an array as JSON"},
		{[]string{"presets", "set", "[]"}, "presets: rules must have at least 1 in it, and has 0"},
		{[]string{"headers", "set", `[{"url":"a"}]`}, "headers: rules[0] must have request or response"},
		{[]string{"cdp", "Page"}, `cdp: method is "Page", which does not match`},
		{[]string{"cdp", "Page.enable", "7"}, "cdp: params must be an object, not a number"},
	} {
		_, err := commandOf(t, "", tc.line...)
		if !assert.ErrorContains(t, err, tc.why, tc.line) {
			continue
		}
		require.NotContains(t, err.Error(), "secret")
		var usage *usageError
		require.ErrorAs(t, err, &usage, tc.line)
	}
}

// A wait for a time has more time than that, unless it was told how much.
func TestTheTimeOfAWait(t *testing.T) {
	for _, tc := range []struct {
		line []string
		want time.Duration
	}{
		{[]string{"wait", "29000"}, 30 * time.Second},
		{[]string{"wait", "29001"}, 30*time.Second + time.Millisecond},
		{[]string{"wait", "119000"}, 120 * time.Second},
		{[]string{"wait", "2000", "--timeout", "3s"}, 3 * time.Second},
		{[]string{"wait", "--text", "a"}, 30 * time.Second},
	} {
		cmd, err := commandOf(t, "", tc.line...)
		require.NoError(t, err, tc.line)
		require.Equal(t, tc.want, cmd.Timeout, tc.line)
	}
}

// Code of more than may be sent is not read to its end.
func TestTheCodeOfEval(t *testing.T) {
	most := int(protocol.DefaultLimits().Body)
	_, err := commandOf(t, strings.Repeat("1", most), "eval", "-")
	require.NoError(t, err)
	_, err = commandOf(t, strings.Repeat("1", most+1), "eval", "-")
	require.ErrorContains(t, err, "standard input has more than 2097152 bytes")
	t.Chdir(t.TempDir())
	writeFile(t, "a.js", "1")
	for _, line := range [][]string{{"eval", "--file", "a.js", "2"}, {"eval", "--file", "a.js", "--code", "2"}} {
		_, err = commandOf(t, "", line...)
		require.Error(t, err, line)
	}
}
