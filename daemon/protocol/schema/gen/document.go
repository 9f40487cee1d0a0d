package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// node is a part of a schema file. Members keep the order of the file.
type node struct {
	file  string
	value jsontext.Value
	keys  []string
	by    map[string]jsontext.Value
}

// library is the schema files, decoded as far as they have been asked for.
type library struct{ files map[string]*node }

func openLibrary(files fs.FS) (*library, error) {
	l := &library{files: map[string]*node{}}
	return l, fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		l.files[name], err = parse(name, b)
		return err
	})
}

func parse(file string, v jsontext.Value) (*node, error) {
	n := &node{file: file, value: bytes.TrimSpace(v), by: map[string]jsontext.Value{}}
	if n.value.Kind() != '{' {
		return n, nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(n.value))
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	for dec.PeekKind() != '}' {
		key, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		name := key.String()
		value, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		n.keys = append(n.keys, name)
		n.by[name] = value.Clone()
	}
	return n, nil
}

// must returns what cannot fail: a part of a file that was parsed whole.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (n *node) has(key string) bool { _, ok := n.by[key]; return ok }

// child returns a member, or an empty node.
func (n *node) child(key string) *node {
	if !n.has(key) {
		return &node{file: n.file}
	}
	return must(parse(n.file, n.by[key]))
}

// text returns a member that is a string, else "".
func (n *node) text(key string) string {
	var s string
	if v := n.by[key]; v.Kind() == '"' {
		must(0, json.Unmarshal(v, &s))
	}
	return s
}

// texts returns a member that is an array of strings, or one string.
func (n *node) texts(key string) []string {
	if s := n.text(key); s != "" {
		return []string{s}
	}
	var out []string
	if n.has(key) {
		must(0, json.Unmarshal(n.by[key], &out))
	}
	return out
}

// items returns the parts of a member that is an array.
func (n *node) items(key string) []*node {
	var values []jsontext.Value
	if n.has(key) {
		must(0, json.Unmarshal(n.by[key], &values))
	}
	out := make([]*node, len(values))
	for i, v := range values {
		out[i] = must(parse(n.file, v))
	}
	return out
}

// resolve returns what a $ref refers to and the word for it.
func (l *library) resolve(n *node) (*node, string, error) {
	file, at, _ := strings.Cut(n.text("$ref"), "#")
	name := n.file
	if file != "" {
		name = path.Join(path.Dir(n.file), file)
	}
	target := l.files[name]
	word := strings.TrimSuffix(path.Base(name), ".json")
	for _, step := range strings.Split(strings.Trim(at, "/"), "/") {
		if target == nil {
			break
		}
		if step != "" {
			target, word = target.child(step), step
		}
	}
	if target == nil || len(target.keys) == 0 {
		return nil, "", fmt.Errorf("%s: %s refers to nothing", n.file, n.text("$ref"))
	}
	return target, word, nil
}
