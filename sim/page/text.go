package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// innerText is the text that a person sees in n, with its lines (HTML, 3.2.7).
func (d *document) innerText(n *html.Node) string {
	w := lines{d: d}
	w.walk(n, false)
	return w.String()
}

// lines collects text as it is rendered.
type lines struct {
	d    *document
	b    strings.Builder
	need int
	gap  bool
	// draw writes controls as a picture shows them, and frames where they stand.
	draw bool
	// marks are the lines at which elements begin.
	marks map[*html.Node]int
	count int
}

func (w *lines) String() string { return w.b.String() }

func (w *lines) newlines(n int) {
	w.b.WriteString(strings.Repeat("\n", n))
	w.count += n
}

// line asks for so many newlines before the next text.
func (w *lines) line(n int) {
	w.gap = false
	w.need = max(w.need, n)
}

func (w *lines) put(s string) {
	if s == "" {
		return
	}
	if w.b.Len() > 0 {
		w.newlines(w.need)
	}
	if w.need == 0 && w.gap && w.b.Len() > 0 {
		w.b.WriteByte(' ')
	}
	w.need, w.gap = 0, false
	w.b.WriteString(s)
	w.count += strings.Count(s, "\n")
}

func (w *lines) walk(n *html.Node, pre bool) {
	switch {
	case n.Type == html.TextNode:
		w.text(n.Data, pre)
		return
	case n.Type == html.DocumentNode:
		w.all(list(n), pre)
		return
	case n.Type != html.ElementNode || (w.d.undisplayed(n) != "" && !is(n, atom.Option, atom.Optgroup)):
		return
	case is(n, atom.Br):
		if w.b.Len() > 0 {
			w.newlines(w.need + 1)
			w.need = 0
		}
		w.gap = false
		return
	case w.draw && w.drawn(n):
		return
	case is(n, atom.Textarea, atom.Input, atom.Iframe, atom.Select, atom.Datalist):
		return
	}
	if w.marks != nil {
		w.marks[n] = w.count + w.need
	}
	block := w.d.block(n) && !is(n, atom.Td, atom.Th, atom.Button)
	if block {
		w.line(lineGap(n))
	}
	if is(n, atom.Td, atom.Th) && previousCell(n) {
		w.gap = false
		if w.need == 0 && w.b.Len() > 0 {
			w.b.WriteByte('\t')
		}
	}
	nodes := w.d.children(n)
	if w.d.invisible(n) {
		nodes = w.d.visibleText(n)
	}
	w.all(nodes, pre || is(n, atom.Pre, atom.Textarea, atom.Listing))
	if block {
		w.line(lineGap(n))
	}
}

func (w *lines) all(nodes []*html.Node, pre bool) {
	for _, c := range nodes {
		w.walk(c, pre)
	}
}

func lineGap(n *html.Node) int {
	if is(n, atom.P) {
		return 2
	}
	return 1
}

func previousCell(n *html.Node) bool {
	for p := n.PrevSibling; p != nil; p = p.PrevSibling {
		if is(p, atom.Td, atom.Th) {
			return true
		}
	}
	return false
}

func (w *lines) text(s string, pre bool) {
	if pre {
		w.put(strings.TrimSuffix(s, "\n"))
		return
	}
	words := strings.FieldsFunc(s, blankRune)
	if len(words) == 0 {
		w.gap = w.gap || s != ""
		return
	}
	if blankRune(rune(s[0])) {
		w.gap = true
	}
	w.put(strings.Join(words, " "))
	w.gap = blankRune(rune(s[len(s)-1]))
}

// blankRune is white space as CSS collapses it, no-break spaces not.
func blankRune(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' }

// pageText is the text of a document and of its frames.
func (d *document) pageText() string {
	text := d.innerText(d.root)
	for _, root := range d.trees() {
		for n := range elements(root) {
			if f := d.frames[n]; f != nil && d.shown(n) {
				text += "\n" + f.pageText()
			}
		}
	}
	return text
}
