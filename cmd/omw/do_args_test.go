package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestArgumentsOfACommandLine(t *testing.T) {
	here, err := os.Getwd()
	require.NoError(t, err)
	abs := func(p string) string { return filepath.Join(here, p) }
	for name, tc := range map[string]struct {
		action string
		words  []string
		want   string
	}{
		"none":                        {"back", nil, `{}`},
		"a string":                    {"navigate", []string{"url=https://example.com/?a=1&b=2"}, `{"url":"https://example.com/?a=1&b=2"}`},
		"a string that looks like 1":  {"type", []string{"ref=e1", "text=1"}, `{"ref":"e1","text":"1"}`},
		"an empty string":             {"type", []string{"ref=e1", "text="}, `{"ref":"e1","text":""}`},
		"quotes, lines, other tongue": {"type", []string{"ref=e1", "text=\"a\"\n\té日"}, `{"ref":"e1","text":"\"a\"\n\té日"}`},
		"integers":                    {"back", []string{"tab=9007199254740992"}, `{"tab":9007199254740992}`},
		"numbers":                     {"scroll", []string{"direction=up", "amount=1.5e2"}, `{"direction":"up","amount":1.5e2}`},
		"booleans":                    {"navigate", []string{"url=a", "new_tab=false"}, `{"url":"a","new_tab":false}`},
		"true where more is possible": {"wait", []string{"load=true"}, `{"load":true}`},
		"text where more is possible": {"wait", []string{"load=domcontentloaded"}, `{"load":"domcontentloaded"}`},
		"a list":                      {"click", []string{"ref=e1", "modifiers=Shift,Control"}, `{"ref":"e1","modifiers":["Shift","Control"]}`},
		"a list of one":               {"click", []string{"ref=e1", "modifiers=Shift"}, `{"ref":"e1","modifiers":["Shift"]}`},
		"an empty list":               {"select", []string{"ref=e1", "values="}, `{"ref":"e1","values":[]}`},
		"a key again":                 {"select", []string{"values=a,b", "ref=e1", "values=c"}, `{"values":["a,b","c"],"ref":"e1"}`},
		"an object":                   {"pdf", []string{"path=/a", `margins={"top": 1}`}, `{"path":"/a","margins":{"top":1}}`},
		"a list of objects":           {"presets", []string{"cmd=set", `rules=[{"url":"a","block":true}]`}, `{"cmd":"set","rules":[{"url":"a","block":true}]}`},
		"raw JSON":                    {"select", []string{"ref=e1", `values:=[ "a,b" ]`}, `{"ref":"e1","values":["a,b"]}`},
		"a raw string":                {"evaluate", []string{`code:="a=\"b\""`}, `{"code":"a=\"b\""}`},
		"an equals sign in a value":   {"evaluate", []string{"code=a=b:=c"}, `{"code":"a=b:=c"}`},
		"a path":                      {"screenshot", []string{"path=shot.png"}, `{"path":"` + abs("shot.png") + `"}`},
		"a path upwards":              {"screenshot", []string{"path=../shot.png"}, `{"path":"` + abs("../shot.png") + `"}`},
		"an absolute path":            {"screenshot", []string{"path=/tmp/b/../a.png"}, `{"path":"/tmp/a.png"}`},
		"a path of a directory":       {"screenshot", []string{"path=shots/"}, `{"path":"` + abs("shots") + `/"}`},
		"no path":                     {"screenshot", []string{"path="}, `{"path":""}`},
		"the root":                    {"screenshot", []string{"path=/"}, `{"path":"/"}`},
		"a home that is not expanded": {"screenshot", []string{"path=~/a.png"}, `{"path":"` + abs("~/a.png") + `"}`},
		"paths":                       {"upload", []string{"ref=e1", "files=a,/b"}, `{"ref":"e1","files":["` + abs("a") + `","/b"]}`},
		"a raw path":                  {"screenshot", []string{`path:="a.png"`}, `{"path":"` + abs("a.png") + `"}`},
		"raw paths":                   {"upload", []string{"ref=e1", `files:=["a,b"]`}, `{"ref":"e1","files":["` + abs("a,b") + `"]}`},
		"a raw path that is none":     {"screenshot", []string{`path:=7`}, `{"path":7}`},
		"a raw null for paths":        {"upload", []string{`files:=null`}, `{"files":null}`},
	} {
		t.Run(name, func(t *testing.T) {
			a, ok := protocol.LookupAction(tc.action)
			require.True(t, ok)
			got, err := parseArgs(a, tc.words)
			require.NoError(t, err)
			require.Equal(t, tc.want, string(got))
		})
	}
}

