package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// drawn writes a control, a picture or a frame as lines of text show it; false if n is
// none.
func (w *lines) drawn(n *html.Node) bool {
	d := w.d
	shape := ""
	switch {
	case is(n, atom.Input):
		shape = d.drawnInput(n)
	case is(n, atom.Textarea):
		shape = "[" + pad(oneLine(d.value(n)), 30) + "]"
	case is(n, atom.Select):
		shape = "[" + d.shownValue(n, "") + " v]"
	case is(n, atom.Button):
		shape = "[ " + oneLine(d.innerText(n)) + " ]"
	case is(n, atom.Img):
		shape = "<" + attr(n, "alt") + ">"
	case is(n, atom.Iframe) && d.frames[n] != nil:
		w.mark(n)
		f := d.frames[n]
		inner := lines{d: f, draw: true}
		inner.walk(f.root, false)
		w.line(1)
		w.put(inner.String())
		w.line(1)
		return true
	default:
		return false
	}
	w.mark(n)
	if !d.invisible(n) {
		w.gap = true
		w.put(shape)
		w.gap = true
	}
	return true
}

func (w *lines) mark(n *html.Node) {
	if w.marks != nil {
		w.marks[n] = w.count + w.need
	}
}

func (d *document) drawnInput(n *html.Node) string {
	mark := func(open, shut string) string {
		if d.checked(n) {
			return open + "x" + shut
		}
		return open + " " + shut
	}
	switch t := kind(n); t {
	case "hidden":
		return ""
	case "checkbox":
		return mark("[", "]")
	case "radio":
		return mark("(", ")")
	case "submit", "reset", "button", "image":
		return "[ " + d.name(n) + " ]"
	case "file":
		names := []string{}
		for _, f := range d.live(n).files {
			names = append(names, f.name)
		}
		if len(names) == 0 {
			return "[ Choose File ] No file chosen"
		}
		return "[ Choose File ] " + strings.Join(names, ", ")
	case "password":
		return "[" + pad(strings.Repeat("*", len([]rune(d.value(n)))), 20) + "]"
	}
	v := d.raw(n)
	if v == "" {
		v = attr(n, "placeholder")
	}
	return "[" + pad(v, 20) + "]"
}

func pad(s string, least int) string {
	if short := least - len([]rune(s)); short > 0 {
		return s + strings.Repeat("_", short)
	}
	return s
}

// screen is the text of a document, or of n in it, in lines of at most width
// characters, and the line at which each element begins.
func (d *document) screen(n *html.Node, width int) (all []string, marks map[*html.Node]int) {
	w := lines{d: d, draw: true, marks: map[*html.Node]int{}}
	w.walk(n, false)
	marks = w.marks
	at := make([]int, 0, w.count+1)
	for _, line := range strings.Split(w.String(), "\n") {
		at = append(at, len(all))
		all = append(all, wrap(strings.ReplaceAll(line, "\t", "    "), width)...)
	}
	for e, i := range marks {
		marks[e] = at[min(i, len(at)-1)]
	}
	return all, marks
}

// wrap breaks a line at blanks, or where it must.
func wrap(line string, width int) []string {
	var all []string
	rest := []rune(line)
	for len(rest) > width {
		cut := width
		for i := width; i > 0; i-- {
			if rest[i] == ' ' {
				cut = i
				break
			}
		}
		all = append(all, strings.TrimRight(string(rest[:cut]), " "))
		rest = []rune(strings.TrimLeft(string(rest[cut:]), " "))
	}
	return append(all, string(rest))
}
