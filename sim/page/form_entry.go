package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// formEntry is one entry of a form's entry list. File is nil for text.
type formEntry struct {
	name, value string
	file        *file
}

// entryList constructs a form's entry list (HTML, 4.10.22.4). x and y are where
// an image button was clicked.
func (d *document) entryList(form, submitter *html.Node, x, y string) []formEntry {
	var list []formEntry
	add := func(name, value string) { list = append(list, formEntry{name: scalar(name), value: scalar(value)}) }
	for _, n := range d.controls(form) {
		if !submittable(n) || disabled(n) || inDatalist(n) || (isButton(n) && n != submitter) || (checkable(n) && !d.checked(n)) {
			continue
		}
		name := attr(n, "name")
		if is(n, atom.Input) && kind(n) == "image" {
			prefix := ""
			if name != "" {
				prefix = name + "."
			}
			add(prefix+"x", x)
			add(prefix+"y", y)
			continue
		}
		if name == "" {
			continue
		}
		switch {
		case is(n, atom.Select):
			for _, o := range d.selected(n) {
				if !optionDisabled(o) {
					add(name, optionValue(o))
				}
			}
		case kind(n) == "file" && is(n, atom.Input):
			files := d.live(n).files
			if len(files) == 0 {
				files = []file{{kind: "application/octet-stream"}}
			}
			for _, f := range files {
				list = append(list, formEntry{name: scalar(name), value: f.name, file: &f})
			}
		case is(n, atom.Input) && kind(n) == "hidden" && strings.EqualFold(name, "_charset_"):
			add(name, "UTF-8")
		case is(n, atom.Input) && kind(n) == "submit" && !has(n, "value"):
			// The standard says "", browsers send the label that they show.
			add(name, "Submit")
		default:
			add(name, d.value(n))
		}
		if dir := attr(n, "dirname"); dir != "" && (is(n, atom.Textarea) || takesDirname(n)) {
			add(dir, d.direction(n))
		}
	}
	return list
}

// submittable reports whether n is a submittable element (HTML, 4.10.2). An object
// has no entry since there are no plugins.
func submittable(n *html.Node) bool {
	return is(n, atom.Button, atom.Input, atom.Select, atom.Textarea)
}

func inDatalist(n *html.Node) bool {
	return closest(n.Parent, func(n *html.Node) bool { return is(n, atom.Datalist) }) != nil
}

func takesDirname(n *html.Node) bool {
	switch kind(n) {
	case "hidden", "text", "search", "tel", "url", "email", "password", "submit", "reset", "button":
		return is(n, atom.Input)
	}
	return false
}

// direction is the directionality of a control: that of the nearest dir attribute.
func (d *document) direction(n *html.Node) string {
	if e := closest(n, func(n *html.Node) bool { return has(n, "dir") }); e != nil && word(e, "dir") == "rtl" {
		return "rtl"
	}
	return "ltr"
}

// scalar replaces what is no Unicode scalar value.
func scalar(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
