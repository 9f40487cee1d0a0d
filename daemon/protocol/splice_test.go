package protocol_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestArgumentsAreFoundByName(t *testing.T) {
	args := jsontext.Value(` {"a" : "x\u0041\"}", "p\u0061th":"/t,}mp", "n":[1,{"path":"/no"}], "files":["/a","/b"],"l":"\ud800" } `)
	v, ok := protocol.Arg(args, "n")
	require.True(t, ok)
	require.Equal(t, `[1,{"path":"/no"}]`, string(v))
	s, ok := protocol.StringArg(args, "a")
	require.True(t, ok)
	require.Equal(t, `xA"}`, s)
	s, ok = protocol.StringArg(args, "path")
	require.True(t, ok)
	require.Equal(t, "/t,}mp", s)
	for _, name := range []string{"n", "files", "l", "x", ""} {
		_, ok = protocol.StringArg(args, name)
		require.False(t, ok, name)
	}
	require.Equal(t, []string{"/a", "/b"}, protocol.StringsArg(args, "files"))
	for _, name := range []string{"a", "n", "x"} {
		require.Nil(t, protocol.StringsArg(args, name), name)
	}
	_, ok = protocol.Arg(jsontext.Value(`{}`), "a")
	require.False(t, ok)
}

func TestAnArgumentIsReplacedAndTheRestStays(t *testing.T) {
	for _, c := range []struct{ args, name, want string }{
		{`{"path":"/a"}`, "path", `{"path":[1]}`},
		{` { "q" :1.0, "path" : "/a" , "z":"\u00e9" } `, "path", ` { "q" :1.0, "path" : [1] , "z":"\u00e9" } `},
		{`{"p\u0061th":{"path":2}}`, "path", `{"p\u0061th":[1]}`},
		{`{}`, "path", `{"path":[1]}`},
		{` { } `, "path", ` {"path":[1] } `},
		{`{"a":{}} `, "path", `{"a":{},"path":[1]} `},
		{`{"a":"}" }`, `p"`, `{"a":"}","p\"":[1] }`},
	} {
		args := jsontext.Value(c.args)
		require.Equal(t, c.want, string(protocol.ReplaceArg(args, c.name, jsontext.Value(`[1]`))))
		require.Equal(t, c.args, string(args), "args are not changed")
	}
}

func TestAnArgumentIsTakenOutAndTheRestStays(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{`{"path":"/a"}`, `{}`},
		{`{ "path" : "/a" }`, `{  }`},
		{`{"path":"/a","b":1}`, `{"b":1}`},
		{`{"a":1,"path":"/a"}`, `{"a":1}`},
		{`{"a":1 , "path":"/,a"}`, `{"a":1 }`},
		{`{"a":"x,y", "p\u0061th":"/a" , "b":[1, 2]}`, `{"a":"x,y",  "b":[1, 2]}`},
		{`{"a":{"path":1}}`, `{"a":{"path":1}}`},
		{`{}`, `{}`},
	} {
		args := jsontext.Value(c.args)
		require.Equal(t, c.want, string(protocol.WithoutArg(args, "path")))
		require.Equal(t, c.args, string(args), "args are not changed")
	}
}

func TestPathArgNamesTheArgumentThatNamesAFile(t *testing.T) {
	for _, c := range []struct{ action, args, want string }{
		{"screenshot", `{}`, ""},
		{"screenshot", `{"path":"/a"}`, "path"},
		{"screenshot", `{"format":"png","p\u0061th":"/a"}`, "path"},
		{"pdf", `{"path":"/a"}`, "path"},
		{"upload", `{"files":["/a"],"ref":"e1"}`, "files"},
		{"cookies", `{"cmd":"set","name":"a","value":"b","path":"/"}`, ""},
		{"click", `{"ref":"e1"}`, ""},
	} {
		require.Equal(t, c.want, action(t, c.action).PathArg(jsontext.Value(c.args)), c.args)
	}
	var paths []string
	for _, a := range everyAction(t) {
		for _, arg := range a.Arguments() {
			if arg.Path {
				paths = append(paths, a.Name+"."+arg.Name)
			}
		}
	}
	require.Equal(t, []string{"pdf.path", "screenshot.path", "upload.files"}, paths)
}

