package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pressKey performs the action press.
func (c *call) pressKey(b *tab) (any, error) {
	if c.has("ref") || c.has("selector") {
		e, err := c.readyElement(b, "", wants{enabled: true})
		if err != nil {
			return nil, err
		}
		if host := hostOfEditing(e.n); host != nil {
			e.n = host
		}
		if e.d.focusable(e.n) {
			c.focusOn(e.d, e.n)
		}
	}
	if b.dialog == nil {
		c.key(b, c.text("key"))
	}
	return done{}, nil
}

// key presses a key where the focus is.
func (c *call) key(b *tab, key string) {
	at := b.doc().active()
	at.d.touched = true
	n := at.n
	if n == nil {
		n = at.d.body()
	}
	detail := key
	if utf8.RuneCountInString(key) == 1 {
		// What is typed is nobody's business.
		detail = "a character"
	}
	c.effect(at.d, "keydown", n, detail)
	c.fire(at.d, n, "keydown", func(c *call, prevented bool) {
		if !prevented {
			c.keyDefault(b, at, key)
		}
	})
}

// keyDefault is what a key does in an element (HTML, 6.4, 6.6.4 and 4.10).
func (c *call) keyDefault(b *tab, at element, key string) {
	d, n := at.d, at.n
	switch {
	case key == "Tab":
		c.tabKey(b, at, c.modified("Shift"))
	case key == "Escape":
		if m := d.modal(); m != nil {
			c.closeDialogElement(d, m)
		}
		for p := range d.popovers {
			if word(p, "popover") != "manual" {
				c.popover(d, p, false)
			}
		}
	case n == nil:
	case c.modified("Control", "Meta", "ControlOrMeta", "Alt"):
		if strings.EqualFold(key, "a") && c.modified("Control", "Meta", "ControlOrMeta") {
			d.live(n).allSelected = true
		}
	case key == "Enter":
		c.enterKey(d, n)
	case key == " " || key == "Space":
		c.spaceKey(d, n)
	case strings.HasPrefix(key, "Arrow"):
		c.arrowKey(d, n, key)
	case key == "Backspace" || key == "Delete":
		c.eraseKey(d, n, key)
	case utf8.RuneCountInString(key) == 1:
		c.characterKey(d, n, key)
	}
}

func (c *call) tabKey(b *tab, at element, back bool) {
	order := b.doc().tabOrder()
	if len(order) == 0 {
		return
	}
	now := slices.Index(order, at)
	next := now + 1
	if back {
		if next = now - 1; now < 0 {
			next = len(order) - 1
		}
	}
	if next < 0 || next >= len(order) {
		// The focus leaves the page, for the browser's own controls.
		c.focusOn(at.d, nil)
		return
	}
	c.focusOn(order[next].d, order[next].n)
}

func (c *call) enterKey(d *document, n *html.Node) {
	switch {
	case is(n, atom.A), is(n, atom.Summary), isButton(n):
		c.effect(d, "click", n, "by Enter")
		c.activate(d, n)
	case is(n, atom.Textarea):
		c.characterKey(d, n, "\n")
	case is(n, atom.Input):
		c.commit(d, n)
		c.implicit(d, n)
	case hostOfEditing(n) != nil:
		c.insertInto(d, n, "\n", false)
	}
}

func (c *call) spaceKey(d *document, n *html.Node) {
	switch {
	case isButton(n), checkable(n), is(n, atom.Summary):
		if kind(n) == "radio" && d.checked(n) {
			return
		}
		c.effect(d, "click", n, "by Space")
		c.activate(d, n)
	default:
		c.characterKey(d, n, " ")
	}
}

