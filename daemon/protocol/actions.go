package protocol

import (
	"embed"
	"fmt"
	"io/fs"
	"path"

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
