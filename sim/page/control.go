package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// control is the live state of a form control (HTML, 4.10.18): what differs from
// its attributes once somebody has acted on it.
type control struct {
	// value is that of an input or a textarea once dirty.
	value string
	dirty bool
	// typed says that a person made the value, which the length constraints ask.
	typed bool
	// bad is text that was typed into a number or date input and is none.
	bad bool
	// checked is that of a checkbox or radio button, selected that of an option,
	// once set says so.
	checked, selected, set bool
	mixed                  bool
	// uncommitted: the value was typed, and no change was told yet.
	uncommitted bool
	// allSelected: Control+A selected all of the text.
	allSelected bool
	files       []file
	// raw is what was typed, where value is empty because it is none.
	raw string
}

// file is a file of an input; Body is what the site gets.
type file struct {
	name, kind string
	body       []byte
}

// live is the state of n, made when it is first asked for.
func (d *document) live(n *html.Node) *control {
	s := d.state[n]
	if s == nil {
		s = &control{}
		d.state[n] = s
	}
	return s
}

// kind is the type of an input, or its element's name for any other control.
func kind(n *html.Node) string {
	if !is(n, atom.Input) {
		if is(n, atom.Button) {
			if t := word(n, "type"); t == "reset" || t == "button" {
				return t
			}
			return "submit"
		}
		if n.Type == html.ElementNode {
			return n.Data
		}
		return ""
	}
	t := word(n, "type")
	if slices.Contains(inputTypes, t) {
		return t
	}
	return "text"
}

var inputTypes = []string{
	"hidden", "text", "search", "tel", "url", "email", "password", "date", "month", "week", "time", "datetime-local", "number", "range",
	"color", "checkbox", "radio", "file", "submit", "image", "reset", "button",
}

// textual are the inputs into which text is typed (HTML, 4.10.5.1).
var textual = []string{"text", "search", "tel", "url", "email", "password", "number"}

// settable are the inputs whose value is picked, not typed.
var settable = []string{"date", "month", "week", "time", "datetime-local", "range", "color"}

// textField reports whether text can be typed into n.
func textField(n *html.Node) bool {
	return is(n, atom.Textarea) || (is(n, atom.Input) && slices.Contains(textual, kind(n)))
}

func checkable(n *html.Node) bool {
	return is(n, atom.Input) && (kind(n) == "checkbox" || kind(n) == "radio")
}

