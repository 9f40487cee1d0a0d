package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// given is one key of the command line with its values in their order.
type given struct {
	key    string
	values []string
	// raw values are JSON: key:=value.
	raw bool
	// whole values are items as they are, and not lists with commas.
	whole bool
}

// parseArgs makes the action's arguments, a JSON object, of key=value words.
func parseArgs(a *protocol.Action, words []string) ([]byte, error) {
	all, err := group(words)
	if err != nil {
		return nil, err
	}
	return encodeArgs(a, all)
}

// encodeArgs makes the action's arguments of what is given.
func encodeArgs(a *protocol.Action, all []given) ([]byte, error) {
	known := a.Arguments()
	out := []byte{'{'}
	for i, g := range all {
		at := slices.IndexFunc(known, func(arg protocol.Argument) bool { return arg.Name == g.key })
		if at < 0 {
			return nil, unknownArg(a, g.key)
		}
		v, err := g.value(known[at])
		if err != nil {
			return nil, usagef("%s: %s %w", a.Name, g.key, err)
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:", g.key) // it is an argument's name: plain letters
		out = append(out, v...)
	}
	return append(out, '}'), nil
}

// group collects the values of each key.
func group(words []string) ([]given, error) {
	var out []given
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		key, raw := strings.CutSuffix(key, ":")
		if !ok || key == "" {
			return nil, usagef("%q is not key=value", w)
		}
		i := slices.IndexFunc(out, func(g given) bool { return g.key == key })
		if i < 0 {
			out = append(out, given{key: key, values: []string{value}, raw: raw})
			continue
		}
		if raw || out[i].raw {
			return nil, usagef("%s stands there twice", key)
		}
		out[i].values = append(out[i].values, value)
	}
	return out, nil
}

func unknownArg(a *protocol.Action, key string) error {
	var names []string
	for _, arg := range a.Arguments() {
		names = append(names, arg.Name)
	}
	if len(names) == 0 {
		return usagef("%s takes no arguments, and %s is given", a.Name, key)
	}
	return usagef("%s has no argument %q%s; it takes %s", a.Name, key, didYouMean(key, names), strings.Join(names, ", "))
}

// value returns the JSON of the argument.
func (g given) value(arg protocol.Argument) ([]byte, error) {
	if g.raw {
		v, err := compact(g.values[0])
		if err != nil || !arg.Path {
			return v, err
		}
		return absoluteJSON(v)
	}
	if arg.Type == "array" && arg.Items != "object" {
		return g.list(arg)
	}
	if len(g.values) > 1 {
		return nil, fmt.Errorf("stands there twice")
	}
	return scalar(arg.Type, g.values[0], arg)
}

// list takes one value apart at its commas; several, and whole ones, are items
// as they are.
func (g given) list(arg protocol.Argument) ([]byte, error) {
	items := g.values
	if len(items) == 1 && !g.whole {
		items = strings.Split(items[0], ",")
	}
	if len(items) == 1 && items[0] == "" && !g.whole {
		items = nil
	}
	out := []byte{'['}
	for i, item := range items {
		v, err := scalar(arg.Items, item, arg)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']'), nil
}

func compact(s string) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(s)); err != nil {
		return nil, fmt.Errorf("is no JSON: %w", err)
	}
	return b.Bytes(), nil
}

// absolute takes a path from the present directory, since the daemon has another
// one (C32). A separator at its end stays, so that the daemon can refuse it: it
// would be a directory.
func absolute(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("cannot be made absolute: %w", err)
	}
	if last := path[len(path)-1]; (last == filepath.Separator || last == '/') && len(abs) > 1 {
		abs += string(filepath.Separator)
	}
	return abs, nil
}

// absoluteJSON does so for a string or for the strings of an array.
func absoluteJSON(v []byte) ([]byte, error) {
	var one string
	if v[0] == '"' && json.Unmarshal(v, &one) == nil {
		return quoted(one, protocol.Argument{Path: true})
	}
	var many []string
	if v[0] != '[' || json.Unmarshal(v, &many) != nil {
		return v, nil
	}
	for i, path := range many {
		abs, err := absolute(path)
		if err != nil {
			return nil, err
		}
		many[i] = abs
	}
	return marshal(many)
}
