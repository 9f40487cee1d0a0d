package generate

// formPart is a form with what belongs to it.
func (b *builder) formPart() node {
	f := &form{id: b.id(), frame: b.frame}
	f.action = pick(b, "", "/submit/"+b.hash(), "send?old=1", "../up/send#frag", "./"+b.hash())
	f.method = pick(b, "", "get", "GET", "post", "post", "Post")
	f.enctype = pick(b, "", "", "", URLEncoded, Multipart, PlainText)
	f.novalidate = b.one(3)
	e := el("form", "id", f.id)
	for _, a := range []attr{{"action", f.action}, {"method", f.method}, {"enctype", f.enctype}} {
		if a.value != "" || b.one(3) && a.name == "action" {
			e.set(a.name, a.value)
		}
	}
	if b.one(8) {
		f.target = "_blank"
		e.set("target", f.target)
	}
	if f.novalidate {
		e.set("novalidate", "")
	}
	block := el("div")
	if b.one(4) {
		block.add(b.foreign(f))
	}
	outer := b.form
	b.form = f
	inTable := b.one(7)
	if !inTable && b.one(4) {
		name := b.caption()
		e.set("aria-label", name)
		b.noteForm(e, f, name)
	}
	if inTable {
		b.tableForm(f, e, block)
	} else {
		block.add(e)
		b.fill(e)
	}
	b.form = outer
	if b.one(4) {
		block.add(b.foreign(f))
	}
	return block
}

func (b *builder) noteForm(e *elem, f *form, name string) {
	e.attrs = e.attrs[1:] // note sets the id again
	b.note(e, item{id: f.id, role: "form", name: name, stated: true})
}

// fill puts fields and buttons into e.
func (b *builder) fill(e *elem) {
	for range 2 + b.r.IntN(5) {
		e.add(b.entry())
	}
	for range b.r.IntN(3) {
		e.add(el("p").add(b.anyButton()))
	}
	if !b.one(6) {
		e.add(el("p").add(b.push(pick(b, "input", "button"), "submit")))
	}
}

func (b *builder) anyButton() node {
	switch b.r.IntN(7) {
	case 0:
		return b.push("input", "image")
	case 1:
		return b.push("input", "reset")
	case 2:
		return b.push("button", "button")
	case 3:
		return b.push("input", "button")
	case 4:
		return b.push("button", "reset")
	case 5:
		return b.push("input", "submit")
	}
	return b.push("button", "submit")
}

// entry is one line of a form.
func (b *builder) entry() node {
	switch b.r.IntN(9) {
	case 0:
		return b.radios()
	case 1:
		return b.group()
	case 2:
		if b.depth < 2 {
			return b.hiddenFields()
		}
	case 3: // A form within a form is dropped by the parser, its fields are not.
		return el("div").add(raw("<form action='/never'>"), el("div").add(b.field(b.input("text"))...))
	case 4: // In a datalist nothing is sent.
		if b.one(3) {
			d := el("datalist")
			outer, hide := b.invisible, b.unexposed
			b.invisible, b.unexposed = "datalist", "datalist"
			c := b.input("text")
			c.datalist = true
			d.add(b.field(c)...)
			b.invisible, b.unexposed = outer, hide
			return d
		}
	}
	return el(pick(b, "p", "div")).add(b.field(b.input(kinds[b.r.IntN(len(kinds))]))...)
}

func (b *builder) radios() node {
	name := b.entryName()
	required := b.one(6)
	block := el("div")
	on := b.r.IntN(5)
	for i := range 2 + b.r.IntN(3) {
		c := &control{tag: "input", typ: "radio", name: name, given: !b.one(8), required: required, disabled: b.one(9), checked: i == on || b.one(12)}
		if c.given {
			c.def = b.hash()
		}
		block.add(el("div").add(b.field(b.own(c))...))
	}
	return block
}

// group is a fieldset. A disabled one disables what is not in its first legend
// (HTML 4.10.15).
func (b *builder) group() node {
	f := el("fieldset")
	name := ""
	legend := el("legend")
	if !b.one(4) {
		name = b.caption()
	}
	disabled := b.one(3)
	it := item{role: "group", name: name, stated: true}
	if disabled {
		f.set("disabled", "")
		it.states = []string{"disabled"}
	}
	b.note(f, it)
	outer := b.fieldset
	if name != "" {
		legend.add(text(name))
		f.add(legend)
	}
	b.fieldset = outer || disabled
	for range 1 + b.r.IntN(2) {
		f.add(el("p").add(b.field(b.input(kinds[b.r.IntN(len(kinds))]))...))
	}
	b.fieldset = outer
	return f
}

// hiddenFields are fields that nobody sees and that are sent all the same.
func (b *builder) hiddenFields() node {
	outer, hide := b.invisible, b.unexposed
	how := pick(b, "hidden", "inert")
	b.invisible, b.unexposed = how, how
	e := el("div", how, "").add(b.field(b.input(pick(b, "text", "checkbox", "select")))...)
	b.invisible, b.unexposed = outer, hide
	return e
}

// foreign is a control outside of the form that names it.
func (b *builder) foreign(f *form) node {
	outer := b.form
	b.form = f
	defer func() { b.form = outer }()
	e := el("p")
	if b.one(3) {
		return e.add(b.push("button", "submit").set("form", f.id))
	}
	c := b.input(pick(b, "text", "checkbox", "select", "number"))
	nodes := b.field(c)
	for _, n := range nodes {
		belong(n, c, f.id)
	}
	return e.add(nodes...)
}

// belong sets the form attribute on the element of c.
func belong(n node, c *control, form string) {
	e, ok := n.(*elem)
	if !ok {
		return
	}
	if e.tag == c.tag {
		e.set("form", form)
	}
	for _, k := range e.kids {
		belong(k, c, form)
	}
}

// tableForm is a form between a table and its rows: the parser leaves it empty
// and makes it the owner of the fields that follow (the form element pointer).
func (b *builder) tableForm(f *form, e *elem, block *elem) {
	var w writer
	w.r = b.r
	w.WriteString("<table>")
	e.kids = nil
	e.write(&w, true, nil)
	open := w.String()[:w.Len()-len("</form>")]
	w.Reset()
	w.WriteString(open)
	for range 2 {
		el("tr").add(el("td").add(b.field(b.input(pick(b, "text", "checkbox", "email")))...)).write(&w, true, nil)
	}
	el("tr").add(el("td").add(b.push("input", "submit"))).write(&w, true, nil)
	w.WriteString("</form></table>")
	block.add(raw(w.String()))
}
