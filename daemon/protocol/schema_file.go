package protocol

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// schemaFile is one file of schema/, whose $defs are compiled on demand.
type schemaFile struct {
	name    string
	library *library
	// defs holds the value of each of $defs.
	defs map[string]jsontext.Value
	// done holds what has been compiled; nil while it is being compiled.
	done map[string]*schema
	// notes holds title, description and our own x-omw- annotations.
	notes map[string]jsontext.Value
}

// library is the schema files by their path.
type library struct {
	files fs.FS
	open  map[string]*schemaFile
}

func (l *library) file(name string) (*schemaFile, error) {
	if f, ok := l.open[name]; ok {
		return f, nil
	}
	b, err := fs.ReadFile(l.files, name)
	if err != nil {
		return nil, err
	}
	f := &schemaFile{
		name: name, library: l,
		defs: map[string]jsontext.Value{}, done: map[string]*schema{}, notes: map[string]jsontext.Value{},
	}
	l.open[name] = f
	return f, walk(b, func(key string, v jsontext.Value) error {
		switch {
		case key == "$defs":
			return eachMember(v, func(def string, v jsontext.Value) error {
				f.defs[def] = v
				return nil
			})
		case key == "$schema" || key == "title" || key == "description" || strings.HasPrefix(key, "x-omw-"):
			f.notes[key] = v
			return nil
		}
		return fmt.Errorf("%s: the keyword %q is not of our subset at the top of a file", name, key)
	})
}

// def compiles one of the file's $defs.
func (f *schemaFile) def(name string) (*schema, error) {
	if s, ok := f.done[name]; ok {
		if s == nil {
			return nil, fmt.Errorf("%s: $defs/%s refers to itself", f.name, name)
		}
		return s, nil
	}
	v, ok := f.defs[name]
	if !ok {
		return nil, fmt.Errorf("%s has no $defs/%s", f.name, name)
	}
	f.done[name] = nil
	s, err := f.compile(v)
	if err != nil {
		return nil, fmt.Errorf("%s: $defs/%s: %w", f.name, name, err)
	}
	f.done[name] = s
	return s, nil
}

// resolve compiles what a $ref refers to.
func (f *schemaFile) resolve(v jsontext.Value) (*schema, error) {
	ref, err := text(v)
	if err != nil {
		return nil, err
	}
	file, def, ok := strings.Cut(ref, "#/$defs/")
	if !ok {
		return nil, fmt.Errorf("$ref %s is not of our subset", ref)
	}
	target := f
	if file != "" {
		if target, err = f.library.file(path.Join(path.Dir(f.name), file)); err != nil {
			return nil, err
		}
	}
	return target.def(def)
}

func (f *schemaFile) compile(v jsontext.Value) (*schema, error) {
	d := &draft{file: f}
	if err := eachMember(v, d.keyword); err != nil {
		return nil, err
	}
	return d.finish()
}

// eachMember calls each for the members of a part of a schema file, whose JSON was
// found good when the file was read.
func eachMember(v jsontext.Value, each func(key string, v jsontext.Value) error) error {
	err := object(v)
	if err != nil {
		return err
	}
	skim(v, func(name []byte, at span) {
		if err == nil {
			err = each(string(name), v[at.value:at.end])
		}
	})
	return err
}
