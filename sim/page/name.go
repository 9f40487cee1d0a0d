package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// name is the accessible name of an element on one line (accname 1.2, with the
// native names of HTML-AAM, section 4.1).
func (d *document) name(n *html.Node) string {
	if d.cache != nil {
		if got, ok := d.cache.names[n]; ok {
			return got
		}
	}
	name := oneLine((&naming{d: d, met: map[*html.Node]bool{}}).of(n, step{}))
	if d.cache != nil {
		d.cache.names[n] = name
	}
	return name
}

// naming is one computation; a node is asked once in it.
type naming struct {
	d   *document
	met map[*html.Node]bool
}

// step says how the computation came to a node.
type step struct {
	// inside: by walking a subtree or a label, not as the start.
	inside bool
	// referenced: by aria-labelledby or as a label; a node that is hidden then gives
	// its name all the same.
	referenced bool
	// hidden: below a hidden node that was referenced.
	hidden bool
}

func (a *naming) of(n *html.Node, s step) string {
	switch {
	case n.Type == html.TextNode:
		return n.Data
	case n.Type != html.ElementNode || a.met[n]:
		return ""
	}
	d := a.d
	// 2A: hidden and not referenced.
	if !s.hidden && d.unseen(n) {
		if !s.referenced {
			return ""
		}
		s.hidden = true
	}
	a.met[n] = true
	// 2B: aria-labelledby, but not on the way through another one.
	if !s.referenced || !s.inside {
		if refs := strings.Fields(attr(n, "aria-labelledby")); len(refs) > 0 && !s.inside {
			if text := a.referenced(n, refs); text != "" {
				return text
			}
		}
	}
	role := d.roleForName(n)
	// 2C: a control that stands in another one's label gives its value.
	if s.inside {
		if text, ok := d.embedded(n, role); ok {
			return text
		}
	}
	// 2D: aria-label.
	if text := strings.TrimSpace(attr(n, "aria-label")); text != "" {
		return text
	}
	// 2E: what HTML says.
	if role != "none" {
		if text := a.native(n, s); text != "" {
			return text
		}
	}
	// 2F: the content, where the role is named by it.
	if slices.Contains(namedByContent, role) || s.inside || s.referenced || is(n, atom.Legend, atom.Caption, atom.Label) {
		if text := a.content(n, s); strings.TrimSpace(text) != "" {
			return text
		}
	}
	// 2I: the tooltip.
	if text := strings.TrimSpace(attr(n, "title")); text != "" && !s.inside {
		return text
	}
	if hint := strings.TrimSpace(attr(n, "placeholder")); hint != "" && (textField(n) || has(n, "contenteditable")) && !s.inside {
		return hint
	}
	return ""
}

// unseen reports whether an element is hidden from everybody, by itself: nothing
// around it is asked, since the computation came through that.
func (d *document) unseen(n *html.Node) bool {
	if word(n, "aria-hidden") == "true" || (d.undisplayed(n) != "" && !is(n, atom.Option, atom.Optgroup)) {
		return true
	}
	v := d.computed(n).visibility
	return v == "hidden" || v == "collapse"
}

// roleForName is the role as the computation asks for it: form and section, whose
// role hangs on their name, have none.
func (d *document) roleForName(n *html.Node) string {
	if r := d.explicitRole(n); r != "" && r != "none" && r != "presentation" {
		return r
	} else if r != "" && !d.focusable(n) && !globalARIA(n) {
		return "none"
	}
	if is(n, atom.Form, atom.Section) || n.Namespace == "svg" {
		return ""
	}
	return d.implicitRole(n)
}

// namedByContent are the roles that take their name from their content (WAI-ARIA
// 1.2, 5.2.8.6).
var namedByContent = []string{
	"button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
	"radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem",
}

// referenced joins the names of the elements that aria-labelledby names.
func (a *naming) referenced(n *html.Node, ids []string) string {
	var all []string
	root := rootOf(n)
	for _, id := range ids {
		for e := range elements(root) {
			if attr(e, "id") == id {
				// Each reference starts afresh, so that an element may name itself.
				next := naming{d: a.d, met: map[*html.Node]bool{}}
				if text := oneLine(next.of(e, step{inside: true, referenced: true})); text != "" {
					all = append(all, text)
				}
				break
			}
		}
	}
	return strings.Join(all, " ")
}

