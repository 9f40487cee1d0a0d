package page

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// focusable reports whether an element is a focusable area (HTML, 6.6.3), be it seen
// or not.
func (d *document) focusable(n *html.Node) bool {
	if n.Type != html.ElementNode || disabled(n) {
		return false
	}
	if index, ok := lookup(n, "tabindex"); ok {
		if _, err := strconv.Atoi(strings.TrimSpace(index)); err == nil {
			return true
		}
	}
	switch n.DataAtom {
	case atom.A, atom.Area:
		return has(n, "href")
	case atom.Input:
		return kind(n) != "hidden"
	case atom.Button, atom.Select, atom.Textarea, atom.Iframe:
		return true
	case atom.Summary:
		return is(n.Parent, atom.Details) && firstSummary(n.Parent) == n
	case atom.Audio, atom.Video:
		return has(n, "controls")
	}
	return editingHost(n)
}

// focused reports whether the focus of the tab is in d.
func (d *document) focused() bool {
	for f := d; f.parent != nil; f = f.parent {
		if f.parent.focus != f.element {
			return false
		}
	}
	return true
}

// focusOn moves the focus to n, or to nothing; a change of the field that had it is
// told then.
func (c *call) focusOn(d *document, n *html.Node) {
	if d.focus != n && d.focus != nil {
		c.commit(d, d.focus)
		if connected(d, d.focus) {
			c.tell(d, d.focus, "blur")
		}
	}
	if d.focus == n && d.focused() {
		return
	}
	d.focus = n
	for f := d; f.parent != nil; f = f.parent {
		f.parent.focus = f.element
	}
	if n != nil {
		c.effect(d, "focus", n, "")
		c.tell(d, n, "focus")
	}
}

// commit tells of the change of a field that was typed into.
func (c *call) commit(d *document, n *html.Node) {
	s := d.state[n]
	if s == nil || !s.uncommitted {
		return
	}
	s.uncommitted = false
	c.effect(d, "change", n, "")
	c.tell(d, n, "change")
}

// focusNear is what a press of the mouse on n gives the focus to: the nearest
// focusable area around it.
func (c *call) focusNear(d *document, n *html.Node) {
	for e := n; e != nil; e = d.up(e) {
		if d.focusable(e) {
			c.focusOn(d, e)
			return
		}
	}
	c.focusOn(d, nil)
}

// tabOrder are the elements that Tab reaches, in order (HTML, 6.6.4): positive
// indexes first, then the rest in tree order; of a radio group one.
func (d *document) tabOrder() []element {
	var all []element
	var walk func(d *document, nodes []*html.Node)
	walk = func(d *document, nodes []*html.Node) {
		for _, n := range nodes {
			if n.Type != html.ElementNode {
				continue
			}
			if f := d.frames[n]; f != nil && d.shown(n) {
				walk(f, list(f.root))
				continue
			}
			if d.focusable(n) && tabIndex(n) >= 0 && d.shown(n) && d.inertWhy(n) == "" && d.tabStop(n) {
				all = append(all, element{d, n})
			}
			walk(d, d.children(n))
		}
	}
	walk(d, list(d.root))
	slices.SortStableFunc(all, func(a, b element) int {
		x, y := tabIndex(a.n), tabIndex(b.n)
		switch {
		case x == y:
			return 0
		case x == 0 || (y != 0 && y < x):
			return 1
		}
		return -1
	})
	return all
}

func tabIndex(n *html.Node) int {
	index, err := strconv.Atoi(strings.TrimSpace(attr(n, "tabindex")))
	if err != nil {
		return 0
	}
	return index
}

// tabStop reports whether a radio button is the one of its group that Tab reaches.
func (d *document) tabStop(n *html.Node) bool {
	if !is(n, atom.Input) || kind(n) != "radio" {
		return true
	}
	var first *html.Node
	for _, other := range d.group(n) {
		if disabled(other) {
			continue
		}
		if d.checked(other) {
			return other == n
		}
		if first == nil {
			first = other
		}
	}
	return first == n
}

// top is the document of the tab that d is in.
func (d *document) top() *document {
	for d.parent != nil {
		d = d.parent
	}
	return d
}

// active is the document and the element that have the focus of the tab.
func (d *document) active() element {
	for {
		f := d.frames[d.focus]
		if f == nil {
			return element{d, d.focus}
		}
		d = f
	}
}
