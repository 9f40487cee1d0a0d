package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// empty takes away what is below n.
func (d *document) empty(n *html.Node) {
	for n.FirstChild != nil {
		d.drop(n.FirstChild)
		n.RemoveChild(n.FirstChild)
	}
}

// remove takes n out of its tree.
func (d *document) remove(n *html.Node) {
	if n.Parent == nil {
		return
	}
	d.drop(n)
	n.Parent.RemoveChild(n)
}

// drop lets go of what the document holds of n and what is below it.
func (d *document) drop(n *html.Node) {
	if d.focus != nil && (d.focus == n || d.contains(n, d.focus)) {
		d.focus = nil
	}
	d.modals = without(d.modals, n)
	if f := d.frames[n]; f != nil {
		f.end()
		delete(d.frames, n)
	}
	for c := range n.Descendants() {
		if f := d.frames[c]; f != nil {
			f.end()
			delete(d.frames, c)
		}
		d.modals = without(d.modals, c)
	}
}

// setHTML is innerHTML: text is parsed in the context of n.
func (d *document) setHTML(n *html.Node, text string) {
	d.empty(n)
	nodes, err := html.ParseFragment(strings.NewReader(text), &html.Node{Type: html.ElementNode, Data: n.Data, DataAtom: n.DataAtom})
	if err != nil {
		return
	}
	for _, c := range nodes {
		n.AppendChild(c)
	}
}

func (d *document) setTitle(text string) {
	n := d.find(func(n *html.Node) bool { return is(n, atom.Title) })
	if n == nil {
		head := d.find(func(n *html.Node) bool { return is(n, atom.Head) })
		if head == nil {
			return
		}
		n = &html.Node{Type: html.ElementNode, Data: "title", DataAtom: atom.Title}
		head.AppendChild(n)
	}
	d.empty(n)
	n.AppendChild(&html.Node{Type: html.TextNode, Data: text})
}

// outerHTML is the markup of n as it stands.
func outerHTML(n *html.Node) string {
	var b bytes.Buffer
	// A node of a tree that was parsed is written to memory without an error, but
	// for a plaintext element, which ends what can be written.
	_ = html.Render(&b, n)
	return b.String()
}
