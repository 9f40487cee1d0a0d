package tape

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// check checks what lines and files have to do with one another.
func (t *Tape) check(p *places, wrong *faults) {
	if p.header == 0 {
		wrong.add(1, "the header is missing: use %s", Protocol)
	}
	c := &checker{
		t: t, wrong: wrong, ids: map[string]owner{}, used: map[string]bool{}, connected: map[string]bool{},
		runs: map[string]bool{}, actors: t.Actors(),
	}
	c.noAgent = !slices.ContainsFunc(c.actors, func(a string) bool { return RoleOf(a) == Agent })
	for i := range t.Lines {
		if l := &t.Lines[i]; l.Verb == "run" {
			c.runs[l.Actor] = true
		}
	}
	for i := range t.Lines {
		if l := &t.Lines[i]; l.Verb != "" {
			c.line(l)
		}
	}
	if len(c.actors) == 0 && len(wrong.list) == 0 {
		wrong.add(max(1, p.header), "nobody does anything in this tape")
	}
	c.files(p)
}

// owner is who brought an id into the tape, and how often.
type owner struct {
	actor string
	line  int
	times int
	// ask: it is a request of an extension.
	ask bool
}

type checker struct {
	t         *Tape
	wrong     *faults
	ids       map[string]owner
	used      map[string]bool
	connected map[string]bool
	runs      map[string]bool
	actors    []string
	noAgent   bool
}

func (c *checker) line(l *Line) {
	v := Lookup(RoleOf(l.Actor), l.Verb)
	for i, p := range v.Words {
		if i < len(l.Words) {
			c.word(l, p, l.Words[i])
		}
	}
	for _, a := range l.Args {
		if p := v.arg(a.Key); p != nil {
			c.word(l, *p, a.Value)
		}
	}
	if v.Of == Browser {
		c.browser(l)
	}
}

// word checks a word or an argument against the rest of the tape.
func (c *checker) word(l *Line, p Param, value string) {
	switch {
	case p.Kind.is(file), p.Kind.is(payload) && !inline(value):
		c.used[value] = true
		if _, ok := c.t.File(value); !ok {
			c.wrong.add(l.N, "there is no file %q in this tape%s; write it below the script, under a line -- %s --", value, nearest(value, c.fileNames()), value)
		}
	case p.Kind.is(newID), p.Kind.is(knownID):
		c.id(l, value)
	case p.Kind.name == "ID|all" && value != "all":
		c.known(l, value)
	case p.Kind.is(browser):
		if value == l.Actor || !slices.Contains(c.actors, value) {
			c.wrong.add(l.N, "%s: on= is another browser that acts in this tape, not %q", l.Verb, value)
		}
	}
}

func inline(value string) bool {
	return value != "" && (value[0] == '{' || value[0] == '[')
}

func (c *checker) fileNames() []string {
	var out []string
	for _, f := range c.t.Files {
		out = append(out, f.Name)
	}
	return out
}

// id checks the id of a line, which brings it in or knows it.
func (c *checker) id(l *Line, id string) {
	role := RoleOf(l.Actor)
	switch {
	case l.Verb == "send" || l.Verb == "do" || l.Verb == "ask":
		if before, ok := c.ids[id]; ok {
			c.wrong.add(l.N, "the id %s is taken by line %d; each request has one of its own", id, before.line)
			return
		}
		times := 1
		if v, ok := l.Arg("times"); ok {
			times, _ = strconv.Atoi(v)
		}
		c.ids[id] = owner{l.Actor, l.N, times, l.Verb == "ask"}
	case role == Browser && l.Verb == "expect" && c.noAgent && !c.isKnown(id):
		if err := checkID(id); err != nil {
			c.wrong.add(l.N, "expect: id %s", err)
			return
		}
		c.ids[id] = owner{l.Actor, l.N, 1, false}
	default:
		if o, ok := c.known(l, id); ok {
			c.owned(l, id, o)
		}
	}
}

func (c *checker) isKnown(id string) bool {
	base, _, _ := strings.Cut(id, ".")
	_, ok := c.ids[base]
	return ok
}

