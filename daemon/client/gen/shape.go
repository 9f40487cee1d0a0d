package main

import (
	"fmt"
	"strings"
)

// structType is a struct to be written.
type structType struct {
	name, doc string
	fields    []field
	// cmd and union are set for one variant of the arguments of an action with
	// cmd: the constant that it sends, and the interface that it implements.
	cmd, union string
}

type field struct {
	name, wire, doc string
	typ             string
	optional        bool
	// fill is true for a list that must be sent as [] where it is nil.
	fill bool
}

// enumType is a string type to be written with its constants.
type enumType struct {
	name   string
	values []string
}

// unionType is the interface of the arguments of an action with cmd.
type unionType struct {
	name, action string
	variants     []string
}

// mapType is a map type to be written.
type mapType struct{ name, doc, typ string }

// shapes collects the types that the schemas ask for, in the order in which
// they are first needed.
type shapes struct {
	lib     *library
	unions  []*unionType
	structs []*structType
	enums   []*enumType
	maps    []*mapType
	// enumOf finds the type of a list of values that another place has too.
	enumOf map[string]string
	done   map[string]bool
}

// place is where a schema stands.
type place struct {
	file string
	// owner and field name the type, if it needs a name.
	owner, field string
	// sending is true for what the caller fills in, false for what he reads.
	sending bool
}

func (p place) in(owner, field string) place {
	p.owner, p.field = owner, field
	return p
}

func (p place) typeName() string { return p.owner + goName(p.field) }

// typeOf returns the Go type of a schema.
func (s *shapes) typeOf(p place, schema *object) (string, error) {
	if ref := schema.text("$ref"); ref != "" {
		def, err := s.lib.follow(p.file, ref)
		if err != nil {
			return "", err
		}
		p.file = def.file
		return s.typeOf(p.in("", def.name), def.object)
	}
	if values := schema.list("enum"); values != nil {
		return s.enum(p, values), nil
	}
	if _, ok := schema.get("const").(bool); ok {
		return "bool", nil
	}
	if kinds := schema.list("type"); kinds != nil {
		if len(kinds) == 2 && kinds[0] == "string" && kinds[1] == "null" {
			return "*string", nil
		}
		return "", fmt.Errorf("%s: no Go type for %v", p.typeName(), kinds)
	}
	switch kind := schema.text("type"); kind {
	case "string":
		return "string", nil
	case "integer":
		return "int64", nil
	case "number":
		return "float64", nil
	case "boolean":
		return "bool", nil
	case "array":
		items, err := s.typeOf(p.in(p.owner, singular(p.field)), schema.member("items"))
		return "[]" + items, err
	case "object":
		return s.object(p, schema)
	case "":
		return "json.RawMessage", nil
	default:
		return "", fmt.Errorf("%s: no Go type for %q", p.typeName(), kind)
	}
}

func (s *shapes) enum(p place, values []any) string {
	var texts []string
	for _, v := range values {
		// The one enumeration with a boolean, wait's load, has a string that means the same.
		if t, ok := v.(string); ok {
			texts = append(texts, t)
		}
	}
	key := strings.Join(texts, " ")
	if key == "chrome firefox" {
		return "protocol.Browser"
	}
	if name, ok := s.enumOf[key]; ok {
		return name
	}
	name := p.typeName()
	s.enumOf[key] = name
	s.enums = append(s.enums, &enumType{name, texts})
	return name
}

func (s *shapes) object(p place, schema *object) (string, error) {
	if len(schema.member("properties").names) == 0 {
		return s.open(p, schema)
	}
	name := p.typeName()
	if !s.done[name] {
		s.done[name] = true
		t := &structType{name: name, doc: is(p.field, schema.text("description"))}
		s.structs = append(s.structs, t)
		p.owner = name
		return name, s.fill(t, p, schema)
	}
	return name, nil
}

// open is the type of an object whose names are not listed.
func (s *shapes) open(p place, schema *object) (string, error) {
	values, ok := schema.get("additionalProperties").(*object)
	if !ok {
		return "json.RawMessage", nil
	}
	name := p.typeName()
	if s.done[name] {
		return name, nil
	}
	s.done[name] = true
	typ, err := s.typeOf(p.in(name, "value"), values)
	s.maps = append(s.maps, &mapType{name, is(p.field, schema.text("description")), "map[string]" + typ})
	return name, err
}

// fill adds to t the fields of the schema's properties. Types that need a name
// begin with that of the owner in p.
func (s *shapes) fill(t *structType, p place, schema *object) error {
	required := map[string]bool{}
	for _, r := range schema.list("required") {
		if name, ok := r.(string); ok {
			required[name] = true
		}
	}
	t.doc = join(t.doc, s.constraints(p, schema))
	props := schema.member("properties")
	for _, wire := range props.names {
		if wire == "cmd" {
			t.cmd, _ = props.member(wire).get("const").(string)
			continue
		}
		def := props.member(wire)
		typ, err := s.typeOf(p.in(p.owner, wire), def)
		if err != nil {
			return err
		}
		full, err := s.resolved(p, def)
		if err != nil {
			return err
		}
		f := field{name: goName(wire), wire: wire, typ: typ, optional: !required[wire]}
		f.doc = fieldDoc(p.sending, required[wire], full)
		switch {
		case f.optional && needsPointer(p.sending, typ, full):
			f.typ = "*" + typ
		case !f.optional && p.sending && strings.HasPrefix(typ, "[]"):
			f.fill = true
		}
		t.fields = append(t.fields, f)
	}
	return nil
}

// resolved returns a schema with what its $ref says, its own words first.
func (s *shapes) resolved(p place, schema *object) (*object, error) {
	out := &object{values: map[string]any{}}
	for {
		for _, name := range schema.names {
			if name != "$ref" && !out.has(name) {
				out.names = append(out.names, name)
				out.values[name] = schema.get(name)
			}
		}
		ref := schema.text("$ref")
		if ref == "" {
			return out, nil
		}
		def, err := s.lib.follow(p.file, ref)
		if err != nil {
			return nil, err
		}
		p.file, schema = def.file, def.object
	}
}
