package page

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// snapshotNodes and snapshotCharacters bound the text of a snapshot (LIMIT-11).
// Characters are code units, as JavaScript counts them.
const (
	snapshotNodes      = 4000
	snapshotCharacters = 192000
)

// seen is a node of a snapshot.
type seen struct {
	role, name, value string
	// full is the accessible name; name may be left out of the line.
	full   string
	states []string
	d      *document
	// n is nil for a piece of text.
	n     *html.Node
	below []*seen
}

// readAll reads what is rendered below a node of the tree.
func (d *document) readAll(nodes []*html.Node) []*seen {
	var all []*seen
	for _, n := range nodes {
		switch n.Type {
		case html.TextNode:
			all = append(all, text(n.Data))
		case html.ElementNode:
			all = append(all, d.read1(n)...)
		}
	}
	return all
}

func text(s string) *seen { return &seen{role: "text", name: s} }

// read1 reads an element: its node, or those that stand in the place of one that has
// no role.
func (d *document) read1(n *html.Node) []*seen {
	if is(n, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Head, atom.Meta, atom.Link, atom.Base, atom.Title) {
		return nil
	}
	if word(n, "aria-hidden") == "true" || has(n, "inert") || (d.undisplayed(n) != "" && !is(n, atom.Option, atom.Optgroup)) {
		return nil
	}
	role := ""
	if !d.invisible(n) || is(n, atom.Option) {
		role = d.role(n)
	}
	if role == "" {
		return unsaid(merged(d.readAll(d.visibleText(n))), d.saidFor(n))
	}
	name := d.name(n)
	s := &seen{role: role, name: name, full: name, states: d.states(n, role), value: d.shownValue(n, role), d: d, n: n, below: d.inside(n, role)}
	if slices.Contains(namedByContent, role) {
		s.below = unsaid(s.below, name)
	}
	if slices.Contains(holders, role) && !has(n, "aria-label") && !has(n, "aria-labelledby") &&
		slices.ContainsFunc(s.below, func(b *seen) bool { return b.n != nil }) {
		s.name = ""
	}
	if len(s.below) == 1 && s.below[0].n == nil && s.value == "" {
		if only := s.below[0].name; only != name {
			s.value = only
		}
		s.below = nil
	}
	return []*seen{s}
}

// holders are the roles that only hold others: the names of those, one after the
// other, say nothing new.
var holders = []string{"cell", "columnheader", "gridcell", "row", "rowheader"}

// unsaid drops the text that a name says already.
func unsaid(nodes []*seen, name string) []*seen {
	if name == "" {
		return nodes
	}
	return slices.DeleteFunc(nodes, func(b *seen) bool { return b.n == nil && strings.Contains(name, b.name) })
}

// saidFor is the name that a label or a legend gives to another element, whose line
// says it.
func (d *document) saidFor(n *html.Node) string {
	var named *html.Node
	switch {
	case is(n, atom.Label):
		named = d.labeled(n)
	case is(n, atom.Legend):
		named = n.Parent
	}
	if named == nil || d.unseen(named) {
		return ""
	}
	return d.name(named)
}

// invisible reports whether the nearest element that says so hides n.
func (d *document) invisible(n *html.Node) bool {
	for e := n; e != nil; e = d.up(e) {
		if v := d.computed(e).visibility; v != "" {
			return v == "hidden" || v == "collapse"
		}
	}
	return false
}

// visibleText are the children of n, without its text if nobody sees it.
func (d *document) visibleText(n *html.Node) []*html.Node {
	nodes := d.children(n)
	if d.invisible(n) {
		nodes = slices.DeleteFunc(nodes, func(c *html.Node) bool { return c.Type == html.TextNode })
	}
	return nodes
}

func (d *document) inside(n *html.Node, role string) []*seen {
	switch {
	case role == "iframe":
		f := d.frames[n]
		if f == nil {
			return []*seen{text("(the frame was not read: it has no document)")}
		}
		return merged(f.readAll(list(f.root)))
	case role == "img" || role == "textbox" || role == "searchbox":
		return nil
	case is(n, atom.Select):
		var all []*seen
		for c := range n.ChildNodes() {
			if is(c, atom.Option, atom.Optgroup) {
				all = append(all, d.read1(c)...)
			}
		}
		return all
	}
	return merged(d.readAll(d.visibleText(n)))
}

