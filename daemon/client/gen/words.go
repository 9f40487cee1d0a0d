package main

import (
	"fmt"
	"strings"
)

// join puts sentences behind each other.
func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// is turns the description of a type into what follows its name in a comment.
func is(field, description string) string {
	verb := "is "
	if strings.HasSuffix(field, "s") {
		verb = "are "
	}
	if description == "" {
		return verb + "one " + field + "."
	}
	return verb + strings.ToLower(description[:1]) + description[1:]
}

// fieldDoc says what a field is and what becomes of it when it is left out.
func fieldDoc(sending, required bool, schema *object) string {
	doc := schema.text("description")
	if !sending {
		return doc
	}
	if required {
		return join(doc, "Required.")
	}
	switch d := schema.get("default").(type) {
	case nil:
		return doc
	case string:
		return join(doc, fmt.Sprintf("The default is %s.", d))
	case bool:
		if !d {
			return doc
		}
		return join(doc, "The default is true.")
	default:
		return join(doc, fmt.Sprintf("The default is %v.", d))
	}
}

// constraints says which fields stand together.
func (s *shapes) constraints(p place, schema *object) string {
	var out []string
	if ref := schema.text("$ref"); ref != "" {
		if def, err := s.lib.follow(p.file, ref); err == nil {
			out = append(out, s.constraints(p, def.object))
		}
	}
	if names := groups(schema.list("oneOf")); names != nil && p.sending {
		out = append(out, "Exactly one of "+list(names)+" is set.")
	}
	if names := groups(schema.list("anyOf")); names != nil && p.sending {
		out = append(out, "At least one of "+list(names)+" is set.")
	}
	if names := required(schema.member("not")); names != nil {
		out = append(out, list(names)+" exclude each other.")
	}
	for _, v := range schema.list("allOf") {
		if inner, ok := v.(*object); ok {
			out = append(out, s.constraints(p, inner))
		}
	}
	needs := schema.member("dependentRequired")
	for _, name := range needs.names {
		for _, other := range needs.list(name) {
			out = append(out, fmt.Sprintf("%s needs %s.", goName(name), goName(other.(string))))
		}
	}
	return join(out...)
}

// groups returns the names of alternatives that each require one field.
func groups(alternatives []any) []string {
	var out []string
	for _, v := range alternatives {
		o, ok := v.(*object)
		if !ok {
			return nil
		}
		out = append(out, required(o)...)
	}
	return out
}

func required(o *object) []string {
	var out []string
	for _, name := range o.list("required") {
		out = append(out, goName(name.(string)))
	}
	return out
}

func list(names []string) string { return series(names, "and") }

// series lists names as people do: a, b or c.
func series(names []string, word string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}
