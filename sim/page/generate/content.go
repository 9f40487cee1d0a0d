package generate

import (
	"fmt"
	"strings"
)

// part is one block of the page.
func (b *builder) part() node {
	b.depth++
	defer func() { b.depth-- }()
	kinds := []func() node{
		b.heading, b.paragraph, b.list, b.table, b.picture, b.linkPart, b.loose, b.disclosure, b.widget, b.soup, b.terms, b.meters,
	}
	if b.depth < 3 {
		kinds = append(kinds, b.landmark, b.landmark, b.hidden, b.hidden)
	}
	if b.frame == "" && b.depth < 3 {
		kinds = append(kinds, b.iframe)
	}
	return kinds[b.r.IntN(len(kinds))]()
}

// rich is phrasing content and the name that it gives (accname 2F: from content).
func (b *builder) rich(want string) []node {
	switch words := strings.SplitN(want, " ", 2); {
	case len(words) == 2 && b.one(3):
		return []node{el(pick(b, "b", "em", "span", "code")).add(text(words[0])), text(" " + words[1])}
	case b.one(8):
		return []node{text(want), el("span", "hidden", "").add(text(" unseen"))}
	case b.one(8):
		return []node{text(want), el("span", "style", "display: none").add(text(" unseen"))}
	case b.one(8):
		return []node{text(want), el("span", "aria-hidden", "true").add(text(" unseen"))}
	case len(words) == 2 && b.one(8):
		return []node{el("img", "alt", words[0], "src", blankPicture), text(" " + words[1])}
	case b.one(10):
		return []node{text(" " + want + " ")}
	}
	return []node{text(want)}
}

// blankPicture is a picture without a request.
const blankPicture = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="

func (b *builder) heading() node {
	level := 1 + b.r.IntN(6)
	name := b.caption()
	e := el(fmt.Sprintf("h%d", level)).add(b.rich(name)...)
	if b.one(8) {
		e = el("div", "role", "heading", "aria-level", fmt.Sprint(level)).add(b.rich(name)...)
	}
	b.note(e, item{role: "heading", name: name, stated: true, level: level})
	return e
}

func (b *builder) paragraph() node {
	p := el("p").add(text(b.phrase(6)), text(". "))
	if b.one(2) {
		p.add(b.link(), text(" "+b.phrase(3)))
	}
	if b.one(4) {
		p.add(el("br"), text(b.phrase(2)))
	}
	if b.one(4) {
		p.add(text(" "), el(pick(b, "strong", "mark", "small", "abbr", "kbd", "q", "time", "sub", "del")).add(text(b.word())))
	}
	return p
}

func (b *builder) list() node {
	l := el(pick(b, "ul", "ol"))
	b.note(l, item{role: "list", stated: true})
	for range 1 + b.r.IntN(4) {
		li := el("li")
		b.note(li, item{role: "listitem", stated: true})
		switch b.r.IntN(4) {
		case 0:
			li.add(b.link())
		case 1:
			li.add(text(b.phrase(2)), text(" "), b.link())
		default:
			li.add(text(b.phrase(3)))
		}
		l.add(li)
	}
	return l
}

func (b *builder) terms() node {
	l := el("dl")
	for range 1 + b.r.IntN(2) {
		l.add(el("dt").add(text(b.phrase(2))), el("dd").add(text(b.phrase(3))))
	}
	return l
}

func (b *builder) table() node {
	t := el("table")
	name := ""
	var caption *elem
	if b.one(2) {
		name = b.caption()
		caption = el("caption").add(text(name))
	}
	b.note(t, item{role: "table", name: name, stated: true})
	if caption != nil {
		t.add(caption)
	}
	columns := 2 + b.r.IntN(2)
	head := el("tr")
	b.note(head, item{role: "row", stated: true})
	for range columns {
		word := b.caption()
		th := el("th").add(text(word))
		b.note(th, item{role: "columnheader", name: word, stated: true})
		head.add(th)
	}
	body := el("tbody")
	t.add(el("thead").add(head), body)
	for range 1 + b.r.IntN(3) {
		tr := el("tr")
		b.note(tr, item{role: "row", stated: true})
		for range columns {
			td := el("td")
			cell := b.note(td, item{role: "cell", stated: true})
			if b.one(4) {
				td.add(b.link())
				cell.name = b.page.items[len(b.page.items)-1].name
			} else {
				cell.name = b.phrase(2)
				td.add(text(cell.name))
			}
			tr.add(td)
		}
		body.add(tr)
	}
	return t
}

