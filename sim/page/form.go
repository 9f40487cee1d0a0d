package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// listed reports whether n is a listed element: one that a form has (HTML, 4.10.2).
func listed(n *html.Node) bool {
	return is(n, atom.Button, atom.Fieldset, atom.Input, atom.Object, atom.Output, atom.Select, atom.Textarea)
}

// owner is the form owner of a control (HTML, 4.10.18.3): that of its form
// attribute, else the one that the parser gave it, else the form around it.
func (d *document) owner(n *html.Node) *html.Node {
	if id, ok := lookup(n, "form"); ok && listed(n) {
		if id == "" {
			return nil
		}
		for e := range elements(rootOf(n)) {
			if attr(e, "id") == id {
				if is(e, atom.Form) {
					return e
				}
				return nil
			}
		}
		return nil
	}
	if f := d.owners[n]; f != nil && rootOf(f) == rootOf(n) {
		return f
	}
	return closest(n.Parent, func(n *html.Node) bool { return is(n, atom.Form) })
}

// controls are the listed elements of a form in tree order.
func (d *document) controls(form *html.Node) []*html.Node {
	var all []*html.Node
	for n := range elements(rootOf(form)) {
		if listed(n) && d.owner(n) == form {
			all = append(all, n)
		}
	}
	return all
}

// disabled reports whether a control takes no input (HTML, 4.10.18.5): by its
// attribute, or by a fieldset in whose first legend it is not.
func disabled(n *html.Node) bool {
	switch {
	case is(n, atom.Option):
		return optionDisabled(n)
	case is(n, atom.Optgroup):
		return has(n, "disabled")
	case !is(n, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Fieldset):
		return false
	case has(n, "disabled"):
		return true
	}
	return disabledBy(n) != nil
}

// disabledBy is the fieldset that disables n.
func disabledBy(n *html.Node) *html.Node {
	for child, p := n, n.Parent; p != nil; child, p = p, p.Parent {
		if is(p, atom.Fieldset) && has(p, "disabled") && firstLegend(p) != child {
			return p
		}
	}
	return nil
}

func firstLegend(fieldset *html.Node) *html.Node {
	for c := range fieldset.ChildNodes() {
		if is(c, atom.Legend) {
			return c
		}
	}
	return nil
}

// submitButton reports whether n is one: it submits the form that owns it.
func submitButton(n *html.Node) bool {
	return is(n, atom.Button, atom.Input) && (kind(n) == "submit" || kind(n) == "image")
}

// isButton reports whether n is a button in the sense of HTML, 4.10.2.
func isButton(n *html.Node) bool {
	if is(n, atom.Button) {
		return true
	}
	switch kind(n) {
	case "submit", "image", "reset", "button":
		return is(n, atom.Input)
	}
	return false
}

// labelable reports whether n may have labels (HTML, 4.10.2).
func labelable(n *html.Node) bool {
	return is(n, atom.Button, atom.Meter, atom.Output, atom.Progress, atom.Select, atom.Textarea) || (is(n, atom.Input) && kind(n) != "hidden")
}

// labeled is the control of a label (HTML, 4.10.4).
func (d *document) labeled(label *html.Node) *html.Node {
	if id, ok := lookup(label, "for"); ok {
		for n := range elements(rootOf(label)) {
			if attr(n, "id") == id && id != "" {
				if labelable(n) {
					return n
				}
				return nil
			}
		}
		return nil
	}
	for n := range elements(label) {
		if labelable(n) {
			return n
		}
	}
	return nil
}

// labels are the labels of a control in tree order.
func (d *document) labels(n *html.Node) []*html.Node {
	if !labelable(n) {
		return nil
	}
	if d.cache != nil {
		return d.cache.labelsOf(d, n)
	}
	var all []*html.Node
	for l := range elements(rootOf(n)) {
		if is(l, atom.Label) && d.labeled(l) == n {
			all = append(all, l)
		}
	}
	return all
}

// resetForm gives every control of a form its first state again (HTML, 4.10.22.5).
func (d *document) resetForm(form *html.Node) {
	for _, n := range d.controls(form) {
		delete(d.state, n)
		if is(n, atom.Select) {
			for _, o := range options(n) {
				delete(d.state, o)
			}
		}
	}
}

// method, enctype and the other attributes of a form that a submitter replaces
// (HTML, 4.10.18.6).
func formWord(form, submitter *html.Node, own, formattr string) string {
	if submitter != nil && has(submitter, formattr) {
		return word(submitter, formattr)
	}
	return word(form, own)
}

func formText(form, submitter *html.Node, own, formattr string) string {
	if submitter != nil && has(submitter, formattr) {
		return strings.TrimSpace(attr(submitter, formattr))
	}
	return strings.TrimSpace(attr(form, own))
}