// embedded is the value of a control inside of a label or a content (2C).
func (d *document) embedded(n *html.Node, role string) (string, bool) {
	switch role {
	case "textbox", "searchbox":
		if kind(n) == "password" && is(n, atom.Input) {
			return "", true
		}
		if textField(n) {
			return d.value(n), true
		}
		return rawText(n), true
	case "combobox", "listbox":
		if is(n, atom.Select) {
			var all []string
			for _, o := range d.selected(n) {
				all = append(all, optionLabel(o))
			}
			return strings.Join(all, " "), true
		}
		if is(n, atom.Input) {
			return d.value(n), true
		}
	case "slider", "spinbutton", "progressbar", "meter", "scrollbar":
		if text, ok := lookup(n, "aria-valuetext"); ok {
			return text, true
		}
		if text, ok := lookup(n, "aria-valuenow"); ok {
			return text, true
		}
		if is(n, atom.Input) {
			return d.value(n), true
		}
		return attr(n, "value"), true
	}
	return "", false
}

// native is the name that HTML gives an element by other means than its content
// (HTML-AAM, 4.1).
func (a *naming) native(n *html.Node, s step) string {
	switch {
	case is(n, atom.Input) && slices.Contains([]string{"button", "submit", "reset"}, kind(n)):
		if text := a.labels(n); text != "" {
			return text
		}
		if v, ok := lookup(n, "value"); ok {
			return v
		}
		return map[string]string{"submit": "Submit", "reset": "Reset"}[kind(n)]
	case is(n, atom.Input) && kind(n) == "image":
		for _, text := range []string{a.labels(n), attr(n, "alt"), attr(n, "title")} {
			if strings.TrimSpace(text) != "" {
				return text
			}
		}
		return "Submit Query"
	case labelable(n):
		return a.labels(n)
	case is(n, atom.Img, atom.Area):
		return attr(n, "alt")
	case is(n, atom.Fieldset):
		if l := firstLegend(n); l != nil {
			return a.of(l, step{inside: true, hidden: s.hidden})
		}
	case is(n, atom.Table):
		for c := range n.ChildNodes() {
			if is(c, atom.Caption) {
				return a.of(c, step{inside: true, hidden: s.hidden})
			}
		}
	case is(n, atom.Optgroup):
		return attr(n, "label")
	case is(n, atom.Option):
		return optionLabel(n)
	case n.Namespace == "svg" && n.Data == "svg":
		for c := range n.ChildNodes() {
			if c.Type == html.ElementNode && c.Data == "title" {
				return rawText(c)
			}
		}
	}
	return ""
}

// labels joins the texts of a control's labels.
func (a *naming) labels(n *html.Node) string {
	var all []string
	for _, l := range a.d.labels(n) {
		met := map[*html.Node]bool{n: true}
		if text := oneLine((&naming{d: a.d, met: met}).of(l, step{inside: true, referenced: true})); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, " ")
}

// content joins the names of what is below n; what is no inline box stands apart.
func (a *naming) content(n *html.Node, s step) string {
	var b strings.Builder
	for _, c := range a.d.children(n) {
		text := a.of(c, step{inside: true, hidden: s.hidden})
		if c.Type == html.ElementNode && a.d.block(c) {
			text = " " + text + " "
		}
		b.WriteString(text)
	}
	return b.String()
}

// block reports whether an element is no inline box.
func (d *document) block(n *html.Node) bool {
	if s := d.computed(n).display; s != "" {
		return s != "inline" && s != "contents"
	}
	if n.Namespace != "" {
		return false
	}
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data, atom.Del, atom.Dfn, atom.Em,
		atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Nobr, atom.Output, atom.Picture, atom.Q, atom.Ruby, atom.S, atom.Samp,
		atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr, atom.Br, atom.Slot,
		atom.Img, atom.Svg, atom.Canvas, atom.Audio, atom.Video:
		return false
	}
	return !strings.Contains(n.Data, "-")
}
