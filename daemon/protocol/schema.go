package protocol

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// schema is one JSON Schema of schema/, compiled into a checker that walks the
// tokens of a value once and builds nothing. It knows the part of draft 2020-12
// that our files use; the compiler refuses a file that uses more.
type schema struct {
	// kinds is what the value may be; none means anything.
	kinds kinds
	// enum lists the scalars that the value may be; nil means any.
	enum   []scalar
	text   *textRule
	number *numberRule
	array  *arrayRule
	object *objectRule
	// variants tells objects apart by a member that is constant in each.
	variants *variants
	// alternatives are schemas whose kinds are disjoint.
	alternatives []*schema

	// description and fallback (the default, as JSON) are for who reads the
	// schema, not for the check.
	description string
	fallback    string
}

// scalar is a JSON value without parts: a string's text, or the JSON of another.
type scalar struct {
	kind jsontext.Kind
	text string
}

func scalarOf(v jsontext.Value) scalar {
	if v.Kind() != '"' {
		return scalar{v.Kind(), string(v)}
	}
	// A lone surrogate becomes U+FFFD, which no schema names.
	s, _ := jsontext.AppendUnquote(nil, v)
	return scalar{'"', string(s)}
}

func (s scalar) String() string {
	if s.kind == '"' {
		return quoteShort(s.text)
	}
	return s.text
}

type textRule struct {
	// least and most bound the length in code points; most is -1 for none.
	least, most int
	pattern     *regexp.Regexp
	path        bool
}

type arrayRule struct {
	items *schema
	// least and most bound the number of items; most is -1 for none.
	least, most int
	unique      bool
}

type objectRule struct {
	members []memberRule
	index   map[string]int
	// closed objects hold no member beside members.
	closed bool
	// values is what further members must be; nil means anything.
	values *schema
	// names is what the name of every member must match; nil means anything.
	names    *regexp.Regexp
	presence []presence
}

type memberRule struct {
	name     string
	schema   *schema
	required bool
}

type variants struct {
	tag  string
	tags []string
	by   map[string]*schema
}

// check reports what is wrong with v, which is called root in the error, and
// where. V may be any bytes.
func (s *schema) check(root string, v jsontext.Value) error {
	r := fromAgent.open(v)
	defer r.close()
	f := s.walk(r)
	if f == nil {
		if err := r.end(); err != nil {
			f = faultf("is no good JSON: %s", err)
		}
	}
	if f != nil {
		return f.named(root)
	}
	return nil
}

// checkGood is check for an object that is known to be good JSON. It does not
// look into members of which nothing is asked but what they are, so that a
// large value of a page costs little.
func (s *schema) checkGood(root string, v jsontext.Value) error {
	if err := object(v); err != nil {
		return fmt.Errorf("%s %w", root, err)
	}
	if f := s.object.skim(v); f != nil {
		return f.named(root)
	}
	return nil
}

// within checks v in that grammar.
func (s *schema) within(g grammar, v jsontext.Value) *fault {
	if s.onlyKinds() {
		if k := v.Kind(); !s.kinds.has(k) {
			return faultf("must be %s, not %s", s.kinds, kindName(k))
		}
		return nil
	}
	r := g.open(v)
	defer r.close()
	return s.walk(r)
}

// onlyKinds reports whether s asks for nothing but a value's kind.
func (s *schema) onlyKinds() bool {
	return s.enum == nil && s.text == nil && (s.number == nil || !s.number.asks()) && s.array == nil &&
		(s.object == nil || s.object.isOpen()) && s.variants == nil && s.alternatives == nil
}

// walk reads the next value and returns what is wrong with it.
func (s *schema) walk(r *reader) *fault {
	kind := r.dec.PeekKind()
	if kind == jsontext.KindInvalid {
		_, err := r.dec.ReadToken()
		return broken(err)
	}
	for _, a := range s.alternatives {
		if a.kinds.has(kind) {
			return a.walk(r)
		}
	}
	switch {
	case !s.kinds.has(kind):
		return faultf("must be %s, not %s", s.kinds, kindName(kind))
	case s.enum != nil:
		_, f := s.walkEnum(r)
		return f
	case kind == '"' && s.text != nil:
		return s.text.walk(r)
	case kind == '0' && s.number != nil && s.number.asks():
		return s.number.walk(r)
	case kind == '[' && s.array != nil:
		return s.array.walk(r)
	case kind == '{' && s.variants != nil:
		return s.variants.walk(r)
	case kind == '{' && s.object != nil:
		return s.object.walk(r)
	}
	_, err := r.dec.ReadValue()
	return broken(err)
}

// walkEnum reads a value that must be one of s.enum, and returns it.
func (s *schema) walkEnum(r *reader) (scalar, *fault) {
	v, err := r.dec.ReadValue()
	if err != nil {
		return scalar{}, broken(err)
	}
	got := scalarOf(v)
	if slices.Contains(s.enum, got) {
		return got, nil
	}
	known := make([]string, len(s.enum))
	for i, e := range s.enum {
		known[i] = e.String()
	}
	what := kindName(got.kind)
	if got.kind == '"' || got.kind == 't' || got.kind == 'f' {
		what = got.String()
	}
	return got, faultf("must be %s, not %s", choice(known, "or"), what)
}

// kinds is a set of JSON kinds. The empty set stands for all of them.
type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindBoolean
	kindString
	kindNumber
	kindArray
	kindObject
)

func kindOf(k jsontext.Kind) kinds {
	switch k {
	case 'n':
		return kindNull
	case 't', 'f':
		return kindBoolean
	case '"':
		return kindString
	case '0':
		return kindNumber
	case '[':
		return kindArray
	case '{':
		return kindObject
	}
	return 0
}

func (k kinds) has(kind jsontext.Kind) bool { return k == 0 || k&kindOf(kind) != 0 }

func (k kinds) String() string {
	var names []string
	for _, kind := range []jsontext.Kind{'"', '0', 't', '[', '{', 'n'} {
		if k&kindOf(kind) != 0 {
			names = append(names, kindName(kind))
		}
	}
	return choice(names, "or")
}

// fault is what is wrong with a value. The steps that lead to it are added on
// the way out, so that a good value costs nothing.
type fault struct {
	// steps are innermost first: ".url", "[2]".
	steps []string
	what  string
}

func faultf(format string, a ...any) *fault { return &fault{what: fmt.Sprintf(format, a...)} }

// member returns f as the fault of the named member's object; nil stays nil.
func (f *fault) member(name []byte) *fault {
	if f == nil {
		return nil
	}
	step := "." + string(name)
	if !isPlainName(string(name)) {
		step = "[" + quoteShort(string(name)) + "]"
	}
	f.steps = append(f.steps, step)
	return f
}

func (f *fault) item(i int) *fault {
	f.steps = append(f.steps, fmt.Sprintf("[%d]", i))
	return f
}

func (f *fault) named(root string) error {
	slices.Reverse(f.steps)
	return fmt.Errorf("%s%s %s", root, strings.Join(f.steps, ""), f.what)
}

// isPlainName reports whether a path can hold the name without quotes.
func isPlainName(name string) bool {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	return name != "" && len(name) <= 64 && strings.Trim(name, plain) == ""
}

// choice lists names as people do: a, b or c.
func choice(names []string, word string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}
