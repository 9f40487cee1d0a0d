package page

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// states are the words for an element's states, in the order in which a snapshot
// has them.
func (d *document) states(n *html.Node, role string) []string {
	var words []string
	if role == "heading" {
		words = append(words, "level="+strconv.Itoa(headingLevel(n)))
	}
	if d.disabledWhy(n) != "" {
		words = append(words, "disabled")
	}
	for _, name := range []string{"checked", "pressed", "expanded", "selected", "invalid", "readonly", "required", "current"} {
		switch v := d.stateOf(n, name, role); {
		case v == "true":
			words = append(words, name)
		case v == "mixed":
			words = append(words, name+"=mixed")
		case v == "false" && name == "expanded":
			words = append(words, "collapsed")
		case name == "current" && v != "" && v != "false":
			words = append(words, name)
		case name == "invalid" && (v == "grammar" || v == "spelling"):
			words = append(words, name)
		}
	}
	if n == d.focus && d.focused() {
		words = append(words, "focused")
	}
	return words
}

// stateOf is a state as ARIA writes it: true, false, mixed; "" if n has none.
func (d *document) stateOf(n *html.Node, name, role string) string {
	yes := map[bool]string{true: "true", false: "false"}
	switch {
	case name == "checked" && checkable(n):
		if s := d.state[n]; s != nil && s.mixed {
			return "mixed"
		}
		return yes[d.checked(n)]
	case name == "selected" && is(n, atom.Option):
		if sel := selectOf(n); sel != nil {
			return yes[slices.Contains(d.selected(sel), n)]
		}
	case name == "expanded" && is(n, atom.Summary) && role == "button":
		return yes[has(n.Parent, "open")]
	case name == "required" && required(n):
		return "true"
	case name == "readonly" && has(n, "readonly") && takesReadonly(n):
		return "true"
	}
	return strings.ToLower(strings.TrimSpace(attr(n, "aria-"+name)))
}

func headingLevel(n *html.Node) int {
	if level, ok := nonNegative(attr(n, "aria-level")); ok && level > 0 {
		return level
	}
	if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 2
}

// disabledWhy says what keeps n from taking input; "" if nothing does.
func (d *document) disabledWhy(n *html.Node) string {
	if sel := selectOf(n); sel != nil && disabled(sel) {
		return "its select is disabled"
	}
	if disabled(n) {
		if by := disabledBy(n); by != nil && !has(n, "disabled") {
			return "it is disabled by " + d.describe(by)
		}
		return "it is disabled"
	}
	for e := n; e != nil; e = d.up(e) {
		if word(e, "aria-disabled") == "true" {
			if e == n {
				return "it is disabled (aria-disabled)"
			}
			return "it is disabled by " + d.describe(e)
		}
	}
	return ""
}

// shownValue is what stands in an element that takes a value, on one line; never
// a password.
func (d *document) shownValue(n *html.Node, role string) string {
	switch {
	case is(n, atom.Input):
		if kind(n) == "password" || checkable(n) || role == "button" && kind(n) != "color" {
			return ""
		}
		return oneLine(d.value(n))
	case is(n, atom.Textarea):
		return oneLine(d.value(n))
	case is(n, atom.Select):
		var all []string
		for _, o := range d.selected(n) {
			all = append(all, optionLabel(o))
		}
		return oneLine(strings.Join(all, ", "))
	case is(n, atom.Progress, atom.Meter):
		return gauge(n)
	case role == "textbox" && editingHost(n):
		return oneLine(d.innerText(n))
	}
	if v, ok := lookup(n, "aria-valuetext"); ok {
		return v
	}
	return attr(n, "aria-valuenow")
}

// gauge is the value of a progress or meter element, within its bounds.
func gauge(n *html.Node) string {
	v, ok := float(attr(n, "value"))
	if !ok {
		if is(n, atom.Meter) && has(n, "value") {
			return "0"
		}
		return ""
	}
	least, most := 0.0, bound(n, "max", 1)
	if is(n, atom.Meter) {
		least = bound(n, "min", 0)
	} else if most <= 0 {
		most = 1
	}
	return number(max(least, min(v, max(least, most))))
}
