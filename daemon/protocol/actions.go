package protocol

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

//go:embed schema/*.json schema/*/*.json
var schemaFiles embed.FS

// Schemas returns the JSON Schema files (draft 2020-12) of omw.v1: common.json,
// action/NAME.json, frame/NAME.json and http/NAME.json.
func Schemas() fs.FS {
	files, err := fs.Sub(schemaFiles, "schema")
	if err != nil {
		panic(err) // The name is constant and valid.
	}
	return files
}

// actions is built from the files once. A file that the compiler refuses is a
// fault of the program and ends it here, before it serves anybody.
var actions = mustLoad(Schemas())

// registry holds the actions by name and alias, and in order.
type registry struct {
	byName map[string]*Action
	public []*Action
	names  []string
}

// LookupAction returns the action with that name or alias. Names are compared
// byte for byte. Internal actions are found too.
func LookupAction(name string) (*Action, bool) {
	a, ok := actions.byName[name]
	return a, ok
}

// Actions returns the actions that agents may ask for, sorted by name.
func Actions() []*Action { return slices.Clone(actions.public) }

// publicNames returns the names of Actions.
func publicNames() []string { return actions.names }

func mustLoad(files fs.FS) *registry {
	r, err := load(files)
	if err != nil {
		panic("protocol: load schemas: " + err.Error())
	}
	return r
}

func load(files fs.FS) (*registry, error) {
	r := &registry{byName: map[string]*Action{}}
	lib := &library{files: files, open: map[string]*schemaFile{}}
	large, err := lib.largeData()
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(files, "action")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		a, err := lib.action(path.Join("action", e.Name()), large)
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

// largeData compiles what stands in the place of data too large for a message.
func (l *library) largeData() (*schema, error) {
	f, err := l.file("common.json")
	if err != nil {
		return nil, err
	}
	return f.def("artifact")
}

func (l *library) action(name string, large *schema) (*Action, error) {
	f, err := l.file(name)
	if err != nil {
		return nil, err
	}
	a := &Action{Binds: true}
	for _, set := range []struct {
		key  string
		into func(jsontext.Value) error
	}{
		{"title", func(v jsontext.Value) (err error) { a.Name, err = text(v); return err }},
		{"description", func(v jsontext.Value) (err error) { a.Summary, err = text(v); return err }},
		{"x-omw-aliases", func(v jsontext.Value) (err error) { a.Aliases, err = texts(v); return err }},
		{"x-omw-reserved", func(v jsontext.Value) (err error) { a.Reserved, err = boolean(v); return err }},
		{"x-omw-binds", func(v jsontext.Value) (err error) { a.Binds, err = boolean(v); return err }},
		{"x-omw-chromeOnly", func(v jsontext.Value) (err error) { a.ChromeOnly, err = boolean(v); return err }},
		{"x-omw-internal", func(v jsontext.Value) (err error) { a.Internal, err = boolean(v); return err }},
	} {
		if v, ok := f.notes[set.key]; ok {
			if err := set.into(v); err != nil {
				return nil, fmt.Errorf("%s: %s %w", name, set.key, err)
			}
			delete(f.notes, set.key)
		}
	}
	delete(f.notes, "$schema")
	for key := range f.notes {
		return nil, fmt.Errorf("%s: %s is no annotation of ours", name, key)
	}
	if path.Base(name) != a.Name+".json" || a.Summary == "" {
		return nil, fmt.Errorf("%s: its title must be the file's name, and its description must not be empty", name)
	}
	return a, a.compile(f, large)
}

// compile compiles the schemas of a. LinkArgs and linkData are args and data
// where the file does not say otherwise; then large data may stand in the
// place of data on the link.
func (a *Action) compile(f *schemaFile, large *schema) (err error) {
	if a.args, err = f.def("args"); err != nil {
		return err
	}
	if a.data, err = f.def("data"); err != nil {
		return err
	}
	a.linkArgs, a.linkData, a.largeData = a.args, a.data, large
	if _, ok := f.defs["linkArgs"]; ok {
		if a.linkArgs, err = f.def("linkArgs"); err != nil {
			return err
		}
	}
	if _, ok := f.defs["linkData"]; ok {
		a.largeData = nil
		if a.linkData, err = f.def("linkData"); err != nil {
			return err
		}
	}
	if a.data.object == nil || a.linkData.object == nil {
		return fmt.Errorf("%s: data must be one object with properties", f.name)
	}
	for name := range f.defs {
		if f.done[name] == nil {
			return fmt.Errorf("%s: $defs/%s is used by nothing", f.name, name)
		}
	}
	a.arguments = a.args.arguments()
	return nil
}
