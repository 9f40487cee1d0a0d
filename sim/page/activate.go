package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// activate is a click on an element as its page hears it, with what HTML then does
// (HTML, 6.4.2 and DOM 2.9: legacy pre-activation, activation behaviour of the
// nearest element that has one).
func (c *call) activate(d *document, n *html.Node) {
	if disabled(n) {
		return
	}
	d.touched = true
	target := d.activated(n)
	if checkable(target) && target == n {
		c.toggle(d, n)
		return
	}
	c.fire(d, n, "click", func(c *call, prevented bool) {
		if !prevented && target != nil && !d.over {
			c.behave(d, target, n)
		}
	})
}

// activated is the element whose activation behaviour a click on n has.
func (d *document) activated(n *html.Node) *html.Node {
	for e := n; e != nil; e = d.up(e) {
		switch {
		case is(e, atom.A, atom.Area):
			if has(e, "href") {
				return e
			}
		case is(e, atom.Button, atom.Input, atom.Label):
			return e
		case is(e, atom.Summary) && is(e.Parent, atom.Details) && firstSummary(e.Parent) == e:
			return e
		case is(e, atom.Option), is(e, atom.Select), is(e, atom.Textarea):
			return e
		}
	}
	return nil
}

// toggle is a click on a checkbox or radio button: it is checked before the page
// hears of it, and given back if the page prevents it.
func (c *call) toggle(d *document, n *html.Node) {
	before := map[*html.Node]bool{n: d.checked(n)}
	if kind(n) == "radio" {
		for _, other := range d.group(n) {
			before[other] = d.checked(other)
		}
	}
	wasMixed := d.live(n).mixed
	d.setChecked(n, kind(n) == "radio" || !before[n])
	c.fire(d, n, "click", func(c *call, prevented bool) {
		if prevented {
			for other, was := range before {
				s := d.live(other)
				s.set, s.checked = true, was
			}
			d.live(n).mixed = wasMixed
			return
		}
		if d.checked(n) == before[n] {
			return
		}
		c.effect(d, "input", n, "")
		c.tell(d, n, "input")
		c.effect(d, "change", n, "")
		c.tell(d, n, "change")
	})
}

// behave is the activation behaviour of n; at is what was clicked in it.
func (c *call) behave(d *document, n, at *html.Node) {
	switch {
	case is(n, atom.A, atom.Area):
		c.followLink(d, n)
	case is(n, atom.Label):
		// A click on something interactive in the label is that one's alone.
		if of := d.labeled(n); of != nil && !d.contains(of, at) && !interactiveContent(at, n) {
			c.focusNear(d, of)
			c.effect(d, "click", of, "by its label")
			c.activate(d, of)
		}
	case is(n, atom.Summary):
		c.toggleDetails(d, n.Parent)
	case isButton(n):
		c.press(d, n)
	case is(n, atom.Option):
		c.pick(d, n)
	}
}

// interactiveContent reports whether at, below label, is or is in something that is
// acted on by itself.
func interactiveContent(at, label *html.Node) bool {
	for e := at; e != nil && e != label; e = e.Parent {
		if is(e, atom.Button, atom.Select, atom.Textarea, atom.Input) || (is(e, atom.A) && has(e, "href")) || has(e, "tabindex") {
			return true
		}
	}
	return false
}

func (d *document) contains(n, inner *html.Node) bool {
	for e := inner; e != nil; e = d.up(e) {
		if e == n {
			return true
		}
	}
	return false
}

// press is the activation behaviour of a button (HTML, 4.10.6 and 4.10.5.1).
func (c *call) press(d *document, n *html.Node) {
	form := d.owner(n)
	if c.invoke(d, n, form) {
		return
	}
	switch {
	case submitButton(n):
		c.submit(d, form, n)
	case kind(n) == "reset" && form != nil:
		c.reset(d, form)
	}
}

// reset resets a form unless the page prevents it.
func (c *call) reset(d *document, form *html.Node) {
	c.fire(d, form, "reset", func(c *call, prevented bool) {
		if !prevented {
			d.resetForm(form)
			c.effect(d, "reset", form, "")
		}
	})
}

