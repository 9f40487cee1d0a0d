package generate

import (
	"fmt"
	"slices"
)

// own adds a control to the page. Where it stands decides its form and whether a
// fieldset disables it; both may be changed before the next one.
func (b *builder) own(c *control) *control {
	c.form, c.root = b.form, b.frame
	c.disabled = c.disabled || b.fieldset
	b.page.controls = append(b.page.controls, c)
	return c
}

var kinds = []string{
	"text", "text", "search", "tel", "url", "email", "password", "number", "range", "color", "date", "time", "month", "week",
	"datetime-local", "checkbox", "checkbox", "hidden", "file", "textarea", "textarea", "select", "select", "multiple", "list", "nonsense",
}

// input is a control of a kind with what may stand on it; no label yet.
func (b *builder) input(kind string) *control {
	c := &control{tag: "input", typ: kind}
	switch kind {
	case "textarea":
		c.tag, c.typ, c.given = "textarea", "", true
		c.def = pick(b, "", b.phrase(3), "two\nlines", "\nfirst is empty", "tab\tand  two")
	case "select", "multiple", "list":
		c.tag, c.typ = "select", ""
		c.multiple = kind == "multiple"
		if kind == "list" {
			c.size = 3
		}
		b.options(c)
	case "nonsense":
		c.typ = "text"
	}
	if !b.one(6) {
		c.name = b.entryName()
	}
	if c.tag == "input" {
		b.defaults(c)
	}
	if !b.one(8) && kind != "hidden" {
		c.required = b.one(5)
	}
	c.disabled = b.one(10)
	c.readonly = b.one(10) && kind != "hidden"
	b.constrain(c)
	if slices.Contains([]string{"text", "search", "textarea"}, kind) && b.one(6) && c.name != "" {
		c.dirname = c.name + ".dir"
		c.dir = pick(b, "", "rtl", "auto")
	}
	return b.own(c)
}

// entryName is the name of a control, now and then a trying one.
func (b *builder) entryName() string {
	if b.one(8) {
		return pick(b, "same", "same[]", "a b", "käse", "x&y=z", "q+1", "_charset_", "two\nlines", "id", "0")
	}
	b.captions++
	return fmt.Sprintf("f%d", b.captions)
}

// defaults gives an input its value attribute, one in six times an unfit one.
func (b *builder) defaults(c *control) {
	fit := map[string][]string{
		"text": {"", b.phrase(2), " padded "}, "search": {b.phrase(2)}, "tel": {"+49 30 1234"}, "url": {"http://a.test/x", " http://b.test/ "},
		"email": {"a@b.test", " c@d.test "}, "password": {"secret" + b.hash()}, "number": {"1", "2.5", "-3", "1e2"},
		"range": {"30", "71"}, "color": {"#ff8800", "#AABBCC"}, "date": {"2024-02-28"}, "time": {"09:30"}, "month": {"2024-07"},
		"week": {"2024-W09"}, "datetime-local": {"2024-02-28T10:00"}, "checkbox": {"1", "yes please", ""}, "hidden": {"", "h " + b.word(), "two\nlines"},
	}[c.typ]
	if c.typ == "checkbox" {
		c.checked = b.one(3)
	}
	if fit == nil || b.one(3) {
		return
	}
	c.given, c.def = true, fit[b.r.IntN(len(fit))]
	if b.one(6) {
		switch c.typ {
		case "number", "range", "color", "date", "time", "month", "week", "datetime-local":
			c.def = pick(b, "nonsense", " 1", "2024-13-01", "+5", "1.")
		}
	}
}

// constrain gives a control limits, of which its default may already break one.
func (b *builder) constrain(c *control) {
	if !b.one(3) {
		return
	}
	switch c.typ {
	case "number", "range":
		c.min, c.max = fmt.Sprint(b.r.IntN(5)-2), fmt.Sprint(20+b.r.IntN(80))
		c.step = pick(b, "", "any", "5", "0.5", "nonsense")
	case "date":
		c.min, c.max = "2024-01-15", "2024-12-24"
	case "text", "search", "tel", "password":
		switch b.r.IntN(3) {
		case 0:
			c.pattern = pick(b, "[a-z]+", "a|b", `\d{3}`, "[^0-9]*")
		case 1:
			c.maxlen = 4 + b.r.IntN(4)
		default:
			c.minlen = 3
		}
	case "":
		if c.tag == "textarea" {
			c.maxlen = 12
		}
	}
}

