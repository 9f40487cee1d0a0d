package generate

import "fmt"

// soup is markup that a parser must mend (HTML 13.2). What comes of it is fixed
// by the standard, step by step, and stated here.
func (b *builder) soup() node {
	one, two := b.caption(), b.caption()
	href := "/go/" + b.hash()
	link := func(name, href string) string {
		e := el("a", "href", href)
		it := b.note(e, item{role: "link", name: name, stated: true, href: &href})
		return fmt.Sprintf("<a id=%s href='%s'>", it.id, href)
	}
	var w writer
	w.r = b.r
	say := func(s string) string {
		w.Reset()
		text(s).write(&w, true, nil)
		return w.String()
	}
	switch b.r.IntN(8) {
	case 0: // A link within a link ends the first one (13.2.6.4.7, "a").
		first := link(one, href)
		return raw("<p>" + first + say(one) + link(two, href+"b") + say(two) + "</a></p>")
	case 1: // Formatting elements that overlap: the adoption agency.
		return raw("<p><b><i>" + link(one, href) + say(one) + "</b></i></a> rest</p>")
	case 2: // A button within a button ends the first one.
		first := b.note(el("button"), item{role: "button", name: one, stated: true, control: b.stray()})
		second := b.note(el("button"), item{role: "button", name: two, stated: true, control: b.stray()})
		b.page.controls[len(b.page.controls)-2].id, b.page.controls[len(b.page.controls)-1].id = first.id, second.id
		return raw(fmt.Sprintf("<div><button type=button id=%s>%s<button type=button id=%s>%s</button></div>", first.id, say(one), second.id, say(two)))
	case 3: // What may not stand in a table goes before it (foster parenting).
		return raw("<table><tr>" + link(one, href) + say(one) + "</a><td>cell</table>")
	case 4: // A heading ends with any heading's end tag.
		it := b.note(el("h2"), item{role: "heading", name: one, stated: true, level: 2})
		return raw("<h2 id=" + it.id + ">" + say(one) + "</h4>" + "<p>after</p>")
	case 5: // </p> without a p, </br>, an unknown element, a comment that ends early.
		return raw("</p></br><x-thing>" + link(one, href) + say(one) + "</a></x-thing><!--> -->")
	case 6: // The first of two attributes counts; attributes without blanks between.
		it := b.note(el("a"), item{role: "link", name: one, stated: true, href: &href})
		return raw(fmt.Sprintf(`<p><a id="%s"href="%s"href="/wrong"title=x>%s</a>`, it.id, href, say(one)))
	default: // A list item ends the one before, a paragraph in a list too.
		item1 := link(one, href)
		return raw("<ul><li><p>" + item1 + say(one) + "</a><li>" + link(two, href+"b") + say(two) + "</a></ul>")
	}
}

// stray is a plain button of the page without a form of its own.
func (b *builder) stray() *control {
	return b.own(&control{tag: "button", typ: "button"})
}
