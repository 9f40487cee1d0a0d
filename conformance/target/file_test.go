package target_test

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/target"
)

func split(t *testing.T, addr string) (host, port string) {
	host, port, err := net.SplitHostPort(addr)
	require.NoError(t, err)
	return host, port
}

func schema(t *testing.T) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(target.Schema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("target.schema.json", doc))
	s, err := c.Compile("target.schema.json")
	require.NoError(t, err)
	return s
}

func read(t *testing.T, text string) (*target.File, error) {
	path := filepath.Join(t.TempDir(), "t.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return target.ReadFile(path, "bin")
}

func TestOurTargetFile(t *testing.T) {
	f, err := target.ReadFile("../targets/omw.json", "bin")
	require.NoError(t, err)
	require.True(t, f.Strict)
	text, err := os.ReadFile("../targets/omw.json")
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, schema(t).Validate(v))
	tg, err := target.Exec(f)
	require.NoError(t, err)
	want, err := filepath.Abs("../../daemon")
	require.NoError(t, err)
	require.Equal(t, target.Info{Kind: "exec", Name: "omw", Strict: true, Source: want}, tg.Info())
}

// TestRefusals shows that what the program refuses in a target file the schema
// refuses, too, so that an editor finds it first.
func TestRefusals(t *testing.T) {
	const start, token = `"start":{"command":["x"]}`, `"token":{"value":"t"}`
	for _, tc := range []struct {
		name, text, want string
		// beyond is true for what a schema cannot say.
		beyond bool
	}{
		{"good exec", `{"name":"x",` + start + `,` + token + `}`, "", false},
		{"good url", `{"name":"x","url":"http://127.0.0.1:1234","token":{"file":"f","json":"t"}}`, "", false},
		{"neither", `{"name":"x",` + token + `}`, "exactly one of start and url", false},
		{"both", `{"name":"x","url":"http://127.0.0.1:1",` + start + `,` + token + `}`, "exactly one of start and url", false},
		{"no name", `{` + start + `,` + token + `}`, "name must not be empty", false},
		{"no token", `{"name":"x",` + start + `}`, "token: exactly one of", false},
		{"two ways", `{"name":"x",` + start + `,"token":{"value":"t","file":"f"}}`, "token: exactly one of", false},
		{"no way", `{"name":"x",` + start + `,` + token + `,"code":{"json":"code"}}`, "code: exactly one of", false},
		{"unknown member", `{"name":"x",` + start + `,` + token + `,"colour":"red"}`, `unknown field "colour"`, false},
		{"unknown signal", `{"name":"x",` + start + `,` + token + `,"stop":{"signal":"KILL"}}`, `"KILL" is neither`, false},
		{"no command", `{"name":"x","start":{"command":[]},` + token + `}`, "command must not be empty", false},
		{"another host", `{"name":"x","url":"http://example.com:80",` + token + `}`, "is not http://127.0.0.1:PORT", false},
		{"no port", `{"name":"x","url":"http://127.0.0.1",` + token + `}`, "is not http://127.0.0.1:PORT", false},
		{"a path", `{"name":"x","url":"http://127.0.0.1:1/x",` + token + `}`, "is not http://127.0.0.1:PORT", false},
		{"bad ready line", `{"name":"x","start":{"command":["x"],"ready":{"line":"("}},` + token + `}`, "missing closing )", true},
		{"bad match", `{"name":"x",` + start + `,"token":{"file":"f","match":"("}}`, "missing closing )", true},
		{"match without group", `{"name":"x",` + start + `,"token":{"file":"f","match":"x"}}`, "has no group", true},
		{"more behind it", `{"name":"x",` + start + `,` + token + `} {}`, "something stands behind", true},
		{"no JSON", `name: x`, "invalid character", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := read(t, tc.text)
			if tc.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.want)
			}
			if tc.beyond {
				return
			}
			var v any
			require.NoError(t, json.Unmarshal([]byte(tc.text), &v))
			require.Equal(t, tc.want == "", schema(t).Validate(v) == nil)
		})
	}
}

func TestNoSuchFile(t *testing.T) {
	_, err := target.ReadFile("no-such-file.json", "bin")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestKindOfFile(t *testing.T) {
	f, err := read(t, `{"name":"x","url":"http://127.0.0.1:1234","token":{"value":"t"}}`)
	require.NoError(t, err)
	_, err = target.Exec(f)
	require.ErrorContains(t, err, "use it as url:FILE")
	f, err = read(t, `{"name":"x","start":{"command":["x"]},"token":{"value":"t"}}`)
	require.NoError(t, err)
	_, err = target.URL(f)
	require.ErrorContains(t, err, "use it as exec:FILE")
}

func TestFindSource(t *testing.T) {
	want, err := filepath.Abs("../../daemon")
	require.NoError(t, err)
	here, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, want, target.FindSource(here))
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "go.mod"), []byte("module example.com/x\n"), 0o600))
	require.Empty(t, target.FindSource(other))
}
