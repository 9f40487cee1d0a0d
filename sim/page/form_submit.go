package page

import (
	"net/http"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// submit is the submission of a form by a person, with the button that did it or
// none (HTML, 4.10.22.3): validation, the event, then the entries.
func (c *call) submit(d *document, form, submitter *html.Node) {
	if form == nil || !connected(d, form) {
		return
	}
	if !has(form, "novalidate") && !(submitter != nil && has(submitter, "formnovalidate")) && !c.validate(d, form) {
		return
	}
	c.fire(d, form, "submit", func(c *call, prevented bool) {
		if !prevented {
			c.send(d, form, submitter)
		}
	})
}

// validate is interactive constraint validation (HTML, 4.10.21.2): what is invalid
// is counted, and the first such control gets the focus.
func (c *call) validate(d *document, form *html.Node) bool {
	var first *html.Node
	for _, n := range d.controls(form) {
		if !candidate(n) {
			continue
		}
		why := d.invalid(n)
		if why == "" {
			continue
		}
		c.effect(d, "invalid", n, why)
		if first == nil && d.shown(n) {
			first = n
		}
		if first == nil {
			d.tab.log("error", "browser", "An invalid form control with name='"+attr(n, "name")+"' is not focusable.", d.url.String())
		}
	}
	if first != nil {
		d.reveal(first)
		c.focusOn(d, first)
	}
	return first == nil && !c.anyInvalid(d, form)
}

func (c *call) anyInvalid(d *document, form *html.Node) bool {
	for _, n := range d.controls(form) {
		if candidate(n) && d.invalid(n) != "" {
			return true
		}
	}
	return false
}

// send builds the entries and goes where the form says.
func (c *call) send(d *document, form, submitter *html.Node) {
	method := formWord(form, submitter, "method", "formmethod")
	if method == "dialog" {
		c.effect(d, "submit", form, "method dialog")
		if dlg := closest(form, func(n *html.Node) bool { return is(n, atom.Dialog) }); dlg != nil && has(dlg, "open") {
			c.closeDialogElement(d, dlg)
		}
		return
	}
	list := d.entryList(form, submitter, "0", "0")
	action := formText(form, submitter, "action", "formaction")
	to := d.url.String()
	if action != "" {
		to = resolve(d.base, action)
	}
	req := Request{Method: http.MethodGet, URL: to, Header: http.Header{}}
	if method == "post" {
		req.Method = http.MethodPost
		req.Body, req.Header = encode(list, formWord(form, submitter, "enctype", "formenctype"))
	} else {
		req.URL = withQuery(to, urlencoded(list))
	}
	c.effect(d, "submit", form, req.Method+" "+withoutFragment(to)+" "+names(list))
	switch scheme(to) {
	case "http", "https", "file", "data", "about":
		if strings.HasPrefix(to, srcdoc) {
			// The document of a frame's srcdoc has no server.
			return
		}
	default:
		return
	}
	req.Header.Set("Referer", withoutFragment(d.url.String()))
	if req.Method == http.MethodPost {
		req.Header.Set("Origin", d.url.Scheme+"://"+d.url.Host)
	}
	full := req.URL
	if req.Method == http.MethodPost {
		full = to
	}
	req.URL = withoutFragment(req.URL)
	c.open(d, formText(form, submitter, "target", "formtarget"), navigation{url: full, req: req})
}

// encode writes entries in the encoding of a POST.
func encode(list []formEntry, enctype string) ([]byte, http.Header) {
	switch enctype {
	case "multipart/form-data":
		body, sep := multipart(list)
		return []byte(body), http.Header{"Content-Type": {"multipart/form-data; boundary=" + sep}}
	case "text/plain":
		return []byte(plain(list)), http.Header{"Content-Type": {"text/plain"}}
	}
	return []byte(urlencoded(list)), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
}

// names are the names of the entries, without the values, which somebody typed.
func names(list []formEntry) string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = e.name
	}
	return "[" + strings.Join(all, " ") + "]"
}

// implicit is implicit submission (HTML, 4.10.22.2), by Enter in a text field.
func (c *call) implicit(d *document, n *html.Node) {
	form := d.owner(n)
	if form == nil {
		return
	}
	blocking := 0
	for _, other := range d.controls(form) {
		if submitButton(other) {
			// The default button, a disabled one too: then nothing happens.
			if !disabled(other) {
				c.activate(d, other)
			}
			return
		}
		if blocksImplicit(other) {
			blocking++
		}
	}
	if blocking <= 1 {
		c.submit(d, form, nil)
	}
}

// blocksImplicit reports whether a field blocks implicit submission.
func blocksImplicit(n *html.Node) bool {
	if !is(n, atom.Input) {
		return false
	}
	switch kind(n) {
	case "text", "search", "tel", "url", "email", "password", "date", "month", "week", "time", "datetime-local", "number":
		return true
	}
	return false
}

// open sends a navigation where a target says: this frame, a frame of that name,
// the parent, the top, or a new tab (HTML, 7.3.1.7).
func (c *call) open(d *document, target string, n navigation) {
	n.tab, n.frame = d.tab, nil
	if d.parent != nil {
		n.frame = d
	}
	switch name := strings.ToLower(target); {
	case target == "" && attrOfBase(d) != "":
		c.open(d, attrOfBase(d), n)
		return
	case target == "" || name == "_self":
	case name == "_parent":
		n.frame = nil
		if d.parent != nil && d.parent.parent != nil {
			n.frame = d.parent
		}
	case name == "_top":
		n.frame = nil
	default:
		if name != "_blank" {
			if f := d.top().frameNamed(target); f != nil {
				n.frame = f
				break
			}
		}
		c.newTab(d, n)
		return
	}
	if n.frame == nil {
		c.leaving(d.tab, func(c *call) { c.next = append(c.next, n) })
		return
	}
	c.next = append(c.next, n)
}

func attrOfBase(d *document) string {
	if n := d.find(func(n *html.Node) bool { return is(n, atom.Base) && has(n, "target") }); n != nil {
		return attr(n, "target")
	}
	return ""
}

// newTab opens a tab for a page of the session; the 33rd stays the person's.
func (c *call) newTab(d *document, n navigation) {
	session := d.tab.session
	if c.full() {
		session = ""
	}
	current := int64(0)
	if h := c.t.held[session]; h != nil {
		current = h.current
	}
	b := c.t.open(session, n.url)
	b.ready = true
	c.t.effect(b, "tab_opened", n.url, "")
	if h := c.t.held[session]; h != nil && current != 0 {
		// It opens in the background: the session goes on where it was.
		h.current = current
	}
	n.tab, n.frame, n.replace = b, nil, true
	c.next = append(c.next, n)
}
