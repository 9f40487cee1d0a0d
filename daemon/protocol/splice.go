package protocol

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Arg returns the argument of that name, a slice of args; false if it is not
// there. Args are a good JSON object; the data of a result is read the same way.
func Arg(args jsontext.Value, name string) (jsontext.Value, bool) {
	at, ok := findArg(args, name)
	return args[at.value:at.end:at.end], ok
}

// StringArg returns the string argument of that name; false if it is not there
// or is no string. Args are good JSON.
func StringArg(args jsontext.Value, name string) (string, bool) {
	at, ok := findArg(args, name)
	if !ok {
		return "", false
	}
	s, err := text(args[at.value:at.end])
	return s, err == nil
}

// StringsArg returns the argument of that name, an array of strings; nil if it
// is not there or something else. Args are good JSON.
func StringsArg(args jsontext.Value, name string) []string {
	at, ok := findArg(args, name)
	if !ok {
		return nil
	}
	all, err := texts(args[at.value:at.end])
	if err != nil {
		return nil
	}
	return all
}

// ReplaceArg returns args with value, which is JSON, for the argument of that
// name. All other bytes are as they were. An argument that is not there is
// added at the end. Args are a good JSON object and are not changed.
func ReplaceArg(args jsontext.Value, name string, value jsontext.Value) jsontext.Value {
	if at, ok := findArg(args, name); ok {
		return slices.Concat(args[:at.value], value, args[at.end:])
	}
	end := len(args) - 1
	for args[end] != '}' {
		end--
	}
	out := slices.Clone(args[:end])
	if !isEmptyObject(args) {
		out = append(out, ',')
	}
	out = append(appendString(out, name), ':')
	return append(append(out, value...), args[end:]...)
}

// WithoutArg returns args without the argument of that name and without its
// comma. All other bytes are as they were; args are not changed.
func WithoutArg(args jsontext.Value, name string) jsontext.Value {
	at, ok := findArg(args, name)
	if !ok {
		return args
	}
	from, to := at.name, at.end
	for i := to; i < len(args); i++ {
		switch args[i] {
		case ' ', '\t', '\r', '\n':
			continue
		case ',':
			return slices.Concat(args[:from], args[i+1:])
		}
		break
	}
	// It was the last one: the comma before it goes, if there is one.
	for i := from - 1; i > 0; i-- {
		if args[i] == ',' {
			return slices.Concat(args[:i], args[to:])
		}
	}
	return slices.Concat(args[:from], args[to:])
}

// argSpan says where a member stands in an object: its name from name, its
// value from value to end.
type argSpan struct{ name, value, end int }

func findArg(args jsontext.Value, name string) (argSpan, bool) {
	r := open(args)
	defer r.close()
	if r.dec.PeekKind() != '{' {
		return argSpan{}, false
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return argSpan{}, false
	}
	for r.dec.PeekKind() == '"' {
		raw, err := r.dec.ReadValue()
		if err != nil {
			return argSpan{}, false
		}
		start := int(r.dec.InputOffset()) - len(raw)
		key, _ := jsontext.AppendUnquote(nil, raw)
		value, err := r.dec.ReadValue()
		if err != nil {
			return argSpan{}, false
		}
		end := int(r.dec.InputOffset())
		if string(key) == name {
			return argSpan{start, end - len(value), end}, true
		}
	}
	return argSpan{}, false
}

func isEmptyObject(v jsontext.Value) bool {
	r := open(v)
	defer r.close()
	_, err := r.dec.ReadToken()
	return err == nil && r.dec.PeekKind() == '}'
}
