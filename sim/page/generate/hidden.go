package generate

// hidden is a block that HTML or CSS hides, or that only looks hidden.
func (b *builder) hidden() node {
	invisible, unexposed := b.invisible, b.unexposed
	defer func() { b.invisible, b.unexposed = invisible, unexposed }()
	e := el("div")
	gone := func(why string) {
		b.invisible = why
		b.unexposed = why
	}
	switch b.r.IntN(10) {
	case 0:
		e.set("hidden", "")
		gone("hidden")
	case 1:
		e.set("style", "display:none")
		gone("display:none")
	case 2:
		e.set("style", "color: red; VISIBILITY: Hidden")
		gone("visibility:hidden")
	case 3:
		e.set("aria-hidden", "true")
		b.unexposed = "aria-hidden"
	case 4:
		e.set("class", "gone other")
		gone("display:none")
	case 5:
		e.set("class", "veiled")
		gone("visibility:hidden")
	case 6:
		e = el("dialog")
		gone("dialog")
	case 7:
		e.set("inert", "")
		gone("inert")
	case 8:
		// hidden is over when a style says so.
		e.set("hidden", "").set("style", "display:block")
	default:
		// Only a value of "true" hides.
		e.set("aria-hidden", pick(b, "false", ""))
	}
	for range 1 + b.r.IntN(2) {
		e.add(b.part())
	}
	if b.one(2) {
		e.add(b.bare())
	}
	return e
}

// bare is a control without a form.
func (b *builder) bare() node {
	return el("div").add(b.field(b.input(pick(b, "text", "checkbox")))...)
}

// disclosure is a details element.
func (b *builder) disclosure() node {
	d := &details{id: b.id(), open: b.one(3)}
	e := el("details", "id", d.id)
	if d.open {
		e.set("open", "")
	}
	name := b.caption()
	s := el("summary").add(b.rich(name)...)
	b.note(s, item{name: name, summary: d})
	outer := b.within
	b.within = append(outer[:len(outer):len(outer)], d)
	e.add(s, b.linkPart())
	if b.one(2) {
		e.add(b.bare())
	}
	if b.depth < 3 && b.one(3) {
		e.add(b.part())
	}
	b.within = outer
	return e
}

// widget is an element that ARIA makes a widget, or editable text.
func (b *builder) widget() node {
	name := b.caption()
	switch b.r.IntN(7) {
	case 0:
		e := el("div", "role", "button", "tabindex", "0").add(text(name))
		it := item{role: "button", name: name, stated: true}
		switch b.r.IntN(4) {
		case 0:
			e.set("aria-pressed", "true")
			it.states = []string{"pressed"}
		case 1:
			e.set("aria-expanded", "false")
			it.states = []string{"collapsed"}
		case 2:
			e.set("aria-disabled", "true")
			it.states = []string{"disabled"}
		}
		b.note(e, it)
		return e
	case 1:
		e := el("span", "role", "switch", "tabindex", "0", "aria-checked", "true").add(text(name))
		b.note(e, item{role: "switch", name: name, stated: true, states: []string{"checked"}})
		return el("p").add(e)
	case 2:
		e := el("div", "role", "checkbox", "tabindex", "0", "aria-checked", "false", "aria-label", name)
		b.note(e, item{role: "checkbox", name: name, stated: true})
		return e
	case 3:
		list := el("div", "role", "tablist", "aria-label", name)
		b.note(list, item{role: "tablist", name: name, stated: true})
		for range 2 {
			name := b.caption()
			tab := el("div", "role", "tab", "tabindex", "0").add(text(name))
			b.note(tab, item{role: "tab", name: name, stated: true})
			list.add(tab)
		}
		return list
	case 4:
		e := el("div", "role", "textbox", "contenteditable", pick(b, "", "true"), "aria-label", name)
		b.note(e, item{role: "textbox", name: name, stated: true, edits: true})
		return e
	case 5:
		e := el("nav", "role", "presentation")
		return e.add(b.linkPart())
	default:
		e := el("div", "role", "alert").add(text(name))
		b.note(e, item{role: "alert", stated: true})
		return e
	}
}

// iframe is a page of its own, in srcdoc.
func (b *builder) iframe() node {
	name := b.caption()
	f := el("iframe", "title", name, "width", "700", "height", "400")
	it := b.note(f, item{name: name})
	outer := *b
	b.frame, b.form, b.fieldset = it.id, nil, false
	b.depth = 2
	body := el("body").add(b.part(), b.formPart(), b.part())
	b.frame, b.form, b.fieldset, b.depth = outer.frame, outer.form, outer.fieldset, outer.depth
	b.identify(body)
	var w writer
	w.r = b.r
	body.write(&w, true, nil)
	style := "<style>.gone{display:none}.veiled{visibility:hidden}</style>"
	return f.set("srcdoc", "<!DOCTYPE html>"+style+w.String())
}
