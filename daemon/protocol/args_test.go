package protocol_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func action(t testing.TB, name string) *protocol.Action {
	a, ok := protocol.LookupAction(name)
	require.True(t, ok, name)
	return a
}

// TestArgsAtTheirEdges holds each limit of the schemas on both sides, and the
// words of each refusal. No error means that the arguments are good.
func TestArgsAtTheirEdges(t *testing.T) {
	for _, c := range []struct{ action, args, wrong string }{
		{"navigate", `{"url":"https://shop.example/"}`, ""},
		{"navigate", `{"url":"a"}`, ""},
		{"navigate", `{"url":""}`, "args.url must not be empty"},
		{"navigate", `{}`, "args.url is missing"},
		{"navigate", `{"url":null}`, "args.url must be a string, not null"},
		{"navigate", `{"url":["a"]}`, "args.url must be a string, not an array"},
		{"navigate", `{"url":"a","wait":"none"}`, ""},
		{"navigate", `{"url":"a","wait":"soon"}`, `args.wait must be "load", "domcontentloaded" or "none", not "soon"`},
		{"navigate", `{"url":"a","wait":5}`, `args.wait must be "load", "domcontentloaded" or "none", not a number`},
		{"navigate", `{"url":"a","new_tab":"true"}`, "args.new_tab must be a boolean, not a string"},
		{"navigate", `{"url":"a","Tab":1}`, "args.Tab is an unknown name; the names are url, new_tab, group_title, wait and tab"},
		{"navigate", `{"url":"a","a b":1}`, `args["a b"] is an unknown name; the names are url, new_tab, group_title, wait and tab`},
		{"navigate", `[]`, "args must be an object, not an array"},

		{"back", `{"tab":0}`, ""},
		{"back", `{"tab":9007199254740992}`, ""},
		{"back", `{"tab":9007199254740993}`, "args.tab must be a whole number from 0 to 9007199254740992"},
		{"back", `{"tab":9007199254740992.0}`, ""},
		{"back", `{"tab":9007199254740993.0}`, "args.tab must be a whole number from 0 to 9007199254740992"},
		{"back", `{"tab":-1}`, "args.tab must be a whole number from 0 to 9007199254740992"},
		{"back", `{"tab":1e3}`, ""},
		{"back", `{"tab":1500e-2}`, ""},
		{"back", `{"tab":1501e-2}`, "args.tab must be a whole number from 0 to 9007199254740992"},
		{"back", `{"tab":0e99999999999999999999}`, ""},
		{"back", `{"tab":1e99999999999999999999}`, "args.tab must be a whole number from 0 to 9007199254740992"},
		{"back", `{"tab":1e-99999999999999999999}`, "args.tab must be a whole number from 0 to 9007199254740992"},
		{"back", `{"tab":1e-999999999}`, "args.tab must be a whole number from 0 to 9007199254740992"},
		{"back", `{"tab":99999999999999999999}`, "args.tab must be a whole number from 0 to 9007199254740992"},
		{"back", `{"tab":"12"}`, "args.tab must be a number, not a string"},

		{"click", `{"ref":"@e5"}`, ""},
		{"click", `{"ref":"e5"}`, ""},
		{"click", `{"ref":"ref=e5"}`, ""},
		{"click", `{"ref":"e1234567890123456"}`, ""},
		{"click", `{"ref":"e12345678901234567"}`, `args.ref is "e12345678901234567", which does not match ^(@|ref=)?e[0-9]{1,16}$`},
		{"click", `{"ref":"5"}`, `args.ref is "5", which does not match ^(@|ref=)?e[0-9]{1,16}$`},
		{"click", `{"ref":"@E5"}`, `args.ref is "@E5", which does not match ^(@|ref=)?e[0-9]{1,16}$`},
		{"click", `{"selector":"@e5"}`, ""},
		{"click", `{"selector":"ref=e5"}`, ""},
		{"click", `{"selector":"button > a"}`, ""},
		{"click", `{"selector":""}`, "args.selector must not be empty"},
		{"click", `{}`, "args must have exactly one of ref and selector, and has none"},
		{"click", `{"ref":"e5","selector":"a"}`, "args must have exactly one of ref and selector, and has ref and selector"},
		{"click", `{"ref":"e5","button":"middle"}`, ""},
		{"click", `{"ref":"e5","button":"side"}`, `args.button must be "left", "middle" or "right", not "side"`},
		{"click", `{"ref":"e5","modifiers":[]}`, ""},
		{"click", `{"ref":"e5","modifiers":["Shift","Alt"]}`, ""},
		{"click", `{"ref":"e5","modifiers":["Shift","Alt","\u0053hift"]}`, `args.modifiers[2] is "Shift" for the second time`},
		{"click", `{"ref":"e5","modifiers":["shift"]}`, `args.modifiers[0] must be "Alt", "Control", "ControlOrMeta", "Meta" or "Shift", not "shift"`},
		{"click", `{"ref":"e5","modifiers":"Shift"}`, "args.modifiers must be an array, not a string"},
		{"focus", `{"ref":"e5","button":"left"}`, "args.button is an unknown name; the names are ref, selector and tab"},

		{"snapshot", `{}`, ""},
		{"snapshot", `{"ref":"e5","selector":"a"}`, "args must not have ref and selector together"},
		{"type", `{"ref":"e5","text":""}`, ""},
		{"type", `{"ref":"e5","text":"\ud800"}`, ""},
		{"type", `{"ref":"e5"}`, "args.text is missing"},
		{"type", `{"ref":"e5","text":"a","mode":"insert"}`, `args.mode must be "replace" or "append", not "insert"`},
		{"press", `{"key":"Enter"}`, ""},
		{"press", `{"key":""}`, "args.key must not be empty"},
		{"select", `{"ref":"e5","values":[]}`, ""},
		{"select", `{"ref":"e5","values":["a",5]}`, "args.values[1] must be a string, not a number"},

		{"scroll", `{"direction":"down","amount":0.001}`, ""},
		{"scroll", `{"direction":"down","amount":0}`, "args.amount must be a number above 0 and up to 1000000"},
		{"scroll", `{"direction":"down","amount":1000000}`, ""},
		{"scroll", `{"direction":"down","amount":1000000.5}`, "args.amount must be a number above 0 and up to 1000000"},
		{"scroll", `{"direction":"down","amount":1e999}`, "args.amount must be a number above 0 and up to 1000000"},
		{"scroll", `{"to":"e5"}`, ""},
		{"scroll", `{"to":"e5","amount":5}`, "args must have direction where it has amount"},
		{"scroll", `{"to":"e5","direction":"up"}`, "args must have exactly one of direction and to, and has direction and to"},
		{"scroll", `{}`, "args must have exactly one of direction and to, and has none"},
		{"drag", `{"from":"e1","to":"#bin"}`, ""},
		{"drag", `{"from":"e1"}`, "args.to is missing"},

		{"dialog", `{"accept":true}`, ""},
		{"dialog", `{}`, "args.accept is missing"},
		{"wait", `{"ms":0}`, ""},
		{"wait", `{"ms":120000}`, ""},
		{"wait", `{"ms":120001}`, "args.ms must be a whole number from 0 to 120000"},
		{"wait", `{"load":true}`, ""},
		{"wait", `{"load":false}`, `args.load must be true, "load" or "domcontentloaded", not false`},
		{"wait", `{"text":"a","gone":true}`, ""},
		{"wait", `{"ms":5,"gone":true}`, "args must not have gone and ms together"},
		{"wait", `{"text":"a","url":"b"}`, "args must have exactly one of text, selector, url, ms and load, and has text and url"},
		{"extract", `{}`, ""},
		{"extract", `{"refs":[]}`, "args.refs must have at least 1 in it, and has 0"},
		{"extract", `{"refs":["e1","x"]}`, `args.refs[1] is "x", which does not match ^(@|ref=)?e[0-9]{1,16}$`},
		{"extract", `{"refs":["e1"],"selector":"a"}`, "args must not have refs and selector together"},

		{"screenshot", `{}`, ""},
		{"screenshot", `{"format":"jpeg","quality":0}`, ""},
		{"screenshot", `{"format":"jpeg","quality":100}`, ""},
		{"screenshot", `{"format":"jpeg","quality":101}`, "args.quality must be a whole number from 0 to 100"},
		{"screenshot", `{"full_page":true,"ref":"e5"}`, "args must not have full_page and ref together"},
		{"pdf", `{}`, "args.path is missing"},
		{"pdf", `{"path":"/a","scale":0.1}`, ""},
		{"pdf", `{"path":"/a","scale":0.09}`, "args.scale must be a number from 0.1 to 2"},
		{"pdf", `{"path":"/a","scale":2}`, ""},
		{"pdf", `{"path":"/a","scale":2.01}`, "args.scale must be a number from 0.1 to 2"},
		{"pdf", `{"path":"/a","margins":{"top":0,"left":10}}`, ""},
		{"pdf", `{"path":"/a","margins":{"top":-0.1}}`, "args.margins.top must be a number from 0 to 10"},
		{"pdf", `{"path":"/a","margins":{"inner":1}}`, "args.margins.inner is an unknown name; the names are top, right, bottom and left"},
		{"pdf", `{"path":"/a","pages":"1-3,5,7-"}`, ""},
		{"pdf", `{"path":"/a","pages":"1,"}`, `args.pages is "1,", which does not match ^[0-9]+(-[0-9]*)?(,[0-9]+(-[0-9]*)?)*$`},

		{"network", `{"cmd":"list","filter":"*.js","since":12,"limit":500}`, ""},
		{"network", `{"cmd":"list","limit":0}`, "args.limit must be a whole number from 1 to 500"},
		{"network", `{"cmd":"list","limit":501}`, "args.limit must be a whole number from 1 to 500"},
		{"network", `{"since":1}`, `args.cmd is missing; it is "list", "body" or "clear"`},
		{"network", `{"cmd":"watch"}`, `args.cmd must be "list", "body" or "clear", not "watch"`},
		{"network", `{"cmd":1}`, `args.cmd must be "list", "body" or "clear", not a number`},
		{"network", `{"cmd":"body"}`, "args.id is missing"},
		{"network", `{"cmd":"clear","id":"1"}`, "args.id is an unknown name; the names are cmd and tab"},
		{"console", `{"cmd":"list","level":"warn"}`, ""},
		{"console", `{"cmd":"list","level":"warning"}`, `args.level must be "debug", "log", "info", "warn" or "error", not "warning"`},
		{"presets", `{"cmd":"set","rules":[{"url":"*.png","block":true}]}`, ""},
		{"presets", `{"cmd":"set","rules":[]}`, "args.rules must have at least 1 in it, and has 0"},
		{"presets", `{"cmd":"set","rules":[` + strings.Repeat(`{"url":"a","block":true},`, 99) + `{"url":"a","block":true}]}`, ""},
		{"presets", `{"cmd":"set","rules":[` + strings.Repeat(`{"url":"a","block":true},`, 100) + `{"url":"a","block":true}]}`, "args.rules must have at most 100 in it, and has 101"},
		{"presets", `{"cmd":"set","rules":[{"url":"a","block":true},{"url":"a"}]}`, "args.rules[1] must have exactly one of block and redirect, and has none"},
		{"presets", `{"cmd":"set","rules":[{"url":"a","block":false}]}`, "args.rules[0].block must be true, not false"},
		{"headers", `{"cmd":"set","rules":[{"url":"a","request":{"X-A":"1","Cookie":null}}]}`, ""},
		{"headers", `{"cmd":"set","rules":[{"url":"a"}]}`, "args.rules[0] must have request or response"},
		{"headers", `{"cmd":"set","rules":[{"url":"a","request":{"X A":"1"}}]}`, "args.rules[0].request must not have the name \"X A\", which does not match ^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},
		{"headers", `{"cmd":"set","rules":[{"url":"a","request":{"X-A":1}}]}`, "args.rules[0].request.X-A must be a string or null, not a number"},
		{"cookies", `{"cmd":"set","name":"a","value":""}`, ""},
		{"cookies", `{"cmd":"set","name":"a"}`, "args.value is missing"},
		{"downloads", `{"cmd":"cancel"}`, "args.id is missing"},
		{"tabs", `{"all":true}`, ""},
		{"switch_tab", `{}`, "args.tab is missing"},
		{"sessions", `{}`, ""},
		{"sessions", `{"tab":1}`, `args must be empty, and "tab" is there`},
		{"close_session", `{"force":true}`, `args must be empty, and "force" is there`},
		{"cdp", `{"method":"Page.enable","params":{"a":[1]}}`, ""},
		{"cdp", `{"method":"enable"}`, `args.method is "enable", which does not match ^[A-Za-z]+\.[A-Za-z]+$`},
		{"cdp", `{"method":"Page.enable","params":[]}`, "args.params must be an object, not an array"},

		{"artifact_read", `{"artifact":"a","offset":0,"length":1048576}`, ""},
		{"artifact_read", `{"artifact":"a","offset":0,"length":1048577}`, "args.length must be a whole number from 1 to 1048576"},
		{"artifact_read", `{"artifact":"a","offset":0,"length":0}`, "args.length must be a whole number from 1 to 1048576"},
		{"artifact_close", `{"artifact":"` + strings.Repeat("ü", 128) + `"}`, ""},
		{"artifact_close", `{"artifact":"` + strings.Repeat("ü", 129) + `"}`, "args.artifact must have at most 128 characters, and has 129"},
		{"artifact_close", `{"artifact":""}`, "args.artifact must not be empty"},

		// What is no good JSON is said to be none, wherever the walk meets it.
		{"back", ``, "args is no good JSON: the JSON ends too early"},
		{"back", `{"tab":`, "args.tab is no good JSON: the JSON ends too early"},
		{"back", `{"tab":1} x`, "args is no good JSON: something stands behind it, at byte 9"},
		{"back", `{"tab":1,"tab":1}`, "args is no good JSON: a name stands twice in one JSON object, at byte 9"},
		{"cdp", `{"method":"A.b","params":{"a":1,"a":2}}`, "args.params is no good JSON: a name stands twice in one JSON object, at byte 32"},
	} {
		err := action(t, c.action).CheckArgs(jsontext.Value(c.args))
		if c.wrong == "" {
			require.NoError(t, err, "%s %s", c.action, c.args)
		} else {
			require.EqualError(t, err, c.wrong, "%s %s", c.action, c.args)
		}
	}
}

// TestFilesAreNamedByAbsolutePaths is FILE-01 at the daemon's door, with the
// odd paths of C32.
func TestFilesAreNamedByAbsolutePaths(t *testing.T) {
	for _, c := range []struct{ path, wrong string }{
		{"/tmp/a.png", ""},
		{"/a", ""},
		{"/tmp/./b/../c.png", ""},
		{"/dev/stdout", ""},
		{"/tmp/ü 語.png", ""},
		{`/tmp/a\nb`, ""},
		{"", "must be an absolute path, and is empty"},
		{"shot.png", `must be an absolute path, and "shot.png" is relative`},
		{"./a.png", `must be an absolute path, and "./a.png" is relative`},
		{"../a.png", `must be an absolute path, and "../a.png" is relative`},
		{"~/a.png", `must be an absolute path, and "~/a.png" is relative`},
		{`C:\\a.png`, `must be an absolute path, and "C:\\a.png" is relative`},
		{"/", "must be an absolute path, and ends in a separator, as a directory does"},
		{"/tmp/x/", "must be an absolute path, and ends in a separator, as a directory does"},
		{`/tmp/a\u0000.png`, "must be an absolute path, and holds a NUL"},
		{`/tmp/a\ud800.png`, "must be an absolute path, and holds a lone surrogate"},
		{"file:///tmp/a.png", "must be an absolute path, not a file: URL"},
	} {
		for action, args := range map[string]string{
			"screenshot": `{"path":"` + c.path + `"}`, "pdf": `{"path":"` + c.path + `"}`,
		} {
			check(t, action, args, "args.path ", c.wrong)
		}
		check(t, "upload", `{"ref":"e1","files":["/a","/b","`+c.path+`"]}`, "args.files[2] ", c.wrong)
	}
	require.ErrorContains(t, protocol.CheckPath("/a\xff"), "is not valid UTF-8")
}

func check(t *testing.T, name, args, where, wrong string) {
	t.Helper()
	err := action(t, name).CheckArgs(jsontext.Value(args))
	if wrong == "" {
		require.NoError(t, err, args)
		return
	}
	require.EqualError(t, err, where+wrong, args)
}

func TestAnErrorStaysShort(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, args := range []string{
		`{"` + long + `":1}`, `{"tab":1,"` + strings.Repeat(`\u0001`, 1000) + `":2}`,
	} {
		err := action(t, "back").CheckArgs(jsontext.Value(args))
		require.Error(t, err)
		require.Less(t, len(err.Error()), 400)
	}
	require.Less(t, len(action(t, "click").CheckArgs(jsontext.Value(`{"ref":"`+long+`"}`)).Error()), 400)
	require.Less(t, len(action(t, "pdf").CheckArgs(jsontext.Value(`{"path":"`+long+`"}`)).Error()), 400)
}
