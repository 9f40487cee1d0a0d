package generate

import (
	"cmp"
	"slices"
)

func cmpString(a, b string) int { return cmp.Compare(a, b) }

// roles are those of HTML-AAM; a kind that is missing has none there.
var roles = map[string]string{
	"text": "textbox", "search": "searchbox", "tel": "textbox", "url": "textbox", "email": "textbox", "number": "spinbutton", "range": "slider",
	"checkbox": "checkbox", "radio": "radio",
}

func (c *control) role() string {
	switch {
	case c.tag == "textarea":
		return "textbox"
	case c.button():
		return "button"
	case c.tag == "select" && c.single():
		return "combobox"
	case c.tag == "select":
		return "listbox"
	}
	return roles[c.typ]
}

// field is a control with something that names it (accname 4.1.1), in one of the
// many ways, and now and then none.
func (b *builder) field(c *control) []node {
	if c.typ == "hidden" && c.tag == "input" {
		return []node{b.element(c, item{})}
	}
	name := b.caption()
	it := item{role: c.role(), name: name, stated: c.role() != ""}
	place := b.id()
	label := func(text string, for_ string) (*elem, *item) {
		l := el("label", "for", for_).add(b.rich(text)...)
		return l, b.note(l, item{labels: c})
	}
	switch b.r.IntN(14) {
	case 0, 1, 2: // label for, before
		it.id = place
		l, _ := label(name, place)
		return []node{l, text(" "), b.element(c, it)}
	case 3: // label for, behind
		e := b.element(c, it)
		l, _ := label(name, c.id)
		return []node{e, l}
	case 4: // label around
		l := el("label")
		b.note(l, item{labels: c})
		l.add(append(b.rich(name), text(" "), b.element(c, it))...)
		return []node{l}
	case 5: // label around, text behind
		l := el("label")
		b.note(l, item{labels: c})
		l.add(b.element(c, it), text(" "+name))
		return []node{l}
	case 6:
		e := b.element(c, it)
		return []node{e.set("aria-label", "  "+name+" ")}
	case 7: // aria-labelledby, of a hidden element too
		by := b.id()
		span := el("span", "id", by).add(b.rich(name)...)
		if b.one(2) {
			span = el("span", "id", by, "hidden", "").add(text(name))
		}
		return []node{span, text(" "), b.element(c, it).set("aria-labelledby", by)}
	case 8: // two of them, one that is not there
		one, two := b.id(), b.id()
		it.name = name + " more"
		e := b.element(c, it).set("aria-labelledby", one+"  nowhere "+two)
		return []node{el("b", "id", one).add(text(name)), e, el("i", "id", two).add(text("more"))}
	case 9:
		return []node{b.element(c, it).set("title", name)}
	case 10:
		if c.typed() {
			return []node{b.element(c, it).set("placeholder", name)}
		}
		return []node{b.element(c, it).set("title", name)}
	case 11: // aria-label beats the label, a blank one does not
		it.id = place
		if b.one(2) {
			l, _ := label(name, place)
			return []node{l, b.element(c, it).set("aria-label", pick(b, "", " "))}
		}
		l, _ := label(b.phrase(2), place)
		return []node{l, b.element(c, it).set("aria-label", name).set("title", b.phrase(1))}
	case 12: // two labels
		it.id, it.name = place, name+" second"
		l, _ := label(name, place)
		m := el("label", "for", place).add(text("second"))
		b.note(m, item{labels: c})
		return []node{l, text(" "), m, text(" "), b.element(c, it)}
	default:
		it.name = ""
		return []node{b.element(c, it)}
	}
}

// push is a button of a kind with a name.
func (b *builder) push(tag, typ string) *elem {
	c := &control{tag: tag, typ: typ, disabled: b.one(9)}
	if b.one(2) {
		c.name = b.entryName()
	}
	name := b.caption()
	if tag == "input" && typ != "image" && !b.one(5) {
		c.given, c.def = true, name
	}
	if tag == "button" && b.one(2) {
		c.given, c.def = true, b.hash()
	}
	if c.submits() {
		b.overrides(c)
	}
	b.own(c)
	it := item{role: "button", name: name, stated: true, control: c}
	e := el(tag)
	if typ != "submit" || tag == "input" || b.one(2) {
		e.set("type", typ)
	}
	if c.name != "" {
		e.set("name", c.name)
	}
	if c.given {
		e.set("value", c.def)
	}
	if c.disabled && (!b.fieldset || b.one(3)) {
		e.set("disabled", "")
	}
	for name, v := range map[string]*string{
		"formaction": c.over.action, "formmethod": c.over.method, "formenctype": c.over.enctype, "formtarget": c.over.target,
	} {
		if v != nil {
			e.set(name, *v)
		}
	}
	slices.SortStableFunc(e.attrs, func(a, b attr) int { return cmp.Compare(a.name, b.name) })
	if c.over.novalidate {
		e.set("formnovalidate", "")
	}
	switch {
	case tag == "button" && b.one(5):
		e.set("aria-label", name).add(text("×"))
	case tag == "button" && b.one(6):
		e.set("title", name)
	case tag == "button":
		e.add(b.rich(name)...)
	case typ == "image":
		e.set("src", blankPicture)
		e.set("alt", name)
	case !c.given && typ == "submit":
		it.name = "Submit"
	case !c.given && typ == "reset":
		it.name = "Reset"
	case !c.given:
		e.set("title", name)
	}
	c.id = b.note(e, it).id
	return e
}

func (b *builder) overrides(c *control) {
	if b.one(5) {
		c.over.action = new(pick(b, "/over/"+b.hash(), "over?x=1"))
	}
	if b.one(6) {
		c.over.method = new(pick(b, "get", "post", "POST", "nonsense"))
	}
	if b.one(8) {
		c.over.enctype = new(pick(b, URLEncoded, Multipart, PlainText))
	}
	c.over.novalidate = b.one(5)
}