// invoke performs a button's popovertarget or command (HTML, 4.10.6 and 6.12); false
// if it has none.
func (c *call) invoke(d *document, n, form *html.Node) bool {
	if form != nil && is(n, atom.Button) && kind(n) == "submit" && has(n, "type") {
		return false
	}
	if target := d.byID(attr(n, "commandfor")); target != nil && is(n, atom.Button) {
		switch word(n, "command") {
		case "show-modal":
			c.openDialogElement(d, target, true)
		case "close", "request-close":
			c.closeDialogElement(d, target)
		case "show-popover":
			c.popover(d, target, true)
		case "hide-popover":
			c.popover(d, target, false)
		case "toggle-popover":
			c.popover(d, target, !d.popovers[target])
		}
		return true
	}
	if target := d.byID(attr(n, "popovertarget")); target != nil && has(target, "popover") {
		switch word(n, "popovertargetaction") {
		case "show":
			c.popover(d, target, true)
		case "hide":
			c.popover(d, target, false)
		default:
			c.popover(d, target, !d.popovers[target])
		}
		return true
	}
	return false
}

func (c *call) popover(d *document, n *html.Node, shown bool) {
	if d.popovers[n] == shown {
		return
	}
	if shown && word(n, "popover") != "manual" {
		// An auto popover closes the others that are not around it.
		for other := range d.popovers {
			if word(other, "popover") != "manual" && !d.contains(other, n) {
				delete(d.popovers, other)
			}
		}
	}
	d.popovers[n] = shown
	c.effect(d, "toggle", n, choice(shown, "shown", "hidden"))
}

// openDialogElement opens a dialog element (HTML, 4.11.4).
func (c *call) openDialogElement(d *document, n *html.Node, modal bool) {
	if !is(n, atom.Dialog) || has(n, "open") {
		return
	}
	setAttr(n, "open", "")
	if modal {
		d.modals = append(d.modals, n)
	}
	c.effect(d, "toggle", n, "open")
	for e := range elements(n) {
		if has(e, "autofocus") && d.focusable(e) {
			c.focusOn(d, e)
			return
		}
	}
	for e := range elements(n) {
		if d.focusable(e) && d.shown(e) {
			c.focusOn(d, e)
			return
		}
	}
}

func (c *call) closeDialogElement(d *document, n *html.Node) {
	if !is(n, atom.Dialog) || !has(n, "open") {
		return
	}
	removeAttr(n, "open")
	d.modals = without(d.modals, n)
	if d.focus != nil && d.contains(n, d.focus) {
		d.focus = nil
	}
	c.effect(d, "toggle", n, "closed")
}

func without(all []*html.Node, n *html.Node) []*html.Node {
	var rest []*html.Node
	for _, other := range all {
		if other != n {
			rest = append(rest, other)
		}
	}
	return rest
}

// toggleDetails opens or closes a details element; others of its name close.
func (c *call) toggleDetails(d *document, n *html.Node) {
	if has(n, "open") {
		removeAttr(n, "open")
		c.effect(d, "toggle", n, "closed")
		return
	}
	if name := attr(n, "name"); name != "" {
		for other := range elements(rootOf(n)) {
			if is(other, atom.Details) && attr(other, "name") == name {
				removeAttr(other, "open")
			}
		}
	}
	setAttr(n, "open", "")
	c.effect(d, "toggle", n, "open")
}

// followLink follows a hyperlink (HTML, 4.6.4), or saves what it names.
func (c *call) followLink(d *document, n *html.Node) {
	raw := attr(n, "href")
	if code, ok := strings.CutPrefix(trimURL(raw), "javascript:"); ok {
		c.hear(d, []heard{{n, deedsOf(unescape(code))}}, false, func(*call, bool) {})
		return
	}
	to := resolve(d.base, raw)
	if d.url.Scheme == "about" && strings.HasPrefix(trimURL(raw), "#") {
		// A fragment in a srcdoc is its own, whatever its base URL; Chromium does so.
		to = withoutFragment(d.url.String()) + trimURL(raw)
	}
	switch scheme(to) {
	case "http", "https", "file", "data", "about":
	default:
		return
	}
	if has(n, "download") {
		c.fetchDownload(d.tab, to, attr(n, "download"))
		return
	}
	n2 := get(d.tab, to)
	n2.req.Header = referer(d)
	target := attr(n, "target")
	if c.newTabWanted() {
		c.newTab(d, n2)
		return
	}
	c.open(d, target, n2)
}

// pick is a click on an option of a list box.
func (c *call) pick(d *document, o *html.Node) {
	sel := selectOf(o)
	if sel == nil || optionDisabled(o) || disabled(sel) {
		return
	}
	chosen := []*html.Node{o}
	if multiple(sel) && c.modified("Control", "Meta", "ControlOrMeta") {
		chosen = d.selected(sel)
		if had := without(chosen, o); len(had) < len(chosen) {
			chosen = had
		} else {
			chosen = append(chosen, o)
		}
	}
	c.choose(d, sel, chosen)
}