func (b *builder) options(c *control) {
	disabled, grouped := false, false
	if b.one(4) {
		o := &option{value: "", label: "choose one"}
		c.options = append(c.options, o)
	}
	for range 1 + b.r.IntN(5) {
		if b.one(5) {
			grouped, disabled = true, b.one(4)
			c.options = append(c.options, nil) // an optgroup begins
		}
		label := b.caption()
		o := &option{value: label, label: label, grouped: grouped, disabled: disabled || b.one(8), selected: b.one(4)}
		if b.one(2) {
			o.value = b.hash()
		}
		c.options = append(c.options, o)
	}
}

// element is the control's markup, and its item; name is its accessible name.
// It turns the marks in c.options into groups.
func (b *builder) element(c *control, it item) *elem {
	e := el(c.tag)
	if c.tag == "input" && (c.typ != "text" || b.one(2)) {
		e.set("type", c.typ)
	} else if c.tag == "input" && b.one(2) {
		e.set("type", "nonsense")
	}
	if c.name != "" || b.one(3) {
		e.set("name", c.name)
	}
	if c.given && c.tag == "input" {
		e.set("value", c.def)
	}
	flags := []struct {
		on   bool
		name string
	}{
		{c.checked, "checked"},
		{c.required, "required"},
		{c.readonly, "readonly"},
		{c.disabled && (!b.fieldset || b.one(4)), "disabled"},
		{c.multiple, "multiple"},
	}
	for _, f := range flags {
		if f.on {
			e.set(f.name, pick(b, "", f.name, "false"))
		}
	}
	given := []attr{{"pattern", c.pattern}, {"min", c.min}, {"max", c.max}, {"step", c.step}, {"dirname", c.dirname}, {"dir", c.dir}}
	for name, n := range map[string]int{"minlength": c.minlen, "maxlength": c.maxlen, "size": c.size} {
		if n > 0 {
			given = append(given, attr{name, fmt.Sprint(n)})
		}
	}
	slices.SortFunc(given, func(a, b attr) int { return cmpString(a.name, b.name) })
	for _, a := range given {
		if a.value != "" {
			e.set(a.name, a.value)
		}
	}
	if c.tag == "textarea" {
		v := c.def
		if len(v) > 0 && v[0] == '\n' {
			v = "\n" + v // the parser drops a first line end
		}
		e.add(verbatim(v))
	}
	it.control = c
	if c.typ != "hidden" {
		c.id = b.note(e, it).id
	} else {
		c.id = b.id()
		e.set("id", c.id)
	}
	if c.tag == "select" {
		b.optionElements(c, e)
	}
	return e
}

func (b *builder) optionElements(c *control, e *elem) {
	into := e
	all := c.options
	c.options = nil
	for i, o := range all {
		if o == nil {
			into = el("optgroup", "label", b.phrase(2))
			if all[i+1].disabled && all[i+1].grouped {
				into.set("disabled", "")
				for _, later := range all[i+1:] {
					if later == nil {
						break
					}
					later.disabled = true
				}
			}
			e.add(into)
			continue
		}
		x := el("option")
		if o.value != o.label {
			x.set("value", o.value)
		}
		if o.selected {
			x.set("selected", "")
		}
		if o.disabled && !(into != e && into.disabled()) {
			x.set("disabled", "")
		}
		if b.one(6) && o.value != o.label {
			x.set("label", o.label).add(text("other " + b.word()))
		} else {
			x.add(text(o.label))
		}
		o.id = b.note(x, item{role: "option", name: o.label, stated: true, control: c, option: o}).id
		c.options = append(c.options, o)
		into.add(x)
	}
}

func (e *elem) disabled() bool {
	return slices.ContainsFunc(e.attrs, func(a attr) bool { return a.name == "disabled" })
}
