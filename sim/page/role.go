package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// role is the ARIA role of an element (HTML-AAM 1.0, section 3.5); "" if it has none
// worth a line: generic, none, presentation and what only gives others a name.
func (d *document) role(n *html.Node) string {
	if n.Type != html.ElementNode {
		return ""
	}
	own, said := d.implicitRole(n), d.explicitRole(n)
	switch {
	case said == "none" || said == "presentation":
		// Roles conflict resolution (WAI-ARIA 1.2, 8.5): what can be focused or has a
		// global attribute keeps its role.
		if d.focusable(n) || globalARIA(n) {
			return own
		}
		return ""
	case said == "generic":
		return ""
	case said != "":
		return said
	}
	return own
}

// explicitRole is the first role of the role attribute that ARIA knows.
func (d *document) explicitRole(n *html.Node) string {
	for _, token := range strings.Fields(word(n, "role")) {
		if slices.Contains(ariaRoles, token) {
			if token == "image" {
				return "img"
			}
			return token
		}
	}
	return ""
}

var ariaRoles = strings.Fields(`alert alertdialog application article banner blockquote button caption cell checkbox code columnheader
combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell
group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader
scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel
term textbox time timer toolbar tooltip tree treegrid treeitem`)

// globalARIA reports whether n has a global ARIA attribute, aria-hidden and
// aria-disabled aside.
func globalARIA(n *html.Node) bool {
	for _, name := range []string{
		"aria-atomic", "aria-busy", "aria-controls", "aria-current", "aria-describedby", "aria-details", "aria-dropeffect", "aria-flowto",
		"aria-grabbed", "aria-keyshortcuts", "aria-label", "aria-labelledby", "aria-live", "aria-owns", "aria-relevant", "aria-roledescription",
	} {
		if strings.TrimSpace(attr(n, name)) != "" {
			return true
		}
	}
	return false
}

// implicitRoles are those that an element has always.
var implicitRoles = map[string]string{
	"address": "group", "article": "article", "aside": "complementary", "blockquote": "blockquote", "button": "button", "caption": "caption", "code": "code",
	"dd": "definition", "del": "deletion", "details": "group", "dialog": "dialog", "dt": "term", "em": "emphasis",
	"fieldset": "group", "figure": "figure", "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading", "h6": "heading", "hgroup": "group",
	"hr": "separator", "iframe": "iframe", "frame": "iframe", "ins": "insertion", "li": "listitem", "main": "main", "mark": "mark",
	"math": "math", "menu": "list", "meter": "meter", "nav": "navigation", "ol": "list", "optgroup": "group", "option": "option",
	"output": "status", "p": "paragraph", "progress": "progressbar", "search": "search", "strong": "strong", "sub": "subscript",
	"summary": "button", "sup": "superscript", "table": "table", "tbody": "rowgroup", "textarea": "textbox", "tfoot": "rowgroup",
	"thead": "rowgroup", "time": "time", "tr": "row", "ul": "list",
}

// inline are the roles of words in a text, which a snapshot leaves out: their
// children stand in their place.
var inline = []string{"caption", "code", "deletion", "emphasis", "insertion", "mark", "strong", "subscript", "superscript", "time"}

func (d *document) implicitRole(n *html.Node) string {
	if n.Namespace == "svg" {
		if n.Data == "svg" && d.name(n) != "" {
			return "img"
		}
		return ""
	}
	switch n.DataAtom {
	case atom.A, atom.Area:
		if has(n, "href") {
			return "link"
		}
		return ""
	case atom.Img:
		if alt, ok := lookup(n, "alt"); ok && alt == "" && !globalARIA(n) {
			return ""
		}
		return "img"
	case atom.Input:
		return inputRole(n)
	case atom.Select:
		if multiple(n) || displaySize(n) > 1 {
			return "listbox"
		}
		return "combobox"
	case atom.Header, atom.Footer:
		if closest(n.Parent, sectioning) != nil {
			return ""
		}
		return map[atom.Atom]string{atom.Header: "banner", atom.Footer: "contentinfo"}[n.DataAtom]
	case atom.Section:
		if d.name(n) != "" {
			return "region"
		}
		return ""
	case atom.Form:
		if d.name(n) != "" {
			return "form"
		}
		return ""
	case atom.Th:
		if s := word(n, "scope"); s == "row" || s == "rowgroup" {
			return "rowheader"
		}
		return "columnheader"
	case atom.Td:
		return "cell"
	case atom.Summary:
		if !is(n.Parent, atom.Details) || firstSummary(n.Parent) != n {
			return ""
		}
	case atom.Li:
		if !is(n.Parent, atom.Ul, atom.Ol, atom.Menu) && d.hostOf(rootOf(n)) == nil {
			return ""
		}
	}
	if r := implicitRoles[n.Data]; r != "" && !slices.Contains(inline, r) {
		return r
	}
	if editingHost(n) {
		return "textbox"
	}
	return ""
}

// sectioning are the elements in which a header or footer is no landmark.
func sectioning(n *html.Node) bool {
	return is(n, atom.Article, atom.Aside, atom.Main, atom.Nav, atom.Section)
}

func inputRole(n *html.Node) string {
	switch t := kind(n); t {
	case "button", "image", "reset", "submit", "file", "color":
		return "button"
	case "checkbox":
		return "checkbox"
	case "radio":
		return "radio"
	case "range":
		return "slider"
	case "number":
		return "spinbutton"
	case "hidden":
		return ""
	case "search", "email", "tel", "text", "url":
		if has(n, "list") {
			return "combobox"
		}
		if t == "search" {
			return "searchbox"
		}
	}
	return "textbox"
}

// editable is the contenteditable attribute of an element: on, off, or not there.
func editable(n *html.Node) (on, there bool) {
	v, ok := lookup(n, "contenteditable")
	if !ok {
		return false, false
	}
	switch strings.ToLower(v) {
	case "", "true", "plaintext-only":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// editingHost reports whether n is one (HTML, 6.8.4): it makes itself editable.
func editingHost(n *html.Node) bool {
	on, _ := editable(n)
	return on
}

// hostOfEditing is the editing host that n is in.
func hostOfEditing(n *html.Node) *html.Node {
	var host *html.Node
	for e := n; e != nil; e = e.Parent {
		on, there := editable(e)
		if there && !on {
			break
		}
		if on {
			host = e
			break
		}
	}
	return host
}
