package tape

import (
	"slices"
	"strings"
)

// Verb is one thing that an actor of a role can do. The table of verbs is the
// language: Parse checks lines by it, and TAPES.md is written from it.
type Verb struct {
	// Name is one word, or two where the second one says which of several.
	Name string
	Of   Role
	// Words are the words behind it, in their order; those that may be left out
	// come last. Args are the named ones.
	Words []Param
	Args  []Param
	// Action is true if all further key=value are arguments of the action that it
	// names.
	Action bool
	// Judges is true for the verbs that say what must be seen.
	Judges bool
	// Reply is true for the verbs that say what a browser answers.
	Reply bool
	// Doc says what it does, and Example is a line of it that parses.
	Doc, Example string
}

// Param is a word or a named argument of a verb.
type Param struct {
	Name string
	Kind Kind
	// Optional words may be left out; arguments always may, unless Required.
	Optional, Required bool
	// Repeats is true for an argument that may stand in a line several times.
	Repeats bool
	Doc     string
}

// Verbs returns all verbs of a role, in the order of the reference.
func Verbs(of Role) []*Verb {
	var out []*Verb
	for i := range verbs {
		if verbs[i].Of == of {
			out = append(out, &verbs[i])
		}
	}
	return out
}

// Lookup returns the verb of a role by its name; nil if there is none.
func Lookup(of Role, name string) *Verb {
	for i := range verbs {
		if verbs[i].Of == of && verbs[i].Name == name {
			return &verbs[i]
		}
	}
	return nil
}

// find returns the verb that the words of a line begin with, and how many of
// them its name takes.
func find(of Role, words []string) (v *Verb, taken int) {
	if len(words) > 1 {
		if v := Lookup(of, words[0]+" "+words[1]); v != nil {
			return v, 2
		}
	}
	return Lookup(of, words[0]), 1
}

// names returns the first words of a role's verbs.
func names(of Role) []string {
	var out []string
	for _, v := range Verbs(of) {
		first, _, _ := strings.Cut(v.Name, " ")
		if !slices.Contains(out, first) {
			out = append(out, first)
		}
	}
	return out
}

// Usage returns the verb as a reference shows it: expect ID [within=TIME].
func (v *Verb) Usage() string {
	var b strings.Builder
	b.WriteString(v.Name)
	for _, p := range v.Words {
		w := p.Kind.placeholder(p.Name)
		if p.Optional {
			w = "[" + w + "]"
		}
		b.WriteString(" " + w)
	}
	if v.Action {
		b.WriteString(" [KEY=VALUE]…")
	}
	for _, p := range v.Args {
		w := p.Name + "=" + p.Kind.placeholder(p.Name)
		if !p.Required {
			w = "[" + w + "]"
		}
		b.WriteString(" " + w)
	}
	return b.String()
}

func (v *Verb) arg(name string) *Param {
	for i := range v.Args {
		if v.Args[i].Name == name {
			return &v.Args[i]
		}
	}
	return nil
}
