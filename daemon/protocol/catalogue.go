package protocol

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// known is the actions of this program.
var known = &catalogue{files: Schemas()}

// catalogue compiles the actions when they are first asked for: a process that
// sends one command pays for one, a daemon asks for all before it serves. A file
// that the compiler refuses is a fault of the program and ends it.
type catalogue struct {
	files fs.FS
	// all is nil until somebody asked for more than an action by its name.
	all atomic.Pointer[registry]

	mu    sync.Mutex
	lib   *library
	large *schema
	one   map[string]*Action
}

// registry holds the actions by name and alias, and in order.
type registry struct {
	byName map[string]*Action
	public []*Action
	names  []string
}

// LookupAction returns the action with that name or alias. Names are compared
// byte for byte. Internal actions are found too.
func LookupAction(name string) (*Action, bool) {
	if all := known.all.Load(); all != nil {
		a, ok := all.byName[name]
		return a, ok
	}
	if a := known.named(name); a != nil {
		return a, true
	}
	a, ok := known.load().byName[name]
	return a, ok
}

// Actions returns the actions that agents may ask for, sorted by name. The first
// call compiles all schemas, which takes some milliseconds.
func Actions() []*Action { return slices.Clone(known.load().public) }

// publicNames returns the names of Actions.
func publicNames() []string { return known.load().names }

// named returns the action whose file has that name; nil if there is none.
func (c *catalogue) named(name string) *Action {
	file := path.Join("action", name+".json")
	if !isPlainName(name) {
		return nil
	}
	if _, err := fs.Stat(c.files, file); err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a, err := c.action(file)
	if err != nil {
		panic("protocol: load schemas: " + err.Error())
	}
	return a
}

// load returns all actions.
func (c *catalogue) load() *registry {
	if all := c.all.Load(); all != nil {
		return all
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	all, err := c.registry()
	if err != nil {
		panic("protocol: load schemas: " + err.Error())
	}
	c.all.Store(all)
	return all
}

// action returns the action of a file, which is compiled once.
func (c *catalogue) action(file string) (*Action, error) {
	if a, ok := c.one[file]; ok {
		return a, nil
	}
	if c.lib == nil {
		lib := &library{files: c.files, open: map[string]*schemaFile{}}
		large, err := lib.largeData()
		if err != nil {
			return nil, err
		}
		c.lib, c.large, c.one = lib, large, map[string]*Action{}
	}
	a, err := c.lib.action(file, c.large)
	if err != nil {
		return nil, err
	}
	c.one[file] = a
	return a, nil
}

// registry returns the actions of all files.
func (c *catalogue) registry() (*registry, error) {
	r := &registry{byName: map[string]*Action{}}
	entries, err := fs.ReadDir(c.files, "action")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		a, err := c.action(path.Join("action", e.Name()))
		if err != nil {
			return nil, err
		}
		for _, name := range append([]string{a.Name}, a.Aliases...) {
			if r.byName[name] != nil {
				return nil, fmt.Errorf("two actions are called %s", name)
			}
			r.byName[name] = a
		}
		if !a.Internal {
			r.public = append(r.public, a)
		}
	}
	slices.SortFunc(r.public, func(a, b *Action) int { return strings.Compare(a.Name, b.Name) })
	for _, a := range r.public {
		r.names = append(r.names, a.Name)
	}
	return r, nil
}
