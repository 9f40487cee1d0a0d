package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// object is a JSON object whose members keep their order, which is the order of
// the fields in the generated code.
type object struct {
	names  []string
	values map[string]any
}

// member returns the object under that name, or an empty one.
func (o *object) member(name string) *object {
	if inner, ok := o.get(name).(*object); ok {
		return inner
	}
	return &object{}
}

func (o *object) get(name string) any { return o.values[name] }

func (o *object) has(name string) bool {
	_, ok := o.values[name]
	return ok
}

func (o *object) text(name string) string {
	s, _ := o.get(name).(string)
	return s
}

func (o *object) list(name string) []any {
	l, _ := o.get(name).([]any)
	return l
}

// number returns the number under that name, and whether there is one.
func (o *object) number(name string) (float64, bool) {
	n, ok := o.get(name).(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// library reads the schema files and follows their references.
type library struct {
	files fs.FS
	open  map[string]*object
}

func (l *library) file(name string) (*object, error) {
	if o := l.open[name]; o != nil {
		return o, nil
	}
	b, err := fs.ReadFile(l.files, name)
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	v, err := readValue(dec)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", name, err)
	}
	o, ok := v.(*object)
	if !ok {
		return nil, fmt.Errorf("%s is no object", name)
	}
	l.open[name] = o
	return o, nil
}

// definition is what a $ref means: a schema, its name and the file it stands in.
type definition struct {
	*object
	name, file string
}

// follow returns the definition that a $ref in the file from means.
func (l *library) follow(from, ref string) (definition, error) {
	file, name, ok := strings.Cut(ref, "#/$defs/")
	if !ok {
		return definition{}, fmt.Errorf("%s: $ref %q is no definition of a file", from, ref)
	}
	if file == "" {
		file = from
	} else {
		file = path.Join(path.Dir(from), file)
	}
	o, err := l.file(file)
	if err != nil {
		return definition{}, err
	}
	def, ok := o.member("$defs").get(name).(*object)
	if !ok {
		return definition{}, fmt.Errorf("%s: there is no %q", from, ref)
	}
	return definition{def, name, file}, nil
}

// readValue reads one JSON value: *object, []any, string, json.Number, bool or nil.
func readValue(dec *json.Decoder) (any, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		o := &object{values: map[string]any{}}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			key, ok := name.(string)
			if !ok {
				return nil, io.ErrUnexpectedEOF
			}
			if o.values[key], err = readValue(dec); err != nil {
				return nil, err
			}
			o.names = append(o.names, key)
		}
		_, err = dec.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := readValue(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = dec.Token()
		return list, err
	}
	return t, nil
}
