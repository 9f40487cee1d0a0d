//go:build unix

package state

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// C29: what cannot be parsed stops the daemon and stays as it is.
func TestBrokenConfig(t *testing.T) {
	for name, c := range map[string]struct{ config, says string }{
		"empty":              {"", "empty"},
		"blank":              {" \n", "empty"},
		"cut":                {"{", "byte 1"},
		"cut later":          {`{"version":1,"token":"` + goodToken, "no JSON"},
		"null":               {"null", "no JSON object"},
		"array":              {"[]", "no JSON object"},
		"text":               {`"x"`, "no JSON object"},
		"no JSON":            {"token = x", "no JSON"},
		"two values":         {goodConfig + goodConfig, "no JSON"},
		"trailing comma":     {`{"version":1,"token":"` + goodToken + `",}`, "no JSON"},
		"byte order mark":    {"\ufeff" + goodConfig, "no JSON"},
		"bad UTF-8":          {`{"version":1,"token":"` + goodToken + "\xff" + `"}`, "no JSON"},
		"no version":         {`{"token":"` + goodToken + `"}`, `"version":1`},
		"later version":      {`{"version":2,"token":"` + goodToken + `","more":1}`, `"version":1`},
		"version in text":    {`{"version":"1","token":"` + goodToken + `"}`, `"version":1`},
		"version as float":   {`{"version":1.0,"token":"` + goodToken + `"}`, `"version":1`},
		"token twice":        {`{"version":1,"token":"` + goodToken + `","token":"` + goodToken + `"}`, "twice"},
		"version twice":      {`{"version":1,"version":1,"token":"` + goodToken + `"}`, "twice"},
		"unknown member":     {`{"version":1,"token":"` + goodToken + `","x":1}`, "does not know"},
		"other case":         {`{"version":1,"Token":"` + goodToken + `"}`, "does not know"},
		"no token":           {`{"version":1}`, `"token" is missing`},
		"empty token":        {`{"version":1,"token":""}`, "32 to 1024"},
		"null token":         {`{"version":1,"token":null}`, "32 to 1024"},
		"number for a token": {`{"version":1,"token":12345678901234567890123456789012}`, "32 to 1024"},
		"array for a token":  {`{"version":1,"token":["` + goodToken + `"]}`, "32 to 1024"},
		"token of 31":        {`{"version":1,"token":"` + goodToken[1:] + `"}`, "32 to 1024"},
		"token of 1025":      {`{"version":1,"token":"` + strings.Repeat("x", 1025) + `"}`, "32 to 1024"},
		"token with /":       {`{"version":1,"token":"` + goodToken + `/"}`, "32 to 1024"},
		"token with =":       {`{"version":1,"token":"` + goodToken + `="}`, "32 to 1024"},
		"token with a blank": {`{"version":1,"token":"` + goodToken + ` "}`, "32 to 1024"},
		"token with a ü":     {`{"version":1,"token":"` + goodToken + `ü"}`, "32 to 1024"},
		"token with a NUL":   {`{"version":1,"token":"` + goodToken + `\u0000"}`, "32 to 1024"},
		"too large":          {goodConfig + strings.Repeat(" ", mostBytes), "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			path := newDir(t)
			require.NoError(t, os.Mkdir(path, 0o700))
			file := filepath.Join(path, "config.json")
			write(t, file, c.config, 0o600)
			_, log, err := tryOpen(path)
			require.ErrorContains(t, err, file)
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, err.Error(), "\n", "one line")
			require.NotContains(t, err.Error()+log.String(), goodToken[1:])
			require.Equal(t, c.config, read(t, file))
			require.Equal(t, []string{"config.json"}, names(t, path))

			_, err = ReadToken(path)
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, err.Error(), goodToken[1:])

			require.NoError(t, os.Remove(file))
			open(t, path) // the lock is free again
		})
	}
}

func TestGoodConfig(t *testing.T) {
	long := strings.Repeat("x", 1024)
	for config, token := range map[string]string{
		goodConfig: goodToken,
		" {\n \"token\" : \"" + long + "\",\n\t\"version\" : 1 }\r\n":   long,
		`{"version":1,"token":"\u0061bcdefghijklmnopqrstuvwxyz-_0123"}`: goodToken,
		goodConfig + strings.Repeat(" ", mostBytes-len(goodConfig)):     goodToken,
	} {
		path := newDir(t)
		require.NoError(t, os.Mkdir(path, 0o700))
		write(t, filepath.Join(path, "config.json"), config, 0o600)
		d, _ := open(t, path)
		require.Equal(t, token, d.Token())
		require.Equal(t, config, read(t, filepath.Join(path, "config.json")))
		got, err := ReadToken(path)
		require.NoError(t, err)
		require.Equal(t, token, got)
	}
}

func TestConfigThatIsNoPlainFile(t *testing.T) {
	for name, c := range map[string]struct {
		put  func(file string) error
		says string
	}{
		"link to a good one": {func(file string) error {
			elsewhere := filepath.Join(filepath.Dir(filepath.Dir(file)), "elsewhere")
			if err := os.WriteFile(elsewhere, []byte(goodConfig), 0o600); err != nil {
				return err
			}
			return os.Symlink(elsewhere, file)
		}, "symbolic link"},
		"link inside": {func(file string) error {
			if err := os.WriteFile(file+".real", []byte(goodConfig), 0o600); err != nil {
				return err
			}
			return os.Symlink("config.json.real", file)
		}, "symbolic link"},
		"dangling link": {func(file string) error { return os.Symlink("nowhere", file) }, "symbolic link"},
		"directory":     {func(file string) error { return os.Mkdir(file, 0o700) }, "no plain file"},
		"pipe":          {func(file string) error { return unix.Mkfifo(file, 0o600) }, "no plain file"},
	} {
		t.Run(name, func(t *testing.T) {
			path := newDir(t)
			require.NoError(t, os.Mkdir(path, 0o700))
			file := filepath.Join(path, "config.json")
			require.NoError(t, c.put(file))
			before, err := os.Lstat(file)
			require.NoError(t, err)
			_, _, err = tryOpen(path)
			require.ErrorContains(t, err, file)
			require.ErrorContains(t, err, c.says)
			after, err := os.Lstat(file)
			require.NoError(t, err)
			require.True(t, os.SameFile(before, after))
			_, err = ReadToken(path)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestReadTokenWhereNoDaemonRan(t *testing.T) {
	empty := t.TempDir()
	for _, path := range []string{empty, filepath.Join(empty, "omw")} {
		_, err := ReadToken(path)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorContains(t, err, "omw serve")
		require.ErrorContains(t, err, filepath.Join(path, "config.json"))
	}
	require.Empty(t, names(t, empty))
}

func TestReadTokenBesideTheDaemon(t *testing.T) {
	path := newDir(t)
	d, _ := open(t, path)
	token, err := ReadToken(path)
	require.NoError(t, err)
	require.Equal(t, d.Token(), token)
}
