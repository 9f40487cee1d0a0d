package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attr is an attribute's value; "" if it is not there.
func attr(n *html.Node, name string) string {
	v, _ := lookup(n, name)
	return v
}

func has(n *html.Node, name string) bool {
	_, ok := lookup(n, name)
	return ok
}

func lookup(n *html.Node, name string) (string, bool) {
	if n == nil {
		return "", false
	}
	for i := range n.Attr {
		if n.Attr[i].Namespace == "" && n.Attr[i].Key == name {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// setAttr sets or adds an attribute.
func setAttr(n *html.Node, name, value string) {
	for i := range n.Attr {
		if n.Attr[i].Namespace == "" && n.Attr[i].Key == name {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
}

func removeAttr(n *html.Node, name string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Namespace == "" && a.Key == name })
}

// word is an attribute's value as an enumerated one is compared: without case.
func word(n *html.Node, name string) string { return strings.ToLower(strings.TrimSpace(attr(n, name))) }

// is reports whether n is an HTML element of one of the names.
func is(n *html.Node, names ...atom.Atom) bool {
	return n != nil && n.Type == html.ElementNode && n.Namespace == "" && slices.Contains(names, n.DataAtom)
}

// closest is n or the nearest of its ancestors that ok takes, in its own tree.
func closest(n *html.Node, ok func(*html.Node) bool) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && ok(n) {
			return n
		}
	}
	return nil
}

// rawText is the text of a node's children alone, as title and option have it.
func rawText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// oneLine strips and collapses the blanks of s.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// elements yields the elements of a tree in order.
func elements(root *html.Node) func(yield func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		for n := range root.Descendants() {
			if n.Type == html.ElementNode && !yield(n) {
				return
			}
		}
	}
}
