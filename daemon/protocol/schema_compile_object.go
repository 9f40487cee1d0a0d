package protocol

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

func (d *draft) objectRule() *objectRule {
	if d.object == nil {
		d.object = &objectRule{index: map[string]int{}}
	}
	return d.object
}

func (d *draft) objectKeyword(key string, v jsontext.Value) error {
	o := d.objectRule()
	switch key {
	case "properties":
		return eachMember(v, func(name string, v jsontext.Value) error {
			s, err := d.file.compile(v)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			o.index[name] = len(o.members)
			o.members = append(o.members, memberRule{name: name, schema: s})
			return nil
		})
	case "required":
		// Properties may stand behind; finishObject marks them.
		names, err := texts(v)
		o.presence = append(o.presence, presence{rule: required, groups: [][]string{names}})
		return err
	case "additionalProperties":
		if v.Kind() == 'f' {
			o.closed = true
			return nil
		}
		s, err := d.file.compile(v)
		o.values = s
		return err
	case "propertyNames":
		return eachMember(v, func(key string, v jsontext.Value) (err error) {
			if key != "pattern" {
				return fmt.Errorf("%s is not of our subset", key)
			}
			o.names, err = pattern(v)
			return err
		})
	case "dependentRequired":
		return eachMember(v, func(name string, v jsontext.Value) error {
			names, err := texts(v)
			o.presence = append(o.presence, presence{rule: needs, name: name, groups: [][]string{names}})
			return err
		})
	case "not":
		names, err := onlyRequired(v)
		o.presence = append(o.presence, presence{rule: notAll, groups: [][]string{names}})
		return err
	case "anyOf":
		groups, err := allRequired(v)
		o.presence = append(o.presence, presence{rule: atLeastOne, groups: groups})
		return err
	case "allOf":
		return elements(v, func(v jsontext.Value) error {
			s, err := d.file.compile(v)
			if err != nil {
				return err
			}
			if !s.isPresenceOnly() {
				return errors.New("only rules on members are of our subset")
			}
			o.presence = append(o.presence, s.object.presence...)
			return nil
		})
	}
	return errors.New("the keyword is not of our subset")
}

// required is the rule of the keyword itself until finishObject has marked the members.
const required presenceRule = "required"

func (d *draft) finishObject() error {
	o := d.object
	var rest []presence
	for _, p := range o.presence {
		if p.rule != required {
			rest = append(rest, p)
			continue
		}
		for _, name := range p.groups[0] {
			i, ok := o.index[name]
			if !ok {
				return fmt.Errorf("required names %s, which is no property", name)
			}
			o.members[i].required = true
		}
	}
	o.presence = rest
	switch {
	case len(o.members) > 64:
		return errors.New("an object of our subset has at most 64 properties")
	case d.schema.isPresenceOnly():
		return nil
	case d.kinds != kindObject:
		return errors.New("it has keywords for objects but not that type")
	}
	return o.checkNames()
}

// checkNames reports a rule that names a member which the object does not have.
func (o *objectRule) checkNames() error {
	for _, p := range o.presence {
		names := []string{}
		if p.name != "" {
			names = append(names, p.name)
		}
		for _, g := range p.groups {
			names = append(names, g...)
		}
		for _, name := range names {
			if _, ok := o.index[name]; !ok {
				return fmt.Errorf("a rule names %s, which is no property", name)
			}
		}
	}
	return nil
}

// isPresenceOnly reports whether s says nothing but which members an object
// has together, so that it can be added to another schema.
func (s *schema) isPresenceOnly() bool {
	o := s.object
	return s.kinds == 0 && s.enum == nil && s.text == nil && s.number == nil && s.array == nil && s.variants == nil &&
		s.alternatives == nil && o != nil && len(o.presence) > 0 && len(o.members) == 0 && !o.closed && o.values == nil &&
		o.names == nil
}

// oneOf takes the three forms of our subset: rules on members, objects told
// apart by a constant member, and values told apart by their kind.
func (d *draft) oneOf(v jsontext.Value) error {
	if groups, err := allRequired(v); err == nil {
		o := d.objectRule()
		o.presence = append(o.presence, presence{rule: exactlyOne, groups: groups})
		return nil
	}
	var all []*schema
	if err := elements(v, func(v jsontext.Value) error {
		s, err := d.file.compile(v)
		all = append(all, s)
		return err
	}); err != nil {
		return err
	}
	if u, ok := byTag(all); ok {
		d.variants = u
		return nil
	}
	seen := kinds(0)
	for _, s := range all {
		if s.kinds == 0 || seen&s.kinds != 0 {
			return errors.New("its branches are told apart neither by a constant member nor by their type")
		}
		seen |= s.kinds
	}
	d.alternatives, d.kinds = all, seen
	return nil
}

// byTag finds the first member that is required and constant in every branch,
// and different in each.
func byTag(all []*schema) (*variants, bool) {
	for _, s := range all {
		if s.object == nil {
			return nil, false
		}
	}
	for _, m := range all[0].object.members {
		u := &variants{tag: m.name, by: map[string]*schema{}}
		for _, s := range all {
			i, ok := s.object.index[m.name]
			if !ok || !s.object.members[i].required {
				break
			}
			if e := s.object.members[i].schema.enum; len(e) == 1 && e[0].kind == '"' {
				u.tags = append(u.tags, e[0].text)
				u.by[e[0].text] = s
			}
		}
		if len(u.by) == len(all) && len(u.tags) == len(all) {
			return u, true
		}
	}
	return nil, false
}

// onlyRequired returns the names of a schema that holds "required" alone.
func onlyRequired(v jsontext.Value) ([]string, error) {
	var names []string
	err := eachMember(v, func(key string, v jsontext.Value) (err error) {
		if key != "required" {
			return fmt.Errorf("%s is not of our subset here", key)
		}
		names, err = texts(v)
		return err
	})
	if err == nil && len(names) == 0 {
		err = errors.New("required is not of our subset without a name")
	}
	return names, err
}

func allRequired(v jsontext.Value) ([][]string, error) {
	var groups [][]string
	err := elements(v, func(v jsontext.Value) error {
		names, err := onlyRequired(v)
		groups = append(groups, names)
		return err
	})
	return groups, err
}
