package target_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/target"
)

func TestSources(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	command := func(mode string) []string { return []string{"/usr/bin/env", childMode + "=" + mode, self} }
	plain := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(plain, []byte("  t0ken\n"), 0o600))
	for _, tc := range []struct {
		name   string
		source target.Source
		want   string
		err    string
	}{
		{"a member of a file", target.Source{File: "{config}/secret.json", JSON: "token"}, "t0ken", ""},
		{"a file by an expression", target.Source{File: "{config}/secret.json", Match: `"token":"([^"]+)"`}, "t0ken", ""},
		{"a whole file", target.Source{File: plain}, "t0ken", ""},
		{"no such file", target.Source{File: "{config}/nothing"}, "", "no such file"},
		{"no such member", target.Source{File: "{config}/secret.json", JSON: "key"}, "", `it has no text "key"`},
		{"no JSON", target.Source{File: plain, JSON: "token"}, "", "it is no JSON object"},
		{"no match", target.Source{File: plain, Match: `(x+)`}, "", "nothing in it matches"},
		{"a value", target.Source{Value: "fixed-{port}"}, "", ""},
		{"the last line", target.Source{Line: `^token: (\S+)$`}, "new", ""},
		{"no line", target.Source{Line: `^secret: (\S+)$`}, "", "no line that matches"},
		{"a command", target.Source{Command: command("pair"), Match: `code ([0-9]{6})`}, "271828", ""},
		{"a command that says nothing", target.Source{Command: command("pair-nothing"), Match: `code ([0-9]{6})`}, "", "ended without having printed"},
		{"no such command", target.Source{Command: []string{"/no/such/program"}}, "", "no such file"},
		{"a request", target.Source{Request: &target.Request{Method: "POST", Path: "/admin/pair"}, JSON: "code"}, "314159", ""},
		{"a request that is refused", target.Source{Request: &target.Request{Method: "PUT", Path: "/admin/pair"}, JSON: "code"}, "", "405"},
		{"a request without the member", target.Source{Request: &target.Request{Method: "POST", Path: "/admin/pair"}, JSON: "x"}, "", `has no text "x"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			i, err := start(t, childFile(t, "serve", func(f *target.File) { f.Code = &tc.source }), target.Setup{})
			require.NoError(t, err)
			got, err := i.Code(context.Background())
			if tc.err != "" {
				require.ErrorContains(t, err, tc.err)
				require.NotContains(t, err.Error(), "t0ken")
				return
			}
			require.NoError(t, err)
			if tc.want == "" {
				_, port := split(t, i.Addr())
				tc.want = "fixed-" + port
			}
			require.Equal(t, tc.want, got)
		})
	}
}

func TestCommandThatSaysNothingEndsWithItsContext(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	code := target.Source{Command: []string{"/usr/bin/env", childMode + "=hang", self}}
	i, err := start(t, childFile(t, "serve", func(f *target.File) { f.Code = &code }), target.Setup{})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err = i.Code(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestWithoutCodeAndConfigTheyAreUnobservable(t *testing.T) {
	i, err := start(t, childFile(t, "serve", func(f *target.File) { f.Code, f.ConfigDir = nil, "" }), target.Setup{})
	require.NoError(t, err)
	_, err = i.Code(context.Background())
	_, ok := target.IsUnobservable(err)
	require.True(t, ok)
	_, err = i.ConfigDir()
	_, ok = target.IsUnobservable(err)
	require.True(t, ok)
}
