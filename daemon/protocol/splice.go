package protocol

import (
	"bytes"
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
	last := 0
	skim(args, func(_ []byte, at span) { last = at.end })
	if last == 0 {
		// The object is empty.
		last = bytes.IndexByte(args, '{') + 1
		return slices.Concat(args[:last], appendMember(nil, name, value), args[last:])
	}
	return slices.Concat(args[:last], appendMember([]byte{','}, name, value), args[last:])
}

func appendMember(dst []byte, name string, value jsontext.Value) jsontext.Value {
	return append(append(appendString(dst, name), ':'), value...)
}

// WithoutArg returns args without the argument of that name and without its
// comma. All other bytes are as they were; args are not changed.
func WithoutArg(args jsontext.Value, name string) jsontext.Value {
	at, ok := findArg(args, name)
	if !ok {
		return args
	}
	if next := blanks(args, at.end); args[next] == ',' {
		return slices.Concat(args[:at.name], args[next+1:])
	}
	// It was the last one: the comma before it goes, if there is one.
	before := at.name
	for i := at.name - 1; args[i] != '{'; i-- {
		if args[i] == ',' {
			before = i
			break
		}
	}
	return slices.Concat(args[:before], args[at.end:])
}

func findArg(args jsontext.Value, name string) (where span, found bool) {
	skim(args, func(key []byte, at span) {
		if string(key) == name {
			where, found = at, true
		}
	})
	return where, found
}