func (b *builder) picture() node {
	img := el("img", "src", blankPicture, "width", "9", "height", "9")
	it := item{role: "img", stated: true}
	switch b.r.IntN(4) {
	case 0:
		it.role = "none"
		img.set("alt", "")
	case 1:
		it.name = b.caption()
		img.set("alt", it.name)
	case 2:
		it.name = b.caption()
		img.set("alt", it.name).set("title", b.phrase(2))
	case 3:
		it.name = b.caption()
		img.set("title", it.name)
	}
	b.note(img, it)
	if b.one(2) {
		return el("p").add(img)
	}
	name := b.caption()
	f := el("figure")
	b.note(f, item{role: "figure", stated: true})
	// The figure stands before its picture.
	items := b.page.items
	items[len(items)-1], items[len(items)-2] = items[len(items)-2], items[len(items)-1]
	return f.add(img, el("figcaption").add(text(name)))
}

func (b *builder) linkPart() node { return el("p").add(b.link()) }

// link is a hyperlink, or an a element that is none.
func (b *builder) link() node {
	name := b.caption()
	a := el("a")
	it := item{role: "link", name: name, stated: true}
	href := pick(b,
		"/go/"+b.hash(), "next/"+b.hash(), "../up/"+b.hash(), "?only="+b.hash(), "#"+b.hash(),
		"./dot/./"+b.hash()+"?a=1&b=2#frag", "/sp ace/"+b.hash(), "/ünï/"+b.hash()+"?q=ä",
	)
	it.href = &href
	if b.one(6) {
		it.target = "_blank"
		a.set("target", it.target)
	}
	if b.one(12) {
		href = "mailto:someone@example.test"
	}
	a.set("href", href)
	switch b.r.IntN(8) {
	case 0:
		a.set("aria-label", name).add(text(b.phrase(2)))
	case 1:
		a.add(el("img", "src", blankPicture, "alt", name, "width", "9", "height", "9"))
	case 2:
		a.set("title", b.phrase(2)).add(b.rich(name)...)
	case 3:
		a.set("title", name).add(el("span", "style", "display:inline-block;width:9px;height:9px"))
	default:
		a.add(b.rich(name)...)
	}
	b.note(a, it)
	return a
}

// hash is a path segment that stands once on the page.
func (b *builder) hash() string {
	b.captions++
	return fmt.Sprintf("p%d", b.captions)
}

// loose is text without an element of its own, and an anchor that is no link.
func (b *builder) loose() node {
	return el("div").add(text(b.phrase(3)), el("a").add(text(" "+b.phrase(2))))
}

func (b *builder) landmark() node {
	type kind struct{ tag, role string }
	k := pick(b, kind{"header", "banner"}, kind{"footer", "contentinfo"}, kind{"nav", "navigation"}, kind{"main", "main"}, kind{"aside", "complementary"}, kind{"section", "region"}, kind{"article", "article"}, kind{"div", ""})
	e := el(k.tag)
	it := item{role: k.role, stated: true}
	if k.role != "" {
		if k.tag == "section" || b.one(3) {
			it.name = b.caption()
			e.set("aria-label", it.name)
		}
		// In sectioning content a header and a footer are nothing of the page's, and an aside without a name is none either.
		local := k.tag == "header" || k.tag == "footer"
		if b.sections > 0 && (local || k.tag == "aside" && it.name == "") {
			it.role, it.stated = "", false
		}
		b.note(e, it)
	}
	if k.tag != "header" && k.tag != "footer" && k.tag != "div" {
		b.sections++
		defer func() { b.sections-- }()
	}
	for range 1 + b.r.IntN(3) {
		e.add(b.part())
	}
	return e
}

func (b *builder) meters() node {
	name := b.caption()
	value := fmt.Sprint(b.r.IntN(11))
	it := item{role: "progressbar", name: name, stated: true, value: value}
	e := el("progress", "max", "10", "value", value, "aria-label", name)
	if b.one(2) {
		it.role = "meter"
		e = el("meter", "max", "10", "value", value, "aria-label", name)
	}
	b.note(e, it)
	return el("div").add(e)
}
