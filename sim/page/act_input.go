package page

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// done is the data of an action that answers nothing.
type done struct{}

func (c *call) click(b *tab) (any, error) {
	e, err := c.readyElement(b, "", wants{enabled: true, pointer: true})
	if err != nil {
		return nil, err
	}
	c.clickOn(e, 1)
	return done{}, nil
}

func (c *call) dblclick(b *tab) (any, error) {
	e, err := c.readyElement(b, "", wants{enabled: true, pointer: true})
	if err != nil {
		return nil, err
	}
	c.clickOn(e, 1)
	if b.dialog != nil || e.d.over || !connected(e.d, e.n) {
		return done{}, nil
	}
	c.clickOn(e, 2)
	c.effect(e.d, "dblclick", e.n, "")
	c.tell(e.d, e.n, "dblclick")
	return done{}, nil
}

// clickOn is one press and release of a mouse button on an element.
func (c *call) clickOn(e element, nth int) {
	d, n := e.d, e.n
	d.reveal(n)
	d.touched = true
	button := c.text("button")
	detail := button
	if nth == 2 {
		detail = "second"
	}
	c.focusNear(d, n)
	switch button {
	case "right":
		c.effect(d, "contextmenu", n, "")
		c.tell(d, n, "contextmenu")
		return
	case "middle":
		c.effect(d, "click", n, detail)
		if link := d.activated(n); is(link, atom.A, atom.Area) {
			c.followLink(d, link)
		}
		return
	}
	c.effect(d, "click", n, detail)
	c.activate(d, n)
}

// newTabWanted reports whether the click asks for a new tab: the middle button, or
// Control or Meta with the left one.
func (c *call) newTabWanted() bool {
	return c.text("button") == "middle" || (c.action == "click" && c.modified("Control", "Meta", "ControlOrMeta"))
}

func (c *call) modified(names ...string) bool {
	for _, m := range protocol.StringsArg(c.args, "modifiers") {
		if slices.Contains(names, m) {
			return true
		}
	}
	return false
}

func (c *call) hover(b *tab) (any, error) {
	e, err := c.readyElement(b, "", wants{pointer: true})
	if err != nil {
		return nil, err
	}
	e.d.reveal(e.n)
	c.effect(e.d, "hover", e.n, "")
	c.tell(e.d, e.n, "mouseover")
	return done{}, nil
}

func (c *call) focus(b *tab) (any, error) {
	e, err := c.readyElement(b, "", wants{enabled: true})
	if err != nil {
		return nil, err
	}
	if !e.d.focusable(e.n) {
		return nil, fail(protocol.NotActionable, "%s takes no focus", e.d.describe(e.n))
	}
	c.focusOn(e.d, e.n)
	return done{}, nil
}

// typeText performs the action type.
func (c *call) typeText(b *tab) (any, error) {
	e, err := c.readyElement(b, "", wants{enabled: true, editable: true})
	if err != nil {
		return nil, err
	}
	d, n := e.d, e.n
	if is(n, atom.Label) && d.labeled(n) != nil {
		n = d.labeled(n)
	}
	text, replace := c.text("text"), c.text("mode") != "append"
	d.touched = true
	switch host := hostOfEditing(n); {
	case is(n, atom.Input) && slices.Contains(settable, kind(n)):
		if err := c.set(d, n, text); err != nil {
			return nil, err
		}
	case textField(n):
		c.focusOn(d, n)
		c.insert(d, n, text, replace)
	case host != nil:
		c.focusOn(d, host)
		c.insertInto(d, host, text, replace)
	default:
		return nil, fail(protocol.NotActionable, "%s takes no text", d.describe(n))
	}
	if c.flag("submit") && b.dialog == nil {
		c.key(b, "Enter")
	}
	return done{}, nil
}

// set puts a value into an input that is picked, not typed.
func (c *call) set(d *document, n *html.Node, v string) error {
	if v != "" && sanitized(n, v) != v {
		kept := ""
		if k := kind(n); k == "range" || k == "color" {
			kept = "; it takes " + sanitized(n, v)
		}
		return fail(protocol.BadRequest, "%q is no value of an input of type %s%s", v, kind(n), kept)
	}
	c.focusOn(d, n)
	d.setValue(n, v)
	d.live(n).typed = true
	c.effect(d, "input", n, "")
	c.tell(d, n, "input")
	c.effect(d, "change", n, "")
	c.tell(d, n, "change")
	return nil
}

