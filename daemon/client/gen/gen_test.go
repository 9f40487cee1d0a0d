package main

import (
	"encoding/json"
	"go/format"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// The committed code is that of the schemas. go generate ./daemon/client renews it.
func TestGeneratedCodeIsFresh(t *testing.T) {
	want, err := generate(protocol.Schemas(), protocol.Actions())
	require.NoError(t, err)
	got, err := os.ReadFile("../" + output)
	require.NoError(t, err)
	require.True(t, string(want) == string(got), "%s is stale: run go generate ./daemon/client", output)
	require.True(t, strings.HasPrefix(string(got), "// Code generated "), "the mark of generated code")
	require.Contains(t, strings.SplitN(string(got), "\n", 2)[0], "DO NOT EDIT.")
	formatted, err := format.Source(got)
	require.NoError(t, err)
	require.Equal(t, string(formatted), string(got))
}

// An optional field is a pointer exactly where its zero value could be meant.
func TestOptionalFields(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"string"}`:                                           "*string",
		`{"type":"string","minLength":0}`:                             "*string",
		`{"type":"string","minLength":1}`:                             "string",
		`{"type":"string","pattern":"^[a-z]*$"}`:                      "*string",
		`{"type":"string","pattern":"^[a-z]+$"}`:                      "string",
		`{"type":"string","format":"absolute-path"}`:                  "string",
		`{"enum":["a","b"]}`:                                          "XF",
		`{"enum":["chrome","firefox"]}`:                               "protocol.Browser",
		`{"type":"boolean"}`:                                          "*bool",
		`{"type":"boolean","default":true}`:                           "*bool",
		`{"type":"boolean","default":false}`:                          "bool",
		`{"const":true}`:                                              "bool",
		`{"type":"integer"}`:                                          "*int64",
		`{"type":"integer","minimum":0}`:                              "*int64",
		`{"type":"integer","minimum":1}`:                              "int64",
		`{"type":"integer","minimum":0,"default":0}`:                  "int64",
		`{"type":"number","minimum":0}`:                               "*float64",
		`{"type":"number","exclusiveMinimum":0}`:                      "float64",
		`{"type":"number","exclusiveMinimum":-1}`:                     "*float64",
		`{"type":"array","items":{"type":"string"}}`:                  "[]string",
		`{"type":"object"}`:                                           "json.RawMessage",
		`{}`:                                                          "json.RawMessage",
		`{"type":["string","null"]}`:                                  "*string",
		`{"type":"object","properties":{"a":{}}}`:                     "*XF",
		`{"type":"object","additionalProperties":{"type":"integer"}}`: "XF",
		`{"$ref":"other.json#/$defs/low"}`:                            "int64",
		`{"$ref":"other.json#/$defs/zero"}`:                           "*int64",
	} {
		t.Run(schema, func(t *testing.T) {
			s := testShapes(t, `{"$defs":{"args":{"type":"object","properties":{"f":`+schema+`}}}}`)
			file, err := s.lib.file("action/x.json")
			require.NoError(t, err)
			st := &structType{name: "XArgs"}
			require.NoError(t, s.fill(st, place{file: "action/x.json", owner: "X", sending: true}, file.member("$defs").member("args")))
			require.Equal(t, want, st.fields[0].typ)
		})
	}
}

func testShapes(t *testing.T, schema string) *shapes {
	t.Helper()
	require.True(t, json.Valid([]byte(schema)))
	return &shapes{
		lib: &library{open: map[string]*object{}, files: fstest.MapFS{
			"action/x.json":     {Data: []byte(schema)},
			"action/other.json": {Data: []byte(`{"$defs":{"low":{"type":"integer","minimum":1},"zero":{"type":"integer","minimum":0}}}`)},
		}},
		enumOf: map[string]string{}, done: map[string]bool{},
	}
}

// What the generator does not understand is an error, and not a wrong type.
func TestStrangeSchemas(t *testing.T) {
	for _, schema := range []string{
		`{"type":"null"}`,
		`{"type":["string","integer"]}`,
		`{"$ref":"other.json"}`,
		`{"$ref":"other.json#/$defs/none"}`,
		`{"$ref":"none.json#/$defs/a"}`,
		`{"type":"array","items":{"type":"tuple"}}`,
	} {
		s := testShapes(t, `{"$defs":{"args":{"properties":{"f":`+schema+`}},"data":{}}}`)
		var w writer
		require.Error(t, s.action(&w, &protocol.Action{Name: "x"}), schema)
	}
}

func TestGoNames(t *testing.T) {
	for wire, want := range map[string]string{"http_only": "HTTPOnly", "cdp_detach": "CDPDetach", "network-entry": "NetworkEntry", "url": "URL", "MS": "MS"} {
		require.Equal(t, want, goName(wire))
	}
	for list, want := range map[string]string{"entries": "entry", "modifiers": "modifier", "rules": "rule"} {
		require.Equal(t, want, singular(list))
	}
}
