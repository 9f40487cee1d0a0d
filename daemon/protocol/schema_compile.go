package protocol

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// draft is a schema while its keywords are read.
type draft struct {
	schema
	file  *schemaFile
	ref   *schema
	types int
}

// keyword takes one keyword in. All that our subset holds stands here.
func (d *draft) keyword(key string, v jsontext.Value) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", key, err)
		}
	}()
	switch key {
	case "description":
		d.description, err = text(v)
	case "default":
		d.fallback = string(v)
	case "$ref":
		d.ref, err = d.file.resolve(v)
	case "type":
		return d.setType(v)
	case "enum":
		return elements(v, d.addEnum)
	case "const":
		return d.addEnum(v)
	case "minLength", "maxLength", "pattern", "format":
		return d.textKeyword(key, v)
	case "minimum", "maximum", "exclusiveMinimum":
		return d.numberKeyword(key, v)
	case "items", "minItems", "maxItems", "uniqueItems":
		return d.arrayKeyword(key, v)
	case "properties", "required", "additionalProperties", "propertyNames", "dependentRequired", "not", "allOf", "anyOf":
		return d.objectKeyword(key, v)
	case "oneOf":
		return d.oneOf(v)
	default:
		return errors.New("the keyword is not of our subset")
	}
	return err
}

func (d *draft) setType(v jsontext.Value) error {
	add := func(v jsontext.Value) error {
		name, err := text(v)
		if err != nil {
			return err
		}
		kind, ok := map[string]kinds{
			"null": kindNull, "boolean": kindBoolean, "string": kindString, "number": kindNumber,
			"integer": kindNumber, "array": kindArray, "object": kindObject,
		}[name]
		if !ok {
			return fmt.Errorf("%q is no type", name)
		}
		if kind == kindNumber {
			d.numberRule().whole = name == "integer"
		}
		d.kinds |= kind
		d.types++
		return nil
	}
	if v.Kind() == '[' {
		return elements(v, add)
	}
	return add(v)
}

func (d *draft) addEnum(v jsontext.Value) error {
	if k := v.Kind(); k == '[' || k == '{' || k == '0' {
		return errors.New("only strings, booleans and null are of our subset")
	}
	d.enum = append(d.enum, scalarOf(v))
	return nil
}

func (d *draft) textKeyword(key string, v jsontext.Value) (err error) {
	if d.text == nil {
		d.text = &textRule{most: -1}
	}
	switch key {
	case "minLength":
		d.text.least, err = size(v)
	case "maxLength":
		d.text.most, err = size(v)
	case "pattern":
		d.text.pattern, err = pattern(v)
	case "format":
		if string(v) != `"absolute-path"` {
			return fmt.Errorf("the format %s is not of our subset", v)
		}
		d.text.path = true
	}
	return err
}

func (d *draft) numberRule() *numberRule {
	if d.number == nil {
		d.number = &numberRule{}
	}
	return d.number
}

func (d *draft) numberKeyword(key string, v jsontext.Value) error {
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return err
	}
	switch r := d.numberRule(); key {
	case "minimum":
		r.low = &n
	case "exclusiveMinimum":
		r.low, r.above = &n, true
	case "maximum":
		r.high = &n
	}
	return nil
}

func (d *draft) arrayKeyword(key string, v jsontext.Value) (err error) {
	if d.array == nil {
		d.array = &arrayRule{items: &schema{}, most: -1}
	}
	switch key {
	case "items":
		d.array.items, err = d.file.compile(v)
	case "minItems":
		d.array.least, err = size(v)
	case "maxItems":
		d.array.most, err = size(v)
	case "uniqueItems":
		d.array.unique, err = boolean(v)
	}
	return err
}

// finish checks what only the whole schema shows.
func (d *draft) finish() (*schema, error) {
	s := &d.schema
	if d.kinds == kindObject && d.variants == nil {
		d.objectRule()
	}
	if d.object != nil {
		if err := d.finishObject(); err != nil {
			return nil, err
		}
	}
	needs := kinds(0)
	if s.text != nil {
		needs |= kindString
	}
	if s.number != nil {
		needs |= kindNumber
	}
	if s.array != nil {
		needs |= kindArray
	}
	if s.variants != nil {
		needs |= kindObject
	}
	switch {
	case d.ref != nil && d.ref.isPresenceOnly():
		if s.object == nil {
			return nil, errors.New("$ref to a rule on members stands in no object")
		}
		s.object.presence = append(s.object.presence, d.ref.object.presence...)
		return s, s.object.checkNames()
	case d.ref != nil:
		return d.finishRef()
	case s.kinds&needs != needs:
		return nil, fmt.Errorf("it has keywords for %s but not that type", needs)
	case s.number != nil && s.number.whole && (s.number.low == nil || s.number.high == nil):
		return nil, errors.New("an integer of our subset has a minimum and a maximum")
	case s.enum != nil && (needs != 0 || s.object != nil || d.types > 0):
		return nil, errors.New("an enum or const stands alone in our subset")
	case s.text != nil && s.text.path && (s.text.pattern != nil || s.text.least > 0 || s.text.most >= 0):
		return nil, errors.New("the format stands alone in our subset")
	case s.array != nil && s.array.unique && s.array.items.enum == nil:
		return nil, errors.New("uniqueItems needs items with an enum")
	}
	return s, nil
}

// finishRef makes a schema that refers to another one, with words of its own.
func (d *draft) finishRef() (*schema, error) {
	if d.kinds != 0 || d.enum != nil || d.text != nil || d.number != nil || d.array != nil || d.object != nil ||
		d.variants != nil || d.alternatives != nil {
		return nil, errors.New("$ref stands beside annotations alone in our subset")
	}
	s := *d.ref
	if d.description != "" {
		s.description = d.description
	}
	if d.fallback != "" {
		s.fallback = d.fallback
	}
	return &s, nil
}

func size(v jsontext.Value) (int, error) {
	n, err := integer(v)
	return int(n), err
}

func pattern(v jsontext.Value) (*regexp.Regexp, error) {
	s, err := text(v)
	if err != nil {
		return nil, err
	}
	return regexp.Compile(s)
}