// merged joins pieces of text that follow each other and drops empty ones.
func merged(nodes []*seen) []*seen {
	var out []*seen
	for _, s := range nodes {
		if last := len(out) - 1; s.n == nil && last >= 0 && out[last].n == nil {
			out[last] = text(out[last].name + s.name)
			continue
		}
		out = append(out, s)
	}
	return slices.DeleteFunc(out, func(s *seen) bool {
		if s.n == nil {
			s.name = oneLine(s.name)
		}
		return s.n == nil && s.name == ""
	})
}

// interactiveRoles take input, or are acted on.
var interactiveRoles = []string{
	"button", "checkbox", "combobox", "gridcell", "iframe", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
	"radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem",
}

func (s *seen) interactive() bool {
	if s.n == nil {
		return false
	}
	if slices.Contains(interactiveRoles, s.role) || editingHost(s.n) {
		return true
	}
	index, err := strconv.Atoi(strings.TrimSpace(attr(s.n, "tabindex")))
	return err == nil && index >= 0
}

// unreferenced are the roles of mere structure, which nobody acts on.
var unreferenced = []string{
	"text", "paragraph", "list", "listitem", "row", "rowgroup", "table", "term", "definition", "blockquote", "separator",
}

// snapshotText is a snapshot as text.
type snapshotText struct {
	Nodes     int    `json:"nodes"`
	Text      string `json:"text"`
	Title     string `json:"title"`
	Truncated bool   `json:"truncated"`
	URL       string `json:"url"`
}

// write writes nodes, a line each, and gives them references.
func (h *holding) write(nodes []*seen, interactive bool) snapshotText {
	var out snapshotText
	var b strings.Builder
	characters := 0
	var visit func(s *seen, depth int)
	visit = func(s *seen, depth int) {
		if out.Truncated {
			return
		}
		if !interactive || s.interactive() {
			if interactive {
				depth = 0
			}
			line := strings.Repeat("  ", depth) + s.line(h)
			length := units(line) + 1
			if out.Nodes == snapshotNodes || characters+length > snapshotCharacters {
				out.Truncated = true
				return
			}
			if out.Nodes > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line)
			characters += length
			out.Nodes++
		}
		for _, c := range s.below {
			visit(c, depth+1)
		}
	}
	for _, s := range nodes {
		visit(s, 0)
	}
	out.Text = b.String()
	return out
}

// units is the length of s in JavaScript.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// line is a node's line: - role "name" [state ref=e5]: value.
func (s *seen) line(h *holding) string {
	out := "- " + s.role
	if s.name != "" {
		out += " " + quoted(s.name)
	}
	words := s.states
	if s.n != nil && !slices.Contains(unreferenced, s.role) {
		words = append(slices.Clip(words), "ref=e"+strconv.FormatInt(h.refs.number(s.d, s.n, s.role, s.full), 10))
	}
	if len(words) > 0 {
		out += " [" + strings.Join(words, " ") + "]"
	}
	if s.value != "" {
		out += ": " + s.value
	}
	return out
}

// snapshot performs the action of that name.
func (c *call) snapshot(b *tab) (any, error) {
	h := c.t.hold(c.session)
	d, err := c.frameArg(b)
	if err != nil {
		return nil, err
	}
	var nodes []*html.Node
	if c.has("ref") || c.has("selector") {
		at, err := c.locate(b, "")
		if err != nil {
			return nil, err
		}
		if at.n == nil {
			return nil, fail(protocol.NotActionable, "%s cannot be read: nothing matches it", c.text("selector"))
		}
		d, nodes = at.d, []*html.Node{at.n}
	} else {
		nodes = list(d.root)
	}
	h.refs.forget()
	d.begin()
	out := h.write(merged(d.readAll(nodes)), c.flag("interactive"))
	d.done()
	out.URL, out.Title = d.url.String(), d.title()
	return out, nil
}
