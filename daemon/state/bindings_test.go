//go:build unix

package state

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestBindingsOutliveTheDaemon(t *testing.T) {
	path := newDir(t)
	bindings := map[string]protocol.Browser{
		"shop": protocol.Firefox, "default": protocol.Chrome, "__proto__": protocol.Chrome, "../../x": protocol.Firefox,
		"a\\b\"c": protocol.Chrome, "é": protocol.Chrome, "e\u0301": protocol.Firefox, "😀": protocol.Chrome, "<script>": protocol.Chrome,
		strings.Repeat("s", 128): protocol.Firefox,
	}
	first, _ := open(t, path)
	require.NoError(t, first.SaveBindings(bindings))
	require.Empty(t, first.Bindings(), "they are as they were at Open")
	require.NoError(t, first.Close())

	second, log := open(t, path)
	require.Empty(t, log.String())
	require.Equal(t, bindings, second.Bindings())
	got := second.Bindings()
	delete(got, "shop")
	require.Contains(t, second.Bindings(), "shop", "the caller's map is its own")

	require.NoError(t, second.SaveBindings(map[string]protocol.Browser{"z": "chrome", "shop": "firefox"}))
	require.Equal(t, "{\"version\":1,\"sessions\":{\"shop\":\"firefox\",\"z\":\"chrome\"}}\n", read(t, filepath.Join(path, "bindings.json")))
	require.NoError(t, second.SaveBindings(nil))
	require.NoError(t, second.Close())
	third, log := open(t, path)
	require.Empty(t, log.String())
	require.Empty(t, third.Bindings())
	require.Equal(t, []string{"bindings.json", "config.json"}, names(t, path))
}

// 128 sessions of each browser with the longest names, each byte of which takes
// six in JSON, can be written and read again.
func TestLargestBindings(t *testing.T) {
	path := newDir(t)
	bindings := map[string]protocol.Browser{}
	for i := range 256 {
		bindings[fmt.Sprintf("%03d%s", i, strings.Repeat("<", 125))] = protocol.Browsers[i%2]
	}
	first, _ := open(t, path)
	require.NoError(t, first.SaveBindings(bindings))
	require.NoError(t, first.Close())
	second, _ := open(t, path)
	require.Equal(t, bindings, second.Bindings())
}

func TestBindingsThatCannotBeSaved(t *testing.T) {
	path := newDir(t)
	d, _ := open(t, path)
	require.NoError(t, d.SaveBindings(map[string]protocol.Browser{"shop": protocol.Chrome}))
	before := read(t, filepath.Join(path, "bindings.json"))
	for _, bad := range []map[string]protocol.Browser{{"": protocol.Chrome}, {"\xff": protocol.Chrome}, {"x": "safari"}, {"x": ""}} {
		require.ErrorContains(t, d.SaveBindings(bad), "bindings.json")
	}
	require.Equal(t, before, read(t, filepath.Join(path, "bindings.json")))
	require.Equal(t, []string{"bindings.json", "config.json"}, names(t, path))
}

func TestBrokenBindingsAreSetAside(t *testing.T) {
	for name, data := range map[string]string{
		"cut": "{", "empty": "", "null": "null", "later version": `{"version":2,"sessions":{}}`, "no version": `{"sessions":{}}`,
		"no sessions": `{"version":1}`, "null sessions": `{"version":1,"sessions":null}`, "array": `{"version":1,"sessions":["shop"]}`,
		"twice": `{"version":1,"sessions":{"shop":"chrome","shop":"firefox"}}`, "unknown member": `{"version":1,"sessions":{},"x":1}`,
		"unknown browser": `{"version":1,"sessions":{"shop":"safari"}}`, "number": `{"version":1,"sessions":{"shop":1}}`,
		"null browser": `{"version":1,"sessions":{"shop":null}}`, "no name": `{"version":1,"sessions":{"":"chrome"}}`,
		"long name": `{"version":1,"sessions":{"` + strings.Repeat("s", 129) + `":"chrome"}}`, "bad UTF-8": "{\"version\":1,\"sessions\":{\"\xff\":\"chrome\"}}",
		"lone surrogate": `{"version":1,"sessions":{"\ud800":"chrome"}}`, "control": `{"version":1,"sessions":{"a\u0000":"chrome"}}`,
		"one good, one bad": `{"version":1,"sessions":{"shop":"chrome","x":"safari"}}`, "too large": strings.Repeat(" ", mostBytes+1),
	} {
		t.Run(name, func(t *testing.T) {
			path := newDir(t)
			require.NoError(t, os.Mkdir(path, 0o700))
			write(t, filepath.Join(path, "bindings.json"), data, 0o600)
			d, log := open(t, path)
			require.Empty(t, d.Bindings())
			require.Contains(t, log.String(), "level=WARN")
			require.Contains(t, log.String(), "bindings.json.broken-1")
			require.Equal(t, data, read(t, filepath.Join(path, "bindings.json.broken-1")))
			require.Equal(t, []string{"bindings.json.broken-1", "config.json"}, names(t, path))
		})
	}
}

func TestBrokenBindingsNeverReplaceEarlierOnes(t *testing.T) {
	path := newDir(t)
	for n := 1; n <= 3; n++ {
		require.NoError(t, os.MkdirAll(path, 0o700))
		write(t, filepath.Join(path, "bindings.json"), fmt.Sprintf("broken %d", n), 0o600)
		d, _ := open(t, path)
		require.NoError(t, d.Close())
	}
	for n := 1; n <= 3; n++ {
		require.Equal(t, fmt.Sprintf("broken %d", n), read(t, filepath.Join(path, fmt.Sprintf("bindings.json.broken-%d", n))))
	}
}

func TestBindingsThatAreNoPlainFile(t *testing.T) {
	for name, put := range map[string]func(file string) error{
		"pipe":          func(file string) error { return unix.Mkfifo(file, 0o600) },
		"directory":     func(file string) error { return os.Mkdir(file, 0o700) },
		"dangling link": func(file string) error { return os.Symlink("nowhere", file) },
	} {
		t.Run(name, func(t *testing.T) {
			path := newDir(t)
			require.NoError(t, os.Mkdir(path, 0o700))
			require.NoError(t, put(filepath.Join(path, "bindings.json")))
			d, log := open(t, path)
			require.Contains(t, log.String(), "set aside")
			require.NoError(t, d.SaveBindings(map[string]protocol.Browser{"shop": protocol.Chrome}))
			require.Equal(t, []string{"bindings.json", "bindings.json.broken-1", "config.json"}, names(t, path))
		})
	}
}
