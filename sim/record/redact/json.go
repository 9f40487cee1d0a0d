package redact

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// lenient takes JSON as pages write it.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// walk calls each for every name, string and number of v, and returns v with
// what each returns in their places, all other bytes as they were; nil leaves one
// as it is. It reports whether v is JSON.
func walk(v []byte, each func(path []string, name bool, raw jsontext.Value) jsontext.Value) ([]byte, bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(v), lenient...)
	var out []byte
	var path []string
	done := 0
	for {
		depth := dec.StackDepth()
		kind, length := dec.StackIndex(depth)
		name := kind == '{' && length%2 == 0
		switch next := dec.PeekKind(); next {
		case 0:
			return append(out, v[done:]...), depth == 0 && dec.InputOffset() > 0 && len(bytes.TrimSpace(v[dec.InputOffset():])) == 0
		case '{', '[', '}', ']':
			if kind == '[' && (next == '{' || next == '[') {
				path = append(path[:depth-1], items)
			}
			if _, err := dec.ReadToken(); err != nil {
				return v, false
			}
			if next == '}' || next == ']' {
				path = path[:dec.StackDepth()]
			}
			continue
		}
		raw, err := dec.ReadValue()
		if err != nil {
			return v, false
		}
		if name {
			path = append(path[:depth-1], unquote(raw))
		} else if kind == '[' {
			path = append(path[:depth-1], items)
		}
		if by := each(path, name, raw); by != nil {
			end := int(dec.InputOffset())
			out = append(append(out, v[done:end-len(raw)]...), by...)
			done = end
		}
	}
}

func unquote(raw jsontext.Value) string {
	b, _ := jsontext.AppendUnquote(nil, raw) // lone surrogates become U+FFFD
	return string(b)
}

func quote(text string) jsontext.Value {
	b, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	return b
}

// member says where the value of the first member of that name stands in the
// object v; false if there is none, or if v is no JSON up to there.
func member(v []byte, name string) (from, to int, ok bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(v), lenient...)
	if dec.PeekKind() != '{' {
		return 0, 0, false
	}
	_, _ = dec.ReadToken()
	for dec.PeekKind() == '"' {
		key, err := dec.ReadValue()
		if err != nil {
			return 0, 0, false
		}
		found := unquote(key) == name
		value, err := dec.ReadValue()
		if err != nil {
			return 0, 0, false
		}
		if to = int(dec.InputOffset()); found {
			return to - len(value), to, true
		}
	}
	return 0, 0, false
}