// selectOptions performs the action select.
func (c *call) selectOptions(b *tab) (any, error) {
	e, err := c.readyElement(b, "", wants{enabled: true})
	if err != nil {
		return nil, err
	}
	d, n := e.d, e.n
	if is(n, atom.Label) && is(d.labeled(n), atom.Select) {
		n = d.labeled(n)
	}
	if !is(n, atom.Select) {
		return nil, fail(protocol.NotActionable, "%s is no select element", d.describe(n))
	}
	values := protocol.StringsArg(c.args, "values")
	if len(values) > 1 && !multiple(n) {
		return nil, fail(protocol.BadRequest, "%s takes one option, not %d", d.describe(n), len(values))
	}
	var chosen []*html.Node
	for _, v := range values {
		o, err := d.option(n, v)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(chosen, o) {
			chosen = append(chosen, o)
		}
	}
	d.touched = true
	c.focusOn(d, n)
	c.choose(d, n, chosen)
	now := []string{}
	for _, o := range d.selected(n) {
		now = append(now, optionValue(o))
	}
	return map[string]any{"selected": now}, nil
}

// option is the option of a value, else of a label.
func (d *document) option(sel *html.Node, v string) (*html.Node, error) {
	all := options(sel)
	at := slices.IndexFunc(all, func(o *html.Node) bool { return optionValue(o) == v })
	if at < 0 {
		at = slices.IndexFunc(all, func(o *html.Node) bool { return optionLabel(o) == oneLine(v) })
	}
	switch {
	case at < 0:
		var known []string
		for _, o := range all {
			known = append(known, quoted(optionValue(o)))
		}
		return nil, fail(protocol.NotActionable, "%s has no option %q; it has %v", d.describe(sel), v, known)
	case optionDisabled(all[at]):
		return nil, fail(protocol.NotActionable, "the option %q of %s is disabled", v, d.describe(sel))
	}
	return all[at], nil
}

// choose selects options and tells of it if that is a change.
func (c *call) choose(d *document, sel *html.Node, chosen []*html.Node) {
	before := d.selected(sel)
	d.choose(sel, chosen)
	if slices.Equal(before, d.selected(sel)) {
		return
	}
	c.effect(d, "input", sel, "")
	c.tell(d, sel, "input")
	c.effect(d, "change", sel, "")
	c.tell(d, sel, "change")
}

// check performs the action of that name: it clicks where that is needed.
func (c *call) check(b *tab) (any, error) {
	e, err := c.readyElement(b, "", wants{enabled: true})
	if err != nil {
		return nil, err
	}
	d, n := e.d, e.n
	if is(n, atom.Label) && d.labeled(n) != nil {
		n = d.labeled(n)
	}
	want := !c.has("checked") || c.flag("checked")
	state := func() bool {
		if checkable(n) {
			return d.checked(n)
		}
		return word(n, "aria-checked") == "true"
	}
	role := d.role(n)
	if !checkable(n) && role != "checkbox" && role != "radio" && role != "switch" && role != "menuitemcheckbox" && role != "menuitemradio" {
		return nil, fail(protocol.NotActionable, "%s is no check box, radio button or switch", d.describe(n))
	}
	if state() == want && !d.live(n).mixed {
		return map[string]any{"checked": want}, nil
	}
	if !want && (kind(n) == "radio" || role == "radio") {
		return nil, fail(protocol.NotActionable, "%s is a radio button: check another one of its group", d.describe(n))
	}
	if why := d.inertWhy(n); why != "" {
		return nil, fail(protocol.NotActionable, "%s cannot be acted on: %s", d.describe(n), why)
	}
	c.clickOn(element{d, n}, 1)
	if b.dialog == nil && state() != want && checkable(n) {
		return nil, fail(protocol.NotActionable, "%s did not change: the page prevented it", d.describe(n))
	}
	return map[string]any{"checked": state()}, nil
}

func (c *call) drag(b *tab) (any, error) {
	from, err := c.readyElement(b, "from", wants{pointer: true})
	if err != nil {
		return nil, err
	}
	to, err := c.readyElement(b, "to", wants{pointer: true})
	if err != nil {
		return nil, err
	}
	from.d.touched = true
	c.effect(from.d, "drag", from.n, "onto "+to.d.spoken(to.n))
	c.tell(to.d, to.n, "drop")
	return done{}, nil
}
