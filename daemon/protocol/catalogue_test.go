package protocol

import (
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// openings counts the files that are read.
type openings struct {
	fs.FS
	read map[string]int
}

func (o openings) ReadFile(name string) ([]byte, error) {
	o.read[name]++
	return fs.ReadFile(o.FS, name)
}

// Who names one action pays for one: its file and the common one are read, once.
// All of them together are the same actions.
func TestAnActionIsCompiledWhenItIsAskedFor(t *testing.T) {
	files := openings{Schemas(), map[string]int{}}
	c := &catalogue{files: files}
	click := c.named("click")
	require.Equal(t, "click", click.Name)
	require.Same(t, click, c.named("click"))
	require.Equal(t, map[string]int{"common.json": 1, "action/click.json": 1}, files.read)
	for _, none := range []string{"", "open", "Click", "../common", "click.json", "clic"} {
		require.Nil(t, c.named(none), none)
	}
	all := c.load()
	require.Same(t, click, all.byName["click"])
	require.Same(t, all, c.load())
	require.Equal(t, "navigate", all.byName["open"].Name)
	for name, times := range files.read {
		require.Equal(t, 1, times, name)
	}
}

// A broken file of another action does not hinder; one's own does.
func TestABrokenActionEndsTheProgramWhenItIsAskedFor(t *testing.T) {
	files := actionFiles(`{"type":"object"}`)
	files["action/pull.json"] = &fstest.MapFile{Data: []byte(`{`)}
	c := &catalogue{files: files}
	require.Equal(t, "poke", c.named("poke").Name)
	require.Panics(t, func() { c.named("pull") })
	require.Panics(t, func() { c.load() })
}

func TestActionsAreAskedForByManyAtOnce(t *testing.T) {
	c := &catalogue{files: Schemas()}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if i%2 == 0 {
				c.load()
			}
			c.named("click")
		})
	}
	all.Wait()
	require.Same(t, c.named("click"), c.load().byName["click"])
}

func TestPlainNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "full_page": true, "A-9": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, "a.b": false, "é": false, "a/b": false,
	} {
		require.Equal(t, want, isPlainName(name), name)
	}
}
