// Package examples holds tapes to learn from and to start with: each reproduces
// one behaviour of the protocol that is hard to see otherwise, and says which in
// its first line.
package examples

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/oh-my-webbridge/omw/sim/tape"
)

//go:embed *.tape
var files embed.FS

// suffix is what the names of tapes end with.
const suffix = ".tape"

// Names returns the names of the examples, sorted, without .tape.
func Names() []string {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(err) // It is embedded.
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), suffix))
	}
	return out
}

// Find returns the example of that name; false if there is none.
func Find(name string) (*tape.Tape, bool) {
	name = strings.TrimSuffix(name, suffix)
	data, err := files.ReadFile(name + suffix)
	if err != nil {
		return nil, false
	}
	t, err := tape.Parse(name, data)
	if err != nil {
		panic(err) // The package's test parses every one.
	}
	return t, true
}
