package protocol

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Argument is one argument of an action, for those who make or complete a
// command from text.
type Argument struct {
	Name string
	// Type is the JSON type: string, integer, number, boolean, array or object;
	// "any" if it may have more than one.
	Type string
	// Items is the type of the items of an array.
	Items string
	// Description is empty where the name says it all.
	Description string
	// Required arguments must be there, whatever cmd says. Of ref and selector
	// neither is required, since the other one may be there.
	Required bool
	// Enum lists the values that it may have, as text; nil if they are not listed.
	// For an array it lists the values of the items.
	Enum []string
	// Range says what a number may be, in words: "a whole number from 1 to 500".
	// It is empty where any number will do.
	Range string
	// Default is the JSON of the value that it has if left out; empty if there is none.
	Default string
	// Cmds lists the values of cmd that it goes with; nil in an action without cmd.
	Cmds []string
	// Path is true if it names a file of the daemon's machine by absolute path,
	// or is an array of such names.
	Path bool
}

// Arguments returns the arguments of a in the order of its schema. Those of an
// action with cmd are the ones of all cmds together.
func (a *Action) Arguments() []Argument { return slices.Clone(a.arguments) }

// PathArg returns the name of the first argument in args that names a file of
// the daemon's machine, or "". Args are good (CheckArgs).
func (a *Action) PathArg(args jsontext.Value) string {
	for _, arg := range a.arguments {
		if _, ok := findArg(args, arg.Name); arg.Path && ok {
			return arg.Name
		}
	}
	return ""
}

func (s *schema) arguments() []Argument {
	var out []Argument
	add := func(m memberRule, always bool, cmds ...string) {
		i := slices.IndexFunc(out, func(a Argument) bool { return a.Name == m.name })
		arg := m.schema.argument(m.name, m.required && always)
		arg.Cmds = cmds
		if i < 0 {
			out = append(out, arg)
			return
		}
		out[i].Cmds = append(out[i].Cmds, cmds...)
		for _, e := range arg.Enum {
			if !slices.Contains(out[i].Enum, e) {
				out[i].Enum = append(out[i].Enum, e)
			}
		}
	}
	if s.object != nil {
		for _, m := range s.object.members {
			add(m, true)
		}
	}
	if s.variants != nil {
		for _, tag := range s.variants.tags {
			for _, m := range s.variants.by[tag].object.members {
				add(m, m.name == s.variants.tag, tag)
			}
		}
	}
	return out
}

func (s *schema) argument(name string, required bool) Argument {
	a := Argument{Name: name, Type: s.typeName(), Description: s.description, Required: required, Default: s.fallback}
	values := s
	if s.array != nil {
		values = s.array.items
		a.Items = values.typeName()
	}
	if n := values.number; n != nil && n.asks() && (n.low != nil || n.high != nil) {
		a.Range = n.String()
	}
	for _, e := range values.enum {
		a.Enum = append(a.Enum, e.text)
	}
	a.Path = values.text != nil && values.text.path
	return a
}

func (s *schema) typeName() string {
	k := s.kinds
	for _, e := range s.enum {
		k |= kindOf(e.kind)
	}
	switch k {
	case kindString:
		return "string"
	case kindNumber:
		if s.number.whole {
			return "integer"
		}
		return "number"
	case kindBoolean:
		return "boolean"
	case kindArray:
		return "array"
	case kindObject:
		return "object"
	}
	return "any"
}