func TestWrongArgumentsOfACommandLine(t *testing.T) {
	for words, why := range map[[2]string]string{
		{"back", "tab"}:                     `"tab" is not key=value`,
		{"back", "=1"}:                      `"=1" is not key=value`,
		{"back", ":=1"}:                     `":=1" is not key=value`,
		{"back", "tab="}:                    `tab must be a whole number, not ""`,
		{"back", "tab=1.5"}:                 `tab must be a whole number, not "1.5"`,
		{"back", "tab=+1"}:                  `tab must be a whole number, not "+1"`,
		{"back", "tab=007"}:                 `tab is no JSON`,
		{"back", "tab=9223372036854775808"}: `tab must be a whole number`,
		{"scroll", "amount=NaN"}:            `amount must be a number, not "NaN"`,
		{"scroll", "amount=true"}:           `amount must be a number, not "true"`,
		{"scroll", "amount="}:               `amount must be a number, not ""`,
		{"scroll", "amount=1 2"}:            `amount must be a number, not "1 2"`,
		{"navigate", "new_tab=1"}:           `new_tab must be true or false, not "1"`,
		{"type", "text=\xff"}:               `text is not UTF-8`,
		{"pdf", "path=\xff"}:                `path is not UTF-8`,
		{"evaluate", "code:=1 2"}:           `code is no JSON`,
		{"evaluate", "code:="}:              `code is no JSON`,
		{"presets", "rules=a"}:              `rules must be an array as JSON`,
		{"type", "txt=a"}:                   `type has no argument "txt"; did you mean text?; it takes ref`,
	} {
		a, ok := protocol.LookupAction(words[0])
		require.True(t, ok)
		_, err := parseArgs(a, words[1:])
		require.ErrorContains(t, err, why)
		var usage *usageError
		require.ErrorAs(t, err, &usage)
	}
	a, _ := protocol.LookupAction("evaluate")
	for _, twice := range [][]string{{"code=a", "code=b"}, {"code=a", "code:=1"}, {"code:=1", "code=a"}} {
		_, err := parseArgs(a, twice)
		require.ErrorContains(t, err, "code stands there twice")
	}
}

// Every argument of every action can be given on the command line: its name is
// plain, and its type is one that is known here.
func TestEveryArgumentCanBeGiven(t *testing.T) {
	types := map[string]bool{"string": true, "integer": true, "number": true, "boolean": true, "any": true, "object": true, "array": true}
	for _, a := range protocol.Actions() {
		for _, arg := range a.Arguments() {
			require.Regexp(t, `^[a-z_]+$`, arg.Name)
			require.True(t, types[arg.Type], "%s %s: %s", a.Name, arg.Name, arg.Type)
			if arg.Type == "array" {
				require.True(t, types[arg.Items], "%s %s: items %s", a.Name, arg.Name, arg.Items)
			}
		}
	}
}

func TestDidYouMean(t *testing.T) {
	names := []string{"click", "dblclick", "navigate", "pdf"}
	for typed, want := range map[string]string{
		"clik": "; did you mean click?", "clcik": "; did you mean click?", "navigat": "; did you mean navigate?", "dblclik": "; did you mean dblclick?",
		"pfd": "; did you mean pdf?", "zzzzzz": "", "": "",
	} {
		require.Equal(t, want, didYouMean(typed, names), typed)
	}
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"a", ""}: 1, {"", "abc"}: 3, {"kitten", "sitting"}: 3, {"flaw", "lawn"}: 2, {"abc", "abc"}: 0,
	} {
		require.Equal(t, want, distance(pair[0], pair[1]), pair)
	}
}