func TestArtifactsAreFoundInData(t *testing.T) {
	a, ok := protocol.ArtifactOf(jsontext.Value(`{"format":"png","bytes":4.2e1,"artifact":"x\u0031"}`))
	require.True(t, ok)
	require.Equal(t, protocol.Artifact{ID: "x1", Bytes: 42}, a)
	for _, data := range []string{
		`{}`, `{"artifact":"a"}`, `{"bytes":5}`, `{"artifact":5,"bytes":5}`, `{"artifact":"a","bytes":-1}`,
		`{"artifact":"a","bytes":"5"}`, `{"value":{"artifact":"a","bytes":5}}`,
		`{"artifact":"a","bytes":5,"x":"` + strings.Repeat("x", 4<<10) + `"}`,
	} {
		_, ok := protocol.ArtifactOf(jsontext.Value(data))
		require.False(t, ok, "%.80s", data)
	}
}

// TestTheBytesOfAnArtifactAreJSONOfAPage: what passes in a frame passes here.
func TestTheBytesOfAnArtifactAreJSONOfAPage(t *testing.T) {
	for _, good := range []string{
		`{}`, ` {"value":"\ud800"} `, `{"value":{"\ud800":1,"\ud801":2}}`, `{"a":1,"a":2}`, `[1]`,
		`{"value":` + strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999) + `}`,
	} {
		require.NoError(t, protocol.CheckJSON([]byte(good)), "%.80s", good)
	}
	for bad, want := range map[string]string{
		``:                      "the JSON ends too early",
		`{`:                     "the JSON ends too early",
		`{"a":1}{}`:             "something stands behind it, at byte 7",
		`{"a":x}`:               "it breaks the JSON grammar, at byte 5",
		"{\"a\":\"\xff\"}":      "it is not valid UTF-8",
		"\xef\xbb\xbf{\"a\":1}": "it breaks the JSON grammar, at byte 0",
		`{"value":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`: "it breaks the JSON grammar, at byte 10008",
	} {
		require.EqualError(t, protocol.CheckJSON([]byte(bad)), want, "%.80s", bad)
	}
}

func TestArgumentsAreDescribed(t *testing.T) {
	args := map[string]protocol.Argument{}
	for _, a := range action(t, "screenshot").Arguments() {
		args[a.Name] = a
	}
	require.Equal(t, "string", args["path"].Type)
	require.True(t, args["path"].Path)
	require.NotEmpty(t, args["path"].Description)
	require.Equal(t, "integer", args["quality"].Type)
	require.Equal(t, "boolean", args["full_page"].Type)
	require.Equal(t, []string{"png", "jpeg"}, args["format"].Enum)
	require.Equal(t, "string", args["format"].Type)
	require.Equal(t, `"png"`, args["format"].Default)
	require.Equal(t, "integer", args["tab"].Type)
	require.False(t, args["path"].Required)
	require.Empty(t, args["path"].Cmds)
	require.Empty(t, args["path"].Range)
	require.Equal(t, "a whole number from 0 to 100", args["quality"].Range)

	network := action(t, "network").Arguments()
	require.Equal(t, protocol.Argument{Name: "cmd", Type: "string", Required: true, Enum: []string{"list", "body", "clear"}, Cmds: []string{"list", "body", "clear"}}, network[0])
	cmds := map[string][]string{
		"cmd": {"list", "body", "clear"}, "tab": {"list", "body", "clear"}, "id": {"body"},
		"filter": {"list"}, "since": {"list"}, "limit": {"list"},
	}
	var names []string
	for _, a := range network {
		names = append(names, a.Name)
		require.Equal(t, cmds[a.Name], a.Cmds, a.Name)
		require.Equal(t, a.Name == "cmd", a.Required, a.Name)
	}
	require.Equal(t, []string{"cmd", "filter", "since", "limit", "tab", "id"}, names)

	for _, a := range action(t, "upload").Arguments() {
		if a.Name == "files" {
			require.Equal(t, "array", a.Type)
			require.Equal(t, "string", a.Items)
			require.True(t, a.Required)
			require.True(t, a.Path)
		}
	}
	for _, a := range action(t, "wait").Arguments() {
		if a.Name == "load" {
			require.Equal(t, "any", a.Type)
			require.Equal(t, []string{"true", "load", "domcontentloaded"}, a.Enum)
		}
	}
	for _, a := range action(t, "pdf").Arguments() {
		if a.Name == "margins" {
			require.Equal(t, "object", a.Type)
		}
		if a.Name == "scale" {
			require.Equal(t, "number", a.Type)
			require.Equal(t, "a number from 0.1 to 2", a.Range)
		}
	}
	// A caller's change stays its own.
	action(t, "network").Arguments()[0].Name = "x"
	require.Equal(t, "cmd", action(t, "network").Arguments()[0].Name)
	require.Empty(t, action(t, "sessions").Arguments())
}
