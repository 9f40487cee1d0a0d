package generate

import (
	"slices"
	"strings"
)

// State is a page at one moment. [State.Do] takes it from one to the next. It
// is not safe for use by several goroutines.
type State struct {
	page     *Page
	value    map[*control]string
	checked  map[*control]bool
	selected map[*control][]*option
	// edited are the controls whose last change was a person's.
	edited map[*control]bool
	open   map[*details]bool
	typed  map[*item]string
}

// Begin is the state of the page after it is loaded.
func (p *Page) Begin() *State {
	s := &State{
		page: p, value: map[*control]string{}, checked: map[*control]bool{}, selected: map[*control][]*option{},
		edited: map[*control]bool{}, open: map[*details]bool{}, typed: map[*item]string{},
	}
	for _, c := range p.controls {
		s.reset(c)
	}
	for _, it := range p.items {
		if it.summary != nil {
			s.open[it.summary] = it.summary.open
		}
	}
	return s
}

// reset gives a control its default (HTML 4.10.22.5). Of a radio group the last
// one that is checked stays so.
func (s *State) reset(c *control) {
	s.value[c], s.selected[c] = c.initial(), c.chosen()
	delete(s.edited, c)
	s.checked[c] = false
	if c.checked {
		s.check(c, true)
	}
}

func (s *State) check(c *control, on bool) {
	if on && c.typ == "radio" {
		for _, o := range s.group(c) {
			s.checked[o] = false
		}
	}
	s.checked[c] = on
}

// group is the radio button group of c (HTML 4.10.5.1.17).
func (s *State) group(c *control) []*control {
	if c.name == "" {
		return []*control{c}
	}
	var g []*control
	for _, o := range s.page.controls {
		// Without a form the group is that of the tree, which a frame ends.
		if o.typ == "radio" && o.tag == "input" && o.name == c.name && o.form == c.form && o.root == c.root {
			g = append(g, o)
		}
	}
	return g
}

// Node is an element that the page shows: what a snapshot must hold.
type Node struct {
	// ID is the element's id attribute, Frame that of its iframe.
	ID, Frame string
	Tag       string
	// Stated says that Role is one.
	Stated bool
	// Role is the ARIA role, "" where no standard gives the element one (input
	// type=date). Name is the accessible name, whitespace collapsed.
	Role, Name string
	// Value is what a control holds: text, a number, the labels of the selected
	// options, with a comma between. Secret says that it must not be shown.
	Value  string
	Secret bool
	// Level is a heading's.
	Level int
	// The states.
	Checked, Disabled, Required, Readonly, Selected bool
	// Expanded is "true", "false" or "" for what cannot be.
	Expanded, Pressed string
	// Interactive says that it takes input.
	Interactive bool
}

// shown says that the item has a box now, exposed that it stands in the
// accessibility tree.
func (s *State) shown(it *item) bool {
	return it.invisible == "" && !slices.ContainsFunc(it.within, func(d *details) bool { return !s.open[d] })
}

func (s *State) exposed(it *item) bool { return s.shown(it) && it.unexposed == "" }

// Nodes are the elements that a snapshot must hold, in document order.
func (s *State) Nodes() []Node {
	var nodes []Node
	for _, it := range s.page.items {
		if s.exposed(it) && it.role != "none" && it.labels == nil {
			nodes = append(nodes, s.node(it))
		}
	}
	return nodes
}

// Unexposed are the ids of elements that no snapshot may hold.
func (s *State) Unexposed() []string {
	var ids []string
	for _, it := range s.page.items {
		if !s.exposed(it) {
			ids = append(ids, it.id)
		}
	}
	return ids
}

func (s *State) node(it *item) Node {
	n := Node{ID: it.id, Frame: it.frame, Tag: it.tag, Stated: it.stated, Role: it.role, Name: it.name, Value: it.value, Level: it.level}
	for _, st := range it.states {
		switch st {
		case "pressed":
			n.Pressed = "true"
		case "unpressed":
			n.Pressed = "false"
		case "expanded":
			n.Expanded = "true"
		case "collapsed":
			n.Expanded = "false"
		case "checked":
			n.Checked = true
		case "disabled":
			n.Disabled = true
		case "required":
			n.Required = true
		}
	}
	n.Interactive = it.control != nil || it.href != nil || it.summary != nil || it.option != nil || it.edits || it.acts()
	if it.summary != nil {
		n.Expanded = "false"
		if s.open[it.summary] {
			n.Expanded = "true"
		}
	}
	if it.edits {
		n.Value = s.typed[it]
	}
	c := it.control
	if c == nil {
		return n
	}
	if o := it.option; o != nil {
		n.Selected = slices.Contains(s.selected[c], o)
		n.Disabled = o.disabled || c.disabled
		return n
	}
	n.Disabled = n.Disabled || c.disabled
	n.Readonly = c.readonly && !c.checkable() && c.tag != "select" && !c.button() && c.typ != "range" && c.typ != "color" && c.typ != "file"
	n.Required = n.Required || c.required && !c.button() && c.typ != "range" && c.typ != "color"
	n.Secret = c.typ == "password" && c.tag == "input"
	switch {
	case c.checkable():
		n.Checked = s.checked[c]
	case c.tag == "select":
		var labels []string
		for _, o := range s.selected[c] {
			labels = append(labels, o.label)
		}
		n.Value = strings.Join(labels, ", ")
	case !c.button() && c.typ != "file":
		n.Value = s.value[c]
	}
	return n
}

// acts says that the role of the item is a widget's.
func (it *item) acts() bool {
	return slices.Contains([]string{"button", "checkbox", "switch", "tab", "menuitem", "link", "radio", "textbox", "slider", "option"}, it.role)
}