// arrowKey moves in a radio group, a drop-down, a list box, a slider or a number.
func (c *call) arrowKey(d *document, n *html.Node, key string) {
	by := 1
	if key == "ArrowUp" || key == "ArrowLeft" {
		by = -1
	}
	switch {
	case is(n, atom.Input) && kind(n) == "radio":
		var able []*html.Node
		for _, other := range d.group(n) {
			if !disabled(other) && d.shown(other) {
				able = append(able, other)
			}
		}
		if at := slices.Index(able, n); at >= 0 && len(able) > 1 {
			next := able[(at+by+len(able))%len(able)]
			c.focusOn(d, next)
			c.effect(d, "click", next, "by "+key)
			c.activate(d, next)
		}
	case is(n, atom.Select):
		c.nextOption(d, n, by)
	case is(n, atom.Input) && (kind(n) == "range" || kind(n) == "number") && !has(n, "readonly"):
		if kind(n) == "range" || key == "ArrowUp" || key == "ArrowDown" {
			if key == "ArrowUp" || key == "ArrowDown" {
				by = -by
			}
			c.stepBy(d, n, float64(by))
		}
	}
}

func (c *call) nextOption(d *document, sel *html.Node, by int) {
	var able []*html.Node
	for _, o := range options(sel) {
		if !optionDisabled(o) {
			able = append(able, o)
		}
	}
	at := -1
	if now := d.selected(sel); len(now) > 0 {
		at = slices.Index(able, now[len(now)-1])
	}
	if at += by; at >= 0 && at < len(able) {
		c.choose(d, sel, []*html.Node{able[at]})
	}
}

// stepBy moves a number by steps, within its bounds.
func (c *call) stepBy(d *document, n *html.Node, by float64) {
	step, base, ok := stepOf(n)
	if !ok {
		step = 1
	}
	now, _ := float(d.value(n))
	next := now + by*step
	if k := (now - base) / step; ok && k != float64(int64(k)) {
		// From between two steps it goes to the next one.
		next = base + step*float64(int64(k))
		if by > 0 {
			next += step
		}
	}
	t := kind(n)
	if least, ok := numeric(t, attr(n, "min")); ok {
		next = max(next, least)
	}
	if most, ok := numeric(t, attr(n, "max")); ok {
		next = min(next, most)
	}
	if v := number(next); v != d.value(n) {
		if t == "range" {
			v = sanitized(n, v)
		}
		d.setValue(n, v)
		c.effect(d, "input", n, "")
		c.tell(d, n, "input")
		c.effect(d, "change", n, "")
		c.tell(d, n, "change")
	}
}

func (c *call) characterKey(d *document, n *html.Node, text string) {
	switch {
	case is(n, atom.Select):
		c.typeAhead(d, n, text)
	case textField(n) && !has(n, "readonly"):
		all := d.live(n).allSelected
		d.live(n).allSelected = false
		c.insert(d, n, text, all)
	case hostOfEditing(n) != nil:
		c.insertInto(d, n, text, false)
	}
}

// typeAhead chooses the next option that begins with a character.
func (c *call) typeAhead(d *document, sel *html.Node, text string) {
	all := options(sel)
	from := 0
	if now := d.selected(sel); len(now) > 0 {
		from = slices.Index(all, now[0]) + 1
	}
	for i := range all {
		o := all[(from+i)%len(all)]
		if !optionDisabled(o) && strings.HasPrefix(strings.ToLower(optionLabel(o)), strings.ToLower(text)) {
			c.choose(d, sel, []*html.Node{o})
			return
		}
	}
}

// eraseKey takes the last character of a field, or all that is selected.
func (c *call) eraseKey(d *document, n *html.Node, key string) {
	if !textField(n) || has(n, "readonly") {
		return
	}
	all := d.live(n).allSelected
	d.live(n).allSelected = false
	v := d.raw(n)
	if v == "" || (key == "Delete" && !all) {
		return
	}
	_, size := utf8.DecodeLastRuneInString(v)
	if all {
		size = len(v)
	}
	c.insert(d, n, v[:len(v)-size], true)
}

// body is the body element.
func (d *document) body() *html.Node {
	if n := d.find(func(n *html.Node) bool { return is(n, atom.Body, atom.Frameset) }); n != nil {
		return n
	}
	return d.root.FirstChild
}
