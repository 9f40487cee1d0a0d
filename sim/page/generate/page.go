package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Page is a generated page. It does not change; many may use it at once.
type Page struct {
	Seed  uint64
	Title string
	// HTML is the document. It asks for no other resource when it is loaded.
	HTML string

	// dir is the path that a base element gives, "" without one.
	dir      string
	items    []*item
	controls []*control
}

// Path is the path that the page expects to be served at. Its own requests go
// to other paths of the same origin.
func (p *Page) Path() string { return fmt.Sprintf("/page/%d", p.Seed) }

func (p *Page) base() string {
	if p.dir != "" {
		return p.dir
	}
	return p.Path()
}

// New makes the page of a seed; the same seed always gives the same page.
func New(seed uint64) *Page {
	p := &Page{Seed: seed}
	b := &builder{r: rand.New(rand.NewPCG(seed, 0x6f6d77)), page: p}
	p.Title = b.caption()
	body := b.body()
	b.identify(body)
	w := &writer{r: b.r, loose: pick(b, 0, 15, 40)}
	w.WriteString(pick(b, "<!DOCTYPE html>", "<!doctype html>\n", "<!doctype HTML>\n\n"))
	b.head().write(w, true, nil)
	body.write(w, true, nil)
	p.HTML = w.String()
	return p
}

// item is an element of the page that a person, or an agent, finds.
type item struct {
	id, tag string
	// role and name as HTML-AAM and accname give them. stated is false where no standard names a role.
	role, name string
	stated     bool
	level      int
	// control, label, summary, href: what the element does.
	control *control
	option  *option
	labels  *control
	summary *details
	href    *string
	target  string
	frame   string
	// value is what a meter shows.
	value string

	// invisible is why it has no box, unexposed why it is not in the
	// accessibility tree although it may have one; "" if neither.
	invisible, unexposed string
	// within are the details that show it only while they are open.
	within []*details
	// states are those that never change: "pressed", "expanded=false"…
	states []string
	edits  bool
}

// details is a details element.
type details struct {
	id   string
	open bool
}

// builder makes a page. What it adds to the page is in document order.
type builder struct {
	r        *rand.Rand
	page     *Page
	captions int
	ids      int

	form      *form
	frame     string
	fieldset  bool // a disabled one
	invisible string
	unexposed string
	within    []*details
	depth     int
	// sections counts the sectioning elements and main around.
	sections int
}

func (b *builder) id() string {
	b.ids++
	return fmt.Sprintf("n%d", b.ids)
}

// note adds an item for e, which gets an id if it has none.
func (b *builder) note(e *elem, it item) *item {
	if it.id == "" {
		it.id = b.id()
	}
	e.set("id", it.id)
	it.tag, it.frame = e.tag, b.frame
	it.invisible, it.unexposed, it.within = b.invisible, b.unexposed, b.within
	b.page.items = append(b.page.items, &it)
	return &it
}

func (b *builder) head() node {
	head := el("head").add(el("meta", "charset", "utf-8"), el("title").add(text(b.page.Title)))
	if b.page.dir != "" {
		head.add(el("base", "href", b.page.dir))
	}
	return head.add(el("style").add(raw(".gone{display:none}.veiled{visibility:hidden}.back{visibility:visible}")))
}

func (b *builder) body() *elem {
	if b.one(5) {
		b.page.dir = pick(b, "/deep/er/", "/other/index.html")
	}
	body := el("body")
	parts := 4 + b.r.IntN(5)
	forms := 1 + b.r.IntN(2)
	for i := range parts {
		if i%3 == 1 && forms > 0 {
			forms--
			body.add(b.formPart())
			continue
		}
		body.add(b.part())
	}
	return body
}

// identify gives an id to every element that has none, so that what two browsers
// make of it can be told apart.
func (b *builder) identify(e *elem) {
	if !slices.ContainsFunc(e.attrs, func(a attr) bool { return a.name == "id" }) {
		e.set("id", b.id())
	}
	for _, k := range e.kids {
		if e, ok := k.(*elem); ok {
			b.identify(e)
		}
	}
}
