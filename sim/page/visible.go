package page

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// notRendered are the elements that are never displayed (HTML, 15.3.1).
func notRendered(n *html.Node) bool {
	return is(n, atom.Area, atom.Base, atom.Basefont, atom.Datalist, atom.Head, atom.Link, atom.Meta, atom.Noembed, atom.Noframes,
		atom.Noscript, atom.Param, atom.Rp, atom.Script, atom.Style, atom.Template, atom.Title)
}

// undisplayed says why n has no box, by itself; "" if it has one.
func (d *document) undisplayed(n *html.Node) string {
	if notRendered(n) {
		return "a " + n.Data + " element is not rendered"
	}
	if is(n, atom.Input) && kind(n) == "hidden" {
		return "it is of type hidden"
	}
	s := d.computed(n)
	if s.display == "none" {
		return "it has display: none"
	}
	if s.display != "" {
		return ""
	}
	switch {
	case has(n, "hidden"):
		return "it is hidden"
	case is(n, atom.Dialog) && !has(n, "open"):
		return "the dialog is not open"
	case has(n, "popover") && !d.popovers[n]:
		return "the popover is not shown"
	case is(n.Parent, atom.Details) && !has(n.Parent, "open") && n != firstSummary(n.Parent):
		return "the details are closed"
	}
	return ""
}

func firstSummary(details *html.Node) *html.Node {
	for c := range details.ChildNodes() {
		if is(c, atom.Summary) {
			return c
		}
	}
	return nil
}

// up is the parent of n in what is rendered: for a node of a shadow root its host,
// for a child of a host the slot that shows it.
func (d *document) up(n *html.Node) *html.Node {
	p := n.Parent
	if p == nil {
		return nil
	}
	if p.Type == html.DocumentNode {
		return d.hostOf(p)
	}
	if s := d.shadows[p]; s != nil {
		return d.slotOf(s, n)
	}
	return p
}

// hostOf is the host of a shadow root; nil for the document.
func (d *document) hostOf(root *html.Node) *html.Node {
	if root == d.root {
		return nil
	}
	for host, s := range d.shadows {
		if s.root == root {
			return host
		}
	}
	return nil
}

// hiddenWhy says why nobody sees n; "" if it is seen.
func (d *document) hiddenWhy(n *html.Node) string {
	if n.Type != html.ElementNode {
		n = n.Parent
	}
	visibility := ""
	for e := n; e != nil; {
		if why := d.undisplayed(e); why != "" && !(is(e, atom.Option, atom.Optgroup) && e == n) {
			if e == n {
				return why
			}
			return "it is in " + d.describe(e) + ": " + why
		}
		if visibility == "" {
			visibility = d.computed(e).visibility
		}
		next := d.up(e)
		if next == nil && e.Parent != nil && d.shadows[e.Parent] != nil {
			return "the shadow root of its host shows it in no slot"
		}
		e = next
	}
	switch visibility {
	case "hidden", "collapse":
		return "it has visibility: " + visibility
	}
	if d.parent != nil {
		if why := d.parent.hiddenWhy(d.element); why != "" {
			return "its frame is not seen: " + why
		}
	}
	return ""
}

// shown reports whether n is seen.
func (d *document) shown(n *html.Node) bool { return d.hiddenWhy(n) == "" }

// inertWhy says why a person cannot reach n: it or something around it is inert,
// or a modal dialog keeps everything else from being reached.
func (d *document) inertWhy(n *html.Node) string {
	modal := d.modal()
	inside := modal == nil
	for e := n; e != nil; e = d.up(e) {
		if e == modal {
			inside = true
			break
		}
		if has(e, "inert") {
			if e == n {
				return "it is inert"
			}
			return "it is in " + d.describe(e) + ", which is inert"
		}
	}
	if !inside {
		return "it is covered by the modal dialog " + d.describe(modal)
	}
	if d.parent != nil {
		return d.parent.inertWhy(d.element)
	}
	return ""
}

// modal is the open dialog that was opened last as a modal one.
func (d *document) modal() *html.Node {
	if len(d.modals) == 0 {
		return nil
	}
	return d.modals[len(d.modals)-1]
}

// connected reports whether n is in the document still.
func connected(d *document, n *html.Node) bool {
	for range 100000 {
		root := rootOf(n)
		if root == d.root {
			return true
		}
		if n = d.hostOf(root); n == nil {
			return false
		}
	}
	return false
}
