package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func (o *objectRule) walk(r *reader) *fault {
	if _, err := r.dec.ReadToken(); err != nil {
		return broken(err)
	}
	var there uint64 // a bit a member
	for r.dec.PeekKind() != '}' {
		raw, err := r.dec.ReadValue()
		if err != nil {
			return broken(err)
		}
		name := unquoted(raw)
		m, f := o.member(name, &there)
		if f == nil {
			f = m.walk(r).member(name)
		}
		if f != nil {
			return f
		}
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return broken(err)
	}
	return o.checkPresence(there)
}

// skim is walk over an object that is good JSON. The members that need it are
// read within fromPage.
func (o *objectRule) skim(v jsontext.Value) (f *fault) {
	var there uint64
	skim(v, func(name []byte, at span) {
		if f != nil {
			return
		}
		var m *schema
		if m, f = o.member(name, &there); f == nil {
			f = m.within(fromPage, v[at.value:at.end]).member(name)
		}
	})
	if f != nil {
		return f
	}
	return o.checkPresence(there)
}

// anything is the schema of what nobody asked for.
var anything = &schema{}

// member returns the schema of the named member and notes that it is there.
func (o *objectRule) member(name []byte, there *uint64) (*schema, *fault) {
	i, known := o.index[string(name)]
	switch {
	case known && *there&(1<<i) != 0:
		return nil, faultf("stands there twice").member(name)
	case known:
		*there |= 1 << i
		return o.members[i].schema, nil
	case o.names != nil && !o.names.Match(name):
		return nil, faultf("must not have the name %s, which does not match %s", quoteShort(string(name)), o.names)
	case o.closed:
		return nil, o.unknown(name)
	case o.values != nil:
		return o.values, nil
	}
	return anything, nil
}

// isOpen reports whether o refuses no object.
func (o *objectRule) isOpen() bool {
	return len(o.members) == 0 && !o.closed && o.values == nil && o.names == nil && len(o.presence) == 0
}

func (o *objectRule) checkPresence(there uint64) *fault {
	for i, m := range o.members {
		if m.required && there&(1<<i) == 0 {
			return faultf("is missing").member([]byte(m.name))
		}
	}
	has := func(name string) bool { return there&(1<<o.index[name]) != 0 }
	for _, p := range o.presence {
		if f := p.check(has); f != nil {
			return f
		}
	}
	return nil
}

func (o *objectRule) unknown(name []byte) *fault {
	if len(o.members) == 0 {
		return faultf("must be empty, and %s is there", quoteShort(string(name)))
	}
	names := make([]string, len(o.members))
	for i, m := range o.members {
		names[i] = m.name
	}
	return faultf("is an unknown name; the names are %s", choice(names, "and")).member(name)
}

// presence is a rule on which members an object has together: oneOf, anyOf or
// not over "required", or dependentRequired.
type presence struct {
	rule presenceRule
	// groups are names that stand together.
	groups [][]string
	// name, if it is there, needs groups[0].
	name string
}

type presenceRule string

const (
	exactlyOne presenceRule = "exactly one"
	atLeastOne presenceRule = "at least one"
	notAll     presenceRule = "not all"
	needs      presenceRule = "needs"
)

func (p *presence) check(has func(string) bool) *fault {
	var there, all []string
	for _, g := range p.groups {
		all = append(all, choice(g, "with"))
		if !slices.ContainsFunc(g, func(name string) bool { return !has(name) }) {
			there = append(there, choice(g, "with"))
		}
	}
	switch {
	case p.rule == exactlyOne && len(there) == 0:
		return faultf("must have exactly one of %s, and has none", choice(all, "and"))
	case p.rule == exactlyOne && len(there) > 1:
		return faultf("must have exactly one of %s, and has %s", choice(all, "and"), choice(there, "and"))
	case p.rule == atLeastOne && len(there) == 0:
		return faultf("must have %s", choice(all, "or"))
	case p.rule == notAll && len(there) > 0:
		return faultf("must not have %s together", choice(p.groups[0], "and"))
	case p.rule == needs && has(p.name) && len(there) == 0:
		return faultf("must have %s where it has %s", all[0], p.name)
	}
	return nil
}

// walk reads an object, looks at its tag, and checks it as that variant.
func (u *variants) walk(r *reader) *fault {
	v, err := r.dec.ReadValue()
	if err != nil {
		return broken(err)
	}
	tag, ok := Arg(v, u.tag)
	known := choice(u.quoted(), "or")
	if !ok {
		return faultf("is missing; it is %s", known).member([]byte(u.tag))
	}
	got := scalarOf(tag)
	variant, ok := u.by[got.text]
	if got.kind != '"' || !ok {
		what := kindName(got.kind)
		if got.kind == '"' {
			what = got.String()
		}
		return faultf("must be %s, not %s", known, what).member([]byte(u.tag))
	}
	inner := r.open(v)
	defer inner.close()
	return variant.walk(inner)
}

func (u *variants) quoted() []string {
	out := make([]string, len(u.tags))
	for i, t := range u.tags {
		out[i] = fmt.Sprintf("%q", t)
	}
	return out
}

// broken is the fault of a value that is no good JSON; nil without an error.
func broken(err error) *fault {
	if err == nil {
		return nil
	}
	return faultf("is no good JSON: %s", strings.TrimPrefix(syntax(err).Error(), "it "))
}
