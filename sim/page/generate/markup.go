package generate

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// node is a piece of a page: *elem, text or raw.
type node interface {
	write(w *writer, last bool, next node)
}

// text is character data; a blank in it may be written as any run of ASCII
// whitespace, which means the same (CSS white-space: normal).
type text string

// verbatim is character data whose whitespace counts: textarea, pre.
type verbatim string

// raw is markup as it stands, for what a serializer would never write.
type raw string

// elem is an element.
type elem struct {
	tag   string
	attrs []attr
	kids  []node
}

type attr struct{ name, value string }

// el makes an element; pairs are attribute names and values.
func el(tag string, pairs ...string) *elem {
	e := &elem{tag: tag}
	for i := 0; i+1 < len(pairs); i += 2 {
		e.set(pairs[i], pairs[i+1])
	}
	return e
}

func (e *elem) set(name, value string) *elem {
	e.attrs = append(e.attrs, attr{name, value})
	return e
}

func (e *elem) add(kids ...node) *elem {
	e.kids = append(e.kids, kids...)
	return e
}

// writer writes a tree as HTML in one of the many ways that mean the same: case
// of tags, quotes, character references, end tags that may be left out.
type writer struct {
	strings.Builder
	r *rand.Rand
	// loose is how often, of 100, a liberty is taken.
	loose int
}

func (w *writer) liberty() bool { return w.r.IntN(100) < w.loose }

func (t text) write(w *writer, _ bool, _ node) {
	for i, c := range string(t) {
		switch {
		case c == ' ' && i > 0 && w.liberty():
			w.WriteString([]string{"  ", "\n", "\t", " \n   "}[w.r.IntN(4)])
		default:
			w.char(c)
		}
	}
}

func (t verbatim) write(w *writer, _ bool, _ node) {
	for _, c := range string(t) {
		w.char(c)
	}
}

func (t raw) write(w *writer, _ bool, _ node) { w.WriteString(string(t)) }

// char writes one character of text or of a quoted attribute.
func (w *writer) char(c rune) {
	switch {
	case c == '&':
		w.WriteString([]string{"&amp;", "&#38;", "&#x26;"}[w.r.IntN(3)])
	case c == '<':
		w.WriteString([]string{"&lt;", "&#60;"}[w.r.IntN(2)])
	case c == '"':
		w.WriteString("&quot;")
	case c == '\'':
		w.WriteString("&#39;")
	case c == '\u00a0':
		w.WriteString("&nbsp;")
	case c > 0x7e && w.liberty():
		fmt.Fprintf(w, "&#x%X;", c)
	default:
		w.WriteRune(c)
	}
}

// void elements have no end tag (HTML 13.1.2).
var void = set("area base br col embed hr img input link meta source track wbr")

// omissible are the elements whose end tag may be left out before a sibling of
// the named kind or at the end of their parent (HTML 13.1.2.4).
var omissible = map[string]map[string]bool{
	"li": set("li"), "dt": set("dt dd"), "dd": set("dt dd"),
	"option": set("option optgroup"), "optgroup": set("optgroup"),
	"tr": set("tr"), "td": set("td th"), "th": set("td th"),
	"p": set("p div ul ol h2 h3 form fieldset section nav address dl hr"),
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func (e *elem) write(w *writer, last bool, next node) {
	tag := e.tag
	if w.liberty() {
		tag = strings.ToUpper(tag)
	}
	w.WriteString("<" + tag)
	for _, a := range e.attrs {
		w.attribute(a)
	}
	w.WriteString(">")
	if void[e.tag] {
		return
	}
	for i, k := range e.kids {
		var following node
		if i+1 < len(e.kids) {
			following = e.kids[i+1]
		}
		k.write(w, i+1 == len(e.kids), following)
	}
	if may := omissible[e.tag]; may != nil && w.liberty() {
		sibling, ok := next.(*elem)
		if last || ok && may[sibling.tag] {
			return
		}
	}
	w.WriteString("</" + tag + ">")
}

func (w *writer) attribute(a attr) {
	w.WriteByte(' ')
	if w.liberty() {
		a.name = strings.ToUpper(a.name)
	}
	w.WriteString(a.name)
	switch bare := !strings.ContainsAny(a.value, " \t\n\f\r\"'`=<>&/") && isASCII(a.value); {
	case a.value == "" && w.r.IntN(2) == 0:
	case a.value != "" && bare && w.liberty():
		w.WriteString("=" + a.value)
	default:
		quote := []string{`"`, `'`}[w.r.IntN(2)]
		w.WriteString("=" + quote)
		for _, c := range a.value {
			w.char(c)
		}
		w.WriteString(quote)
	}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c > 0x7e || c < 0x21 })
}
