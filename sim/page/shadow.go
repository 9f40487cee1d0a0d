package page

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// slotName is the slot that a child of a host asks for.
func slotName(n *html.Node) string {
	if n.Type != html.ElementNode {
		return ""
	}
	return attr(n, "slot")
}

// slotOf is the slot of a shadow root that shows a child of its host (DOM, 4.2.2.3):
// the first one of that name.
func (d *document) slotOf(s *shadow, n *html.Node) *html.Node {
	for e := range elements(s.root) {
		if is(e, atom.Slot) && attr(e, "name") == slotName(n) {
			return e
		}
	}
	return nil
}

// children are what is rendered below n: the shadow root of a host, what a slot
// shows, else its children. Of a closed shadow root, which no script can read, what its
// slots show.
func (d *document) children(n *html.Node) []*html.Node {
	if s := d.shadows[n]; s != nil && s.open {
		return list(s.root)
	} else if s != nil {
		var slotted []*html.Node
		for c := range n.ChildNodes() {
			if d.slotOf(s, c) != nil {
				slotted = append(slotted, c)
			}
		}
		return slotted
	}
	if is(n, atom.Slot) {
		if host := d.hostOf(rootOf(n)); host != nil && d.slotOf(d.shadows[host], named(n)) == n {
			var shown []*html.Node
			for c := range host.ChildNodes() {
				if c.Type != html.CommentNode && slotName(c) == attr(n, "name") {
					shown = append(shown, c)
				}
			}
			if len(shown) > 0 {
				return shown
			}
		}
	}
	return list(n)
}

// named is a node that asks for the slot s.
func named(s *html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode}
	setAttr(n, "slot", attr(s, "name"))
	return n
}

func list(n *html.Node) []*html.Node {
	var all []*html.Node
	for c := range n.ChildNodes() {
		all = append(all, c)
	}
	return all
}

// trees are the document's tree and its open shadow roots, in order of their hosts.
func (d *document) trees() []*html.Node {
	all := []*html.Node{d.root}
	for i := 0; i < len(all); i++ {
		for n := range elements(all[i]) {
			if s := d.shadows[n]; s != nil && s.open {
				all = append(all, s.root)
			}
		}
	}
	return all
}