// value is the value of a control as the form's entry list has it.
func (d *document) value(n *html.Node) string {
	switch {
	case is(n, atom.Select):
		for _, o := range d.selected(n) {
			return optionValue(o)
		}
		return ""
	case is(n, atom.Textarea):
		if s := d.state[n]; s != nil && s.dirty {
			return s.value
		}
		return newlines(rawText(n))
	case is(n, atom.Option):
		return optionValue(n)
	case is(n, atom.Output):
		return rawText(n)
	case is(n, atom.Input):
		switch t := kind(n); {
		case t == "file":
			if s := d.state[n]; s != nil && len(s.files) > 0 {
				return `C:\fakepath\` + s.files[0].name
			}
			return ""
		case checkable(n):
			if v, ok := lookup(n, "value"); ok {
				return v
			}
			return "on"
		case slices.Contains(textual, t) || slices.Contains(settable, t):
			if s := d.state[n]; s != nil && s.dirty {
				return s.value
			}
			return sanitized(n, attr(n, "value"))
		}
	}
	return attr(n, "value")
}

// newlines are an API value's: CRLF and CR become LF.
func newlines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// setValue sets the value as a script or a picker does.
func (d *document) setValue(n *html.Node, v string) {
	s := d.live(n)
	if is(n, atom.Input) {
		v = sanitized(n, v)
	} else {
		v = newlines(v)
	}
	s.value, s.dirty, s.bad = v, true, false
}

func (d *document) checked(n *html.Node) bool {
	if s := d.state[n]; s != nil && s.set {
		return s.checked
	}
	if kind(n) == "radio" && has(n, "checked") {
		// The parser checks them one after the other: the last one of a group wins.
		for _, other := range d.group(n) {
			if other == n {
				continue
			}
			s := d.state[other]
			if untouched := s == nil || !s.set; untouched && has(other, "checked") && after(other, n) || !untouched && s.checked {
				return false
			}
		}
	}
	return has(n, "checked")
}

// setChecked sets the checkedness; a radio button takes it from its group.
func (d *document) setChecked(n *html.Node, checked bool) {
	if kind(n) == "radio" {
		group := d.group(n)
		before := make([]bool, len(group))
		for i, other := range group {
			before[i] = d.checked(other)
		}
		for i, other := range group {
			s := d.live(other)
			s.set, s.checked = true, before[i] && !checked
		}
	}
	s := d.live(n)
	s.set, s.checked, s.mixed = true, checked, false
}

// group is a radio button's group, itself too (HTML, 4.10.5.1.16).
func (d *document) group(n *html.Node) []*html.Node {
	name := attr(n, "name")
	if name == "" {
		return []*html.Node{n}
	}
	owner, root := d.owner(n), rootOf(n)
	var all []*html.Node
	for other := range elements(root) {
		if is(other, atom.Input) && kind(other) == "radio" && attr(other, "name") == name && d.owner(other) == owner {
			all = append(all, other)
		}
	}
	return all
}

// after reports whether a stands behind b in their tree.
func after(a, b *html.Node) bool {
	for n := range elements(rootOf(a)) {
		switch n {
		case a:
			return false
		case b:
			return true
		}
	}
	return false
}

// rootOf is the root of the tree that n is in: the document or a shadow root.
func rootOf(n *html.Node) *html.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// options are a select's list of options, those of its groups too.
func options(sel *html.Node) []*html.Node {
	var all []*html.Node
	for n := range elements(sel) {
		if is(n, atom.Option) {
			all = append(all, n)
		}
	}
	return all
}

// multiple and the display size of a select (HTML, 4.10.7).
func multiple(sel *html.Node) bool { return has(sel, "multiple") }

func displaySize(sel *html.Node) int {
	if n, ok := nonNegative(attr(sel, "size")); ok && n > 0 {
		return n
	}
	if multiple(sel) {
		return 4
	}
	return 1
}

// selected are the options of a select that are selected.
func (d *document) selected(sel *html.Node) []*html.Node {
	var chosen []*html.Node
	all := options(sel)
	for _, o := range all {
		if s := d.state[o]; s != nil && s.set {
			if s.selected {
				chosen = append(chosen, o)
			}
		} else if has(o, "selected") {
			chosen = append(chosen, o)
		}
	}
	if multiple(sel) {
		return chosen
	}
	if len(chosen) > 0 {
		return chosen[len(chosen)-1:]
	}
	if s := d.state[sel]; (s == nil || !s.set) && displaySize(sel) == 1 {
		for _, o := range all {
			if !optionDisabled(o) {
				return []*html.Node{o}
			}
		}
	}
	return nil
}

// choose selects exactly these options.
func (d *document) choose(sel *html.Node, chosen []*html.Node) {
	d.live(sel).set = true
	for _, o := range options(sel) {
		s := d.live(o)
		s.set, s.selected = true, slices.Contains(chosen, o)
	}
}

func optionValue(o *html.Node) string {
	if v, ok := lookup(o, "value"); ok {
		return v
	}
	return oneLine(optionText(o))
}

// optionLabel is what a person reads.
func optionLabel(o *html.Node) string {
	if v := attr(o, "label"); v != "" {
		return v
	}
	return oneLine(optionText(o))
}

// optionText is the text of an option without that of its scripts.
func optionText(o *html.Node) string {
	var b strings.Builder
	for n := range o.Descendants() {
		if n.Type == html.TextNode && !is(n.Parent, atom.Script) {
			b.WriteString(n.Data)
		}
	}
	return b.String()
}

func optionDisabled(o *html.Node) bool {
	return has(o, "disabled") || (is(o.Parent, atom.Optgroup) && has(o.Parent, "disabled"))
}

// selectOf is the select that an option is in.
func selectOf(o *html.Node) *html.Node {
	return closest(o.Parent, func(n *html.Node) bool { return is(n, atom.Select) })
}
