package page

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/dlclark/regexp2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// candidate reports whether a control is a candidate for constraint validation
// (HTML, 4.10.21.1).
func candidate(n *html.Node) bool {
	if !submittable(n) || disabled(n) || inDatalist(n) {
		return false
	}
	switch t := kind(n); {
	case isButton(n):
		return submitButton(n)
	case is(n, atom.Input) && t == "hidden":
		return false
	case has(n, "readonly") && is(n, atom.Input, atom.Textarea):
		// It bars an input of any type, those to which it does not apply too (HTML,
		// 4.10.5.3.3); Chromium does so.
		return false
	}
	return true
}

// takesReadonly reports whether the readonly attribute applies to n.
func takesReadonly(n *html.Node) bool {
	if is(n, atom.Textarea) {
		return true
	}
	switch kind(n) {
	case "text", "search", "tel", "url", "email", "password", "date", "month", "week", "time", "datetime-local", "number":
		return is(n, atom.Input)
	}
	return false
}

// required reports whether a value is asked for, on an element that may ask.
func required(n *html.Node) bool {
	switch kind(n) {
	case "hidden", "range", "color", "submit", "image", "reset", "button":
		return false
	}
	return has(n, "required") && is(n, atom.Input, atom.Select, atom.Textarea)
}

// invalid says, in the browser's words, what constraint a control breaks; "" if
// none (HTML, 4.10.21.3).
func (d *document) invalid(n *html.Node) string {
	if s := d.state[n]; s != nil && s.bad {
		return "Please enter a valid value."
	}
	if why := d.missing(n); why != "" {
		return why
	}
	v := d.value(n)
	if !textField(n) && !picked(n) || v == "" {
		return ""
	}
	for _, broken := range []func(*html.Node, string) string{wrongType, d.wrongLength, wrongPattern, wrongRange, wrongStep} {
		if why := broken(n, v); why != "" {
			return why
		}
	}
	return ""
}

// picked reports whether n is an input of dates, times, ranges or colours.
func picked(n *html.Node) bool {
	for _, t := range settable {
		if kind(n) == t {
			return is(n, atom.Input)
		}
	}
	return false
}

func (d *document) missing(n *html.Node) string {
	if kind(n) == "radio" && is(n, atom.Input) {
		return d.missingRadio(n)
	}
	if !required(n) {
		return ""
	}
	switch {
	case kind(n) == "checkbox":
		if !d.checked(n) {
			return "Please check this box if you want to proceed."
		}
	case is(n, atom.Select):
		for _, o := range d.selected(n) {
			if !placeholderOption(n, o) {
				return ""
			}
		}
		return "Please select an item in the list."
	case kind(n) == "file":
		if len(d.live(n).files) == 0 {
			return "Please select a file."
		}
	case d.value(n) == "":
		return "Please fill out this field."
	}
	return ""
}

// missingRadio asks the whole group: one required button makes all of it so.
func (d *document) missingRadio(n *html.Node) string {
	asked := false
	for _, other := range d.group(n) {
		if d.checked(other) {
			return ""
		}
		asked = asked || has(other, "required")
	}
	if asked {
		return "Please select one of these options."
	}
	return ""
}

// placeholderOption reports whether o is the placeholder label option of its
// select (HTML, 4.10.7): the first one, with an empty value, of a select of one.
func placeholderOption(sel, o *html.Node) bool {
	if multiple(sel) || displaySize(sel) != 1 || o.Parent != sel || optionValue(o) != "" {
		return false
	}
	return options(sel)[0] == o
}

// email is the pattern of HTML, 4.10.5.1.5.
var email = expression("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$")

func wrongType(n *html.Node, v string) string {
	switch kind(n) {
	case "email":
		all := []string{v}
		if has(n, "multiple") {
			all = strings.Split(v, ",")
		}
		for _, one := range all {
			if !email().MatchString(one) {
				return "Please enter an email address."
			}
		}
	case "url":
		if u, err := url.Parse(v); err != nil || u.Scheme == "" || (u.Opaque == "" && u.Host == "" && (u.Scheme == "http" || u.Scheme == "https")) {
			return "Please enter a URL."
		}
	}
	return ""
}

// wrongLength asks only what a person typed (HTML, 4.10.18.3 and .4), in code units.
func (d *document) wrongLength(n *html.Node, v string) string {
	s := d.state[n]
	if s == nil || !s.typed || kind(n) == "number" || picked(n) {
		return ""
	}
	length := len(utf16.Encode([]rune(v)))
	if least, ok := nonNegative(attr(n, "minlength")); ok && length < least {
		return fmt.Sprintf("Please lengthen this text to %d characters or more (you are currently using %d characters).", least, length)
	}
	if most, ok := nonNegative(attr(n, "maxlength")); ok && length > most {
		return fmt.Sprintf("Please shorten this text to %d characters or less (you are currently using %d characters).", most, length)
	}
	return ""
}

// wrongPattern matches the whole value with a regular expression of JavaScript; one
// that is none constrains nothing.
func wrongPattern(n *html.Node, v string) string {
	pattern, ok := lookup(n, "pattern")
	if !ok || is(n, atom.Textarea) || kind(n) == "number" || picked(n) {
		return ""
	}
	re, err := regexp2.Compile("^(?:"+pattern+")$", regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		return ""
	}
	re.MatchTimeout = time.Second
	all := []string{v}
	if kind(n) == "email" && has(n, "multiple") {
		all = strings.Split(v, ",")
	}
	for _, one := range all {
		// The dollar also matches before a last newline, which no value has.
		if fits, err := re.MatchString(one); err == nil && !fits {
			return strings.TrimSpace("Please match the requested format. " + attr(n, "title"))
		}
	}
	return ""
}

func wrongRange(n *html.Node, v string) string {
	t := kind(n)
	at, ok := numeric(t, v)
	if !ok || t == "range" {
		return ""
	}
	least, hasMin := numeric(t, attr(n, "min"))
	most, hasMax := numeric(t, attr(n, "max"))
	if hasMin && hasMax && most < least && t == "time" {
		// The range goes over midnight.
		if at > most && at < least {
			return fmt.Sprintf("Value must be between %s and %s.", attr(n, "min"), attr(n, "max"))
		}
		return ""
	}
	if hasMin && at < least {
		return fmt.Sprintf("Value must be %s or later.", attr(n, "min"))
	}
	if hasMax && at > most {
		return fmt.Sprintf("Value must be %s or earlier.", attr(n, "max"))
	}
	return ""
}

func wrongStep(n *html.Node, v string) string {
	t := kind(n)
	at, ok := numeric(t, v)
	step, base, stepped := stepOf(n)
	if !ok || !stepped || t == "range" {
		return ""
	}
	k := (at - base) / step
	if math.Abs(k-math.Round(k)) > 1e-7*max(1, math.Abs(k)) {
		return "Please enter a valid value. It is not on a step of " + number(step/steps[t].scale) + "."
	}
	return ""
}
