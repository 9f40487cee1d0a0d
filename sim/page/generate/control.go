package generate

import (
	"slices"
	"strings"
)

// control is a listed element of HTML 4.10.2: input, select, textarea, button.
type control struct {
	id string
	// tag and typ: typ is the state of an input, or of a button.
	tag, typ string
	name     string
	// def is the default value; given tells an absent value attribute.
	def     string
	given   bool
	checked bool
	options []*option
	// multiple and size are a select's.
	multiple bool
	size     int

	form *form
	// root is the iframe that it stands in, "" for the page itself.
	root     string
	disabled bool
	readonly bool

	required       bool
	pattern        string
	min, max, step string
	minlen, maxlen int

	// dirname and dir: the direction that is sent with the value.
	dirname, dir string
	over         override
	// datalist bars a control from validation and from the entry list.
	datalist bool
}

// option is an option of a select.
type option struct {
	id, value, label string
	selected         bool
	// disabled counts its optgroup's.
	disabled bool
	grouped  bool
}

// form is a form element.
type form struct {
	id, action, method, enctype, target string
	novalidate                          bool
	// frame is the iframe that it stands in, "" for the page itself.
	frame string
}

// override is what a submit button says in place of its form.
type override struct {
	action, method, enctype, target *string
	novalidate                      bool
}

var textual = []string{"text", "search", "tel", "url", "email", "password"}

// typed says that the control holds text that a person types key by key.
func (c *control) typed() bool {
	return c.tag == "textarea" || c.tag == "input" && (slices.Contains(textual, c.typ) || c.typ == "number")
}

// valued says that the control holds a value that is set whole.
func (c *control) valued() bool {
	return c.tag == "input" && slices.Contains([]string{"date", "time", "month", "week", "datetime-local", "color", "range"}, c.typ)
}

func (c *control) checkable() bool {
	return c.tag == "input" && (c.typ == "checkbox" || c.typ == "radio")
}

// submits says that the control is a submit button (HTML 4.10.2).
func (c *control) submits() bool {
	return c.tag == "input" && (c.typ == "submit" || c.typ == "image") || c.tag == "button" && c.typ == "submit"
}

func (c *control) button() bool {
	return c.tag == "button" || slices.Contains([]string{"submit", "image", "reset", "button"}, c.typ)
}

// sanitize is the value sanitization algorithm of the control's type (HTML
// 4.10.5.1). A textarea keeps its text, with line ends normalized to LF.
func (c *control) sanitize(v string) string {
	if c.tag == "textarea" {
		return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(v)
	}
	strip := strings.NewReplacer("\r", "", "\n", "")
	switch c.typ {
	case "text", "search", "tel", "password":
		return strip.Replace(v)
	case "url", "email":
		return strings.Trim(strip.Replace(v), " \t\n\f\r")
	case "number":
		if _, ok := number(v); !ok {
			return ""
		}
	case "range":
		return c.slide(v)
	case "color":
		return colour(v)
	case "date", "time", "month", "week", "datetime-local":
		if !moment[c.typ].MatchString(v) {
			return ""
		}
	}
	return v
}

// sent is the value of a control as it begins.
func (c *control) initial() string { return c.sanitize(c.def) }

// single says that the select has a display size of 1: exactly one option is
// selected, if one can be (HTML 4.10.7).
func (c *control) single() bool { return !c.multiple && c.size <= 1 }

// placeholder is the select's placeholder label option: with it alone selected,
// a required select is missing its value.
func (c *control) placeholder() *option {
	if !c.required || c.multiple || c.size > 1 || len(c.options) == 0 {
		return nil
	}
	if o := c.options[0]; o.value == "" && !o.grouped {
		return o
	}
	return nil
}

// chosen is the selectedness that the select begins with.
func (c *control) chosen() []*option {
	var on []*option
	for _, o := range c.options {
		if o.selected {
			on = append(on, o)
		}
	}
	if c.multiple {
		return on
	}
	if len(on) > 0 {
		return on[len(on)-1:]
	}
	if c.single() {
		for _, o := range c.options {
			if !o.disabled {
				return []*option{o}
			}
		}
	}
	return nil
}
