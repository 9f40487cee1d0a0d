package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// grammar is how strictly JSON is read. Both pass lone surrogates (the escape
// \ud800) through, which pages hold and JSON.stringify writes.
type grammar []jsontext.Options

var (
	// fromAgent refuses a name that stands twice in one object, at any depth.
	fromAgent = grammar{jsontext.AllowInvalidUTF8(true)}
	// fromPage does not look for such names: two different lone surrogates would
	// count as one name, and a page must not break a link with what it holds.
	fromPage = grammar{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}
)

// walk calls each for the members of the one JSON object that b holds, in their
// order. A name comes without its quotes; names and values are slices of b where
// they can be, and must not be changed. What breaks RFC 8259 or is no single
// object is an error that says where; an error of each ends the walk and is
// returned.
func (g grammar) walk(b []byte, each func(name []byte, value jsontext.Value) error) error {
	r := g.open(b)
	defer r.close()
	dec := r.dec
	if k := dec.PeekKind(); k != '{' {
		if k == jsontext.KindInvalid {
			_, err := dec.ReadToken()
			return syntax(err)
		}
		return fmt.Errorf("it is %s, and one JSON object is expected", kindName(k))
	}
	if _, err := dec.ReadToken(); err != nil {
		return syntax(err)
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadValue()
		if err != nil {
			return syntax(err)
		}
		key := unquoted(name)
		value, err := dec.ReadValue()
		if err != nil {
			return syntax(err)
		}
		if err := each(key, value[:len(value):len(value)]); err != nil {
			return err
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return syntax(err)
	}
	return r.end()
}

// walk is fromAgent.walk with names as text.
func walk(b []byte, each func(name string, value jsontext.Value) error) error {
	return fromAgent.walk(b, func(name []byte, v jsontext.Value) error { return each(string(name), v) })
}

// unquoted returns the name that a JSON string is, a slice of it if it holds no
// escape. A lone surrogate becomes U+FFFD.
func unquoted(raw jsontext.Value) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	name, _ := jsontext.AppendUnquote(nil, raw)
	return name
}

func syntax(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the JSON ends too early")
	}
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		what := "it breaks the JSON grammar"
		if errors.Is(s, jsontext.ErrDuplicateName) {
			what = "a name stands twice in one JSON object"
		}
		return fmt.Errorf("%s, at byte %d", what, s.ByteOffset)
	}
	return errors.New("it is not valid JSON")
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "an array"
	case '{':
		return "an object"
	}
	return "no JSON"
}

// strict checks what an agent's JSON must keep beside the grammar: UTF-8, no
// byte order mark, at most depth levels, and no lone surrogate in a name.
func strict(b []byte, depth int) error {
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		return errors.New("it begins with a byte order mark (BOM), which JSON must not have")
	}
	if len(bytes.TrimLeft(b, " \t\r\n")) == 0 {
		return errors.New("it is empty, and one JSON object is expected")
	}
	if !utf8.Valid(b) {
		return errors.New("it is not valid UTF-8")
	}
	if at := tooDeep(b, depth); at >= 0 {
		return fmt.Errorf("its JSON nests deeper than %d levels, at byte %d", depth, at)
	}
	if bytes.Contains(b, []byte(`\u`)) {
		return wellNamed(b)
	}
	return nil
}

// tooDeep returns where b nests deeper than depth levels, or -1. It looks at
// brackets alone, so that no parser has to descend first.
func tooDeep(b []byte, depth int) int {
	level, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if level++; level > depth {
				return i
			}
		case c == '}' || c == ']':
			level--
		}
	}
	return -1
}

// wellNamed refuses a lone surrogate in a member name at any depth.
func wellNamed(b []byte) error {
	r := fromAgent.open(b)
	defer r.close()
	dec := r.dec
	for {
		kind, count := dec.StackIndex(dec.StackDepth())
		if kind == '{' && count%2 == 0 && dec.PeekKind() == '"' {
			raw, err := dec.ReadValue()
			if err != nil {
				return syntax(err)
			}
			if _, err := jsontext.AppendUnquote(nil, raw); err != nil {
				return fmt.Errorf("a name holds a lone surrogate, at byte %d", dec.InputOffset()-int64(len(raw)))
			}
			continue
		}
		switch _, err := dec.ReadToken(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return syntax(err)
		}
	}
}

// text returns the string that v is. Lone surrogates are refused: names, ids
// and sessions are compared byte by byte.
func text(v jsontext.Value) (string, error) {
	switch {
	case len(v) == 0:
		return "", errMissing
	case v.Kind() != '"':
		return "", fmt.Errorf("must be a string, not %s", kindName(v.Kind()))
	case bytes.IndexByte(v, '\\') < 0 && utf8.Valid(v):
		return string(v[1 : len(v)-1]), nil
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return "", errors.New("holds a lone surrogate")
	}
	return string(s), nil
}

// errMissing is said of a member that is not there.
var errMissing = errors.New("is missing")

// isAbsent reports whether an optional member is not there or null.
func isAbsent(v jsontext.Value) bool { return len(v) == 0 || v.Kind() == 'n' }

// integer returns the whole number that v is, written in plain digits.
func integer(v jsontext.Value) (int64, error) {
	if len(v) == 0 {
		return 0, errMissing
	}
	if v.Kind() != '0' {
		return 0, fmt.Errorf("must be a whole number, not %s", kindName(v.Kind()))
	}
	for i, c := range v {
		if (c < '0' || c > '9') && (i != 0 || c != '-') {
			return 0, errors.New("must be a whole number in plain digits")
		}
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil {
		return 0, errors.New("is too large a number")
	}
	return n, nil
}

func boolean(v jsontext.Value) (bool, error) {
	if len(v) == 0 {
		return false, errMissing
	}
	switch v.Kind() {
	case 't':
		return true, nil
	case 'f':
		return false, nil
	}
	return false, fmt.Errorf("must be true or false, not %s", kindName(v.Kind()))
}

// object reports why v is no object.
func object(v jsontext.Value) error {
	switch {
	case len(v) == 0:
		return errMissing
	case v.Kind() != '{':
		return fmt.Errorf("must be an object, not %s", kindName(v.Kind()))
	}
	return nil
}