// known finds what an id stands for.
func (c *checker) known(l *Line, id string) (owner, bool) {
	base, n, many := strings.Cut(id, ".")
	o, ok := c.ids[base]
	if !ok {
		var all []string
		for known := range c.ids {
			all = append(all, known)
		}
		slices.Sort(all)
		c.wrong.add(l.N, "%s: no line above brings in the id %q%s", l.Verb, base, nearest(base, all))
		return o, false
	}
	number, err := strconv.Atoi(n)
	switch {
	case many && o.times == 1:
		c.wrong.add(l.N, "%s: %s is one request, and has no %q", l.Verb, base, id)
	case !many && o.times > 1:
		c.wrong.add(l.N, "%s: %s stands for %d requests: say %s.1 to %s.%d, or %s.* for each of them", l.Verb, base, o.times, base, base, o.times, base)
	case many && n != "*" && (err != nil || number < 1 || number > o.times || n != strconv.Itoa(number)):
		c.wrong.add(l.N, "%s: %s has %s.1 to %s.%d, not %q", l.Verb, base, base, base, o.times, id)
	default:
		return o, true
	}
	return o, false
}

// owned checks that a line about an id fits what the id is.
func (c *checker) owned(l *Line, id string, o owner) {
	if RoleOf(l.Actor) == Agent {
		if o.actor != l.Actor {
			c.wrong.add(l.N, "%s: %s is %s's request, not %s's", l.Verb, id, o.actor, l.Actor)
		}
		return
	}
	asked := []string{"error", "delivered", "data"}
	of := []string{"action", "session", "args"}
	switch {
	case o.ask && (l.Verb != "expect" || o.actor != l.Actor):
		c.wrong.add(l.N, "%s: %s is what %s asked; only %s can expect its result", l.Verb, id, o.actor, o.actor)
	case l.Verb != "expect":
	case o.ask:
		for _, key := range of {
			if _, ok := l.Arg(key); ok {
				c.wrong.add(l.N, "expect: %s is what %s asked, whose result has no %s=", id, o.actor, key)
			}
		}
	default:
		if l.Word(1) != "" {
			c.wrong.add(l.N, "expect: %s is a command, which is not ok before it was answered", id)
		}
		for _, key := range asked {
			if _, ok := l.Arg(key); ok {
				c.wrong.add(l.N, "expect: %s is a command that reaches the browser, and has no %s=", id, key)
			}
		}
	}
}

// browser checks the order of what a browser does.
func (c *checker) browser(l *Line) {
	switch l.Verb {
	case "connect", "hello", "join":
		if c.runs[l.Actor] {
			c.wrong.add(l.N, "%s runs by itself in this tape, and needs no %s; leave out one of the two", l.Actor, l.Verb)
		}
		c.connected[l.Actor] = true
	case "run":
		if c.connected[l.Actor] {
			c.wrong.add(l.N, "%s runs already", l.Actor)
		}
		c.connected[l.Actor] = true
	case "page":
		if c.connected[l.Actor] {
			c.wrong.add(l.N, "page stands before the first connection of %s", l.Actor)
		}
	}
}

// files checks the payloads.
func (c *checker) files(p *places) {
	seen := map[string]bool{}
	for i, f := range c.t.Files {
		n := 1
		if i < len(p.files) {
			n = p.files[i]
		}
		switch {
		case seen[f.Name]:
			c.wrong.add(n, "the file %q is there twice", f.Name)
		case f.Name == "" || strings.ContainsAny(f.Name, " \t\"{[=#"):
			c.wrong.add(n, "a file has a name without blanks and without any of \" { [ = #, not %q", f.Name)
		case !c.used[f.Name]:
			c.wrong.add(n, "nothing uses the file %q; name it in a line, or leave it out", f.Name)
		}
		seen[f.Name] = true
		if _, err := f.Payload(); err != nil {
			c.wrong.add(n, "the file %q is no base64: %s", f.Name, err)
		}
	}
}

// encoded is how the name of a payload ends that stands there as base64.
const encoded = ".b64"

// Payload returns the bytes of the payload. The error says that a .b64 file is
// no base64.
func (f File) Payload() ([]byte, error) {
	if !strings.HasSuffix(f.Name, encoded) {
		return []byte(f.Text), nil
	}
	return base64.StdEncoding.DecodeString(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == ' ' {
			return -1
		}
		return r
	}, f.Text))
}

// NewFile returns a payload of those bytes: as they are if the archive can hold
// them so, else as base64 under name with .b64.
func NewFile(name string, content []byte) File {
	plain := File{name, string(content)}
	if t := (&Tape{Files: []File{plain}}).reread(); len(t) == 1 && t[0] == plain {
		return plain
	}
	return File{strings.TrimSuffix(name, encoded) + encoded, base64.StdEncoding.EncodeToString(content)}
}
