package generate

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
)

// Verb is what a step does.
type Verb string

// The verbs. Type replaces what stands in the element, Append adds to it; Enter
// presses that key in it.
const (
	Type   Verb = "type"
	Append Verb = "append"
	Check  Verb = "check"
	Select Verb = "select"
	Click  Verb = "click"
	Enter  Verb = "enter"
)

// Step is one action on the element with an id.
type Step struct {
	Verb Verb
	// ID is the element's, Frame that of the iframe that it stands in, "" for the page.
	ID, Frame string
	// Text is what is typed, Values what is selected, Checked what Check makes it.
	Text    string
	Values  []string
	Checked bool
}

// Outcome is what must come of a step. The zero Outcome is a step that was done
// and stayed on the page.
type Outcome struct {
	// Refused says why the step must not be done: the element is "disabled",
	// "hidden", "readonly", or "unfit" for it.
	Refused string
	// Invalid are the ids of the controls that keep a form from being submitted.
	Invalid []string
	// Request is the one request that the page makes.
	Request *Request
	// Fragment is where a link within the page leads, with its #.
	Fragment string
}

func refused(why string) Outcome { return Outcome{Refused: why} }

// Do takes a step: it changes the state and returns what must come of it. After
// a Request that replaces the page the state is of no use any more.
func (s *State) Do(step Step) Outcome {
	it := s.page.item(step.ID)
	if !s.shown(it) {
		return refused("hidden")
	}
	c := it.control
	if it.option != nil {
		return refused("unfit")
	}
	if c != nil && c.disabled {
		return refused("disabled")
	}
	switch step.Verb {
	case Type, Append:
		return s.write(it, step)
	case Check:
		return s.tick(it, step.Checked)
	case Select:
		return s.choose(c, step.Values)
	case Enter:
		return s.enter(c)
	default:
		return s.click(it)
	}
}

// item is the one with an id.
func (p *Page) item(id string) *item {
	i := slices.IndexFunc(p.items, func(it *item) bool { return it.id == id })
	if i < 0 {
		panic("generate: the page has no element " + id)
	}
	return p.items[i]
}

func (s *State) write(it *item, step Step) Outcome {
	if it.control != nil && it.control.valued() && it.control.sanitize(step.Text) != step.Text {
		// A picker has no such value to pick.
		return refused("unfit")
	}
	if it.edits {
		if step.Verb == Append {
			step.Text = s.typed[it] + step.Text
		}
		s.typed[it] = step.Text
		return Outcome{}
	}
	c := it.control
	switch {
	case c == nil || !c.typed() && !c.valued():
		return refused("unfit")
	case c.readonly && c.typ != "range" && c.typ != "color":
		return refused("readonly")
	}
	v := step.Text
	if step.Verb == Append {
		v = s.value[c] + v
	}
	if c.maxlen > 0 && units(v) > c.maxlen {
		// What stood there may be longer than the limit; nothing is added then.
		cut := utf16.Encode([]rune(v))[:max(c.maxlen, 0)]
		v = string(utf16.Decode(cut))
	}
	s.value[c], s.edited[c] = c.sanitize(v), true
	return Outcome{}
}

func (s *State) tick(it *item, on bool) Outcome {
	c := it.control
	switch {
	case c == nil || !c.checkable():
		return refused("unfit")
	case c.typ == "radio" && !on && s.checked[c]:
		return refused("unfit")
	}
	s.check(c, on)
	return Outcome{}
}

func (s *State) choose(c *control, values []string) Outcome {
	if c == nil || c.tag != "select" {
		return refused("unfit")
	}
	if !c.multiple && len(values) > 1 {
		return refused("unfit")
	}
	var on []*option
	for _, o := range c.options {
		if slices.Contains(values, o.value) {
			if o.disabled {
				return refused("disabled")
			}
			on = append(on, o)
		}
	}
	if len(on) != len(values) {
		return refused("unfit")
	}
	s.selected[c] = on
	return Outcome{}
}

// fields block implicit submission (HTML 4.10.22.2).
var fields = append([]string{"number", "date", "time", "month", "week", "datetime-local"}, textual...)

func (s *State) enter(c *control) Outcome {
	if c == nil || c.tag != "input" || !slices.Contains(fields, c.typ) {
		return refused("unfit")
	}
	if c.form == nil {
		return Outcome{}
	}
	blocking := 0
	for _, o := range s.page.controls {
		if o.form != c.form {
			continue
		}
		if o.submits() {
			if o.disabled {
				return Outcome{}
			}
			return s.submit(c.form, o)
		}
		if o.tag == "input" && slices.Contains(fields, o.typ) {
			blocking++
		}
	}
	if blocking > 1 {
		return Outcome{}
	}
	return s.submit(c.form, nil)
}

func (s *State) submit(f *form, by *control) Outcome {
	if !f.novalidate && (by == nil || !by.over.novalidate) {
		var bad []string
		for _, c := range s.page.controls {
			if c.form == f && s.invalid(c) != "" {
				bad = append(bad, c.id)
			}
		}
		if bad != nil {
			return Outcome{Invalid: bad}
		}
	}
	r := s.request(f, by)
	if r == nil {
		return Outcome{}
	}
	return Outcome{Request: r}
}

func (s *State) click(it *item) Outcome {
	switch c := it.control; {
	case it.summary != nil:
		s.open[it.summary] = !s.open[it.summary]
	case it.labels != nil:
		if l := it.labels; !l.disabled && (l.checkable() || l.button()) {
			return s.activate(l)
		}
	case c != nil:
		return s.activate(c)
	case it.href != nil:
		return s.follow(it)
	}
	return Outcome{}
}

// activate is the activation behaviour of a control.
func (s *State) activate(c *control) Outcome {
	switch {
	case c.typ == "checkbox" && c.tag == "input":
		s.check(c, !s.checked[c])
	case c.typ == "radio" && c.tag == "input":
		s.check(c, true)
	case c.form == nil:
	case c.submits():
		return s.submit(c.form, c)
	case c.button() && c.typ == "reset":
		for _, o := range s.page.controls {
			if o.form == c.form {
				s.reset(o)
			}
		}
	}
	return Outcome{}
}

// follow follows a link.
func (s *State) follow(it *item) Outcome {
	base, _ := url.Parse(s.page.base())
	to, err := base.Parse(*it.href)
	if err != nil || to.Scheme != "" {
		return Outcome{}
	}
	// In a srcdoc a fragment is its own, whatever the base URL.
	if strings.HasPrefix(*it.href, "#") && (s.page.dir == "" || it.frame != "") && it.target == "" {
		return Outcome{Fragment: "#" + to.EscapedFragment()}
	}
	to.RawQuery = (&url.URL{Path: to.RawQuery}).EscapedPath()
	return Outcome{Request: &Request{Method: "GET", URL: to.String(), Target: it.target, Frame: it.frame}}
}
