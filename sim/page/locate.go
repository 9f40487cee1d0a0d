package page

import (
	"context"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// element is an element of a document.
type element struct {
	d *document
	n *html.Node
}

// locate finds the element that the command's ref or selector names; that of the
// named argument if there is a name. An element without a node is one that CSS does
// not match.
func (c *call) locate(b *tab, arg string) (element, error) {
	given := c.text(arg)
	if arg == "" {
		if given = c.text("ref"); given == "" {
			given = c.text("selector")
		}
	}
	if number, ok := referenceOf(given); ok {
		return c.t.hold(c.session).refs.find(number, b)
	}
	all, err := c.query(b, given)
	if err != nil || len(all) == 0 {
		return element{}, err
	}
	return all[0], nil
}

// query finds what CSS matches in the frame that the session addresses: in its
// tree, then in its open shadow roots.
func (c *call) query(b *tab, css string) ([]element, error) {
	sel, err := cascadia.ParseGroup(css)
	if err != nil {
		return nil, fail(protocol.BadRequest, "%q is neither a reference (@e5) nor a CSS selector that is known: %v", css, err)
	}
	d := b.addressed()
	var all []element
	for _, root := range d.trees() {
		for _, n := range cascadia.QueryAll(root, sel) {
			all = append(all, element{d, n})
		}
	}
	return all, nil
}

// wants is what an action asks of its element.
type wants struct {
	enabled, editable, pointer bool
}

// unready says why an element cannot be acted on; "" if it can.
func (e element) unready(w wants) string {
	if e.n == nil {
		return "nothing matches it"
	}
	if why := e.d.hiddenWhy(e.n); why != "" {
		return "it is not visible: " + why
	}
	if is(e.n, atom.Option, atom.Optgroup) {
		if sel := selectOf(e.n); sel != nil && displaySize(sel) == 1 && !multiple(sel) {
			return "it is not visible: its list is closed; select chooses an option"
		}
	}
	if w.enabled {
		if why := e.d.disabledWhy(e.n); why != "" {
			return why
		}
	}
	if w.editable && has(e.n, "readonly") && takesReadonly(e.n) {
		return "it is read-only"
	}
	if w.pointer || w.editable {
		return e.d.inertWhy(e.n)
	}
	return ""
}

// ready waits until the element that the command names can be acted on. A page that
// will do nothing by itself is not waited for.
func (c *call) readyElement(b *tab, arg string, w wants) (element, error) {
	var e element
	var why string
	var failed error
	err := c.until(b, func() bool {
		e, failed = c.locate(b, arg)
		if failed != nil {
			return true
		}
		why = e.unready(w)
		return why == "" || b.doc() == nil || b.doc().nextDue() == never
	})
	switch {
	case failed != nil:
		return e, failed
	case err != nil && err != context.DeadlineExceeded:
		return e, err
	case why == "":
		return e, nil
	}
	given := c.text(arg)
	if arg == "" {
		if given = c.text("ref"); given == "" {
			given = c.text("selector")
		}
	}
	if e.n != nil {
		given += ", " + e.d.describe(e.n) + ","
	}
	return e, fail(protocol.NotActionable, "%s cannot be acted on: %s", given, why)
}

// describe names an element for a message: <button#buy> (button "Buy").
func (d *document) describe(n *html.Node) string {
	out := "<" + n.Data
	if id := attr(n, "id"); id != "" {
		out += "#" + id
	}
	out += ">"
	if role := d.role(n); role != "" {
		out += " (" + said(role, d.name(n)) + ")"
	}
	return out
}

// spoken names an element for an effect: button "Buy".
func (d *document) spoken(n *html.Node) string {
	if role := d.role(n); role != "" {
		return said(role, d.name(n))
	}
	if id := attr(n, "id"); id != "" {
		return "<" + n.Data + "#" + id + ">"
	}
	return "<" + n.Data + ">"
}

// effect counts an effect on an element.
func (c *call) effect(d *document, kind string, n *html.Node, detail string) {
	c.t.effect(d.tab, kind, d.spoken(n), detail)
}

// quoted is s as a string of JSON, as a snapshot has it.
func quoted(s string) string {
	q := strconv.Quote(s)
	if !strings.ContainsAny(s, "\x00\x01\x02\x03\x04\x05\x06\x07\x0b\x7f") && !strings.Contains(q, `\u`) && !strings.Contains(q, `\U`) && !strings.Contains(q, `\x`) {
		return q
	}
	return jsonString(s)
}
