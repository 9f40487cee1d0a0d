package page

import (
	"net/http"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const srcdoc = "about:srcdoc"

// resources fetches what a document shows beside itself: style sheets, frames,
// images, scripts. Each is a network entry; what no Site serves is a failed one.
func (c *call) resources(d *document) {
	for n := range elements(d.root) {
		switch {
		case is(n, atom.Link) && strings.Contains(" "+word(n, "rel")+" ", " stylesheet ") && attr(n, "href") != "":
			if got, ok := c.resource(d, "stylesheet", attr(n, "href")); ok {
				d.sheet(string(decoded(got.Body, "text/css; charset=utf-8")))
			}
		case is(n, atom.Img) && attr(n, "src") != "" && word(n, "loading") != "lazy":
			c.resource(d, "image", attr(n, "src"))
		case is(n, atom.Script) && attr(n, "src") != "":
			c.resource(d, "script", attr(n, "src"))
		}
	}
	for _, root := range d.trees() {
		for n := range elements(root) {
			if is(n, atom.Iframe, atom.Frame) {
				d.frames[n] = c.loadFrame(d, n)
			}
		}
	}
}

func (c *call) resource(d *document, kind, raw string) (Response, bool) {
	to := withoutFragment(resolve(d.base, raw))
	if s := scheme(to); s == "data" || to == "" || c.t.cfg.Site == nil {
		return Response{}, false
	}
	got, err := c.fetch(d.tab, kind, Request{Method: http.MethodGet, URL: to, Header: referer(d)})
	return got, err == nil && got.Status < http.StatusBadRequest
}

func referer(d *document) http.Header {
	if d.url.Scheme != "http" && d.url.Scheme != "https" {
		return http.Header{}
	}
	bare := *d.url
	bare.User, bare.Fragment = nil, ""
	return http.Header{"Referer": {bare.String()}}
}

// loadFrame makes the document of an iframe: of its srcdoc, of its src, or empty.
func (c *call) loadFrame(d *document, n *html.Node) *document {
	in := &document{tab: d.tab, parent: d, element: n, url: parsed(blank)}
	if text, ok := lookup(n, "srcdoc"); ok {
		return c.parse(d.tab, srcdoc, page(http.StatusOK, text), in)
	}
	to := resolve(d.base, attr(n, "src"))
	depth := 0
	for up := d; up != nil; up = up.parent {
		depth++
		if up.url.String() == to {
			to = blank // A frame that shows what is around it stays empty (HTML, 4.8.5).
		}
	}
	if attr(n, "src") == "" || depth > maxFrames {
		to = blank
	}
	got, err := c.fetch(d.tab, "subframe", Request{Method: http.MethodGet, URL: withoutFragment(to), Header: referer(d)})
	if err != nil {
		f := failed(d.tab, to, reason(err, to))
		f.parent, f.element = d, n
		return f
	}
	if _, fragment, ok := strings.Cut(to, "#"); ok {
		got.URL += "#" + fragment
	}
	return c.parse(d.tab, got.URL, got, in)
}

// loaded lets the page hear that it was loaded, its frames first.
func (c *call) loaded(d *document) {
	d.rules = c.t.rules
	for n, f := range d.frames {
		if connected(d, n) {
			c.loaded(f)
		}
	}
	c.scripts(d)
	if n := d.find(func(n *html.Node) bool { return has(n, "autofocus") && d.focusable(n) && d.shown(n) }); n != nil && d.focus == nil {
		d.focus = n
	}
	d.target()
	if body := d.body(); body != nil {
		c.tell(d, body, "load")
	}
}

// scripts does what the scripts of a page say, where all of a script is known.
func (c *call) scripts(d *document) {
	for n := range elements(d.root) {
		if !is(n, atom.Script) || has(n, "src") || !isScript(n) {
			continue
		}
		deeds := deedsOf(rawText(n))
		for _, one := range deeds {
			if one.what == "unknown" {
				d.tab.log("warn", "browser", "the simulated browser does not run the page's scripts; say what they do by rules or data-sim attributes", d.url.String())
				deeds = nil
				break
			}
		}
		c.hear(d, []heard{{d.body(), deeds}}, false, func(*call, bool) {})
	}
}

// isScript reports whether the content of a script element is JavaScript.
func isScript(n *html.Node) bool {
	switch word(n, "type") {
	case "", "text/javascript", "module", "application/javascript":
		return true
	}
	return false
}

// asksBeforeUnload reports whether the page has its person confirm that it is left:
// only one that somebody has acted on may (HTML, 7.4.2.4).
func (d *document) asksBeforeUnload() bool {
	body := d.body()
	if body == nil || !d.touched {
		return false
	}
	for _, h := range d.hears(body, "beforeunload") {
		for _, one := range h.deeds {
			if one.what == "prevent" || strings.HasPrefix(one.what, "dialog ") {
				return true
			}
		}
	}
	return has(body, "onbeforeunload")
}

// frameNamed is the frame of that name, in tree order.
func (d *document) frameNamed(name string) *document {
	return d.eachFrame(func(f *document) bool { return attr(f.element, "name") == name || attr(f.element, "id") == name })
}

func (d *document) eachFrame(ok func(*document) bool) *document {
	for _, root := range d.trees() {
		for n := range elements(root) {
			f := d.frames[n]
			if f == nil {
				continue
			}
			if ok(f) {
				return f
			}
			if inner := f.eachFrame(ok); inner != nil {
				return inner
			}
		}
	}
	return nil
}

// findFrame is the frame that the wire names: a reference, a name, or a part of its
// URL.
func (c *call) findFrame(b *tab, given string) (*document, error) {
	if number, ok := referenceOf(given); ok {
		e, err := c.t.hold(c.session).refs.find(number, b)
		if err != nil {
			return nil, err
		}
		if f := e.d.frames[e.n]; f != nil {
			return f, nil
		}
		return nil, fail(protocol.NotFound, "%s is no frame", e.d.describe(e.n))
	}
	top := b.doc()
	if f := top.frameNamed(given); f != nil {
		return f, nil
	}
	if f := top.eachFrame(func(f *document) bool { return matches(given, f.url.String()) }); f != nil {
		return f, nil
	}
	return nil, fail(protocol.NotFound, "the page has no frame of the name %q, nor one whose URL has it", given)
}

// frameArg is the document that the command is about: its frame argument's, else
// the one that the session addresses.
func (c *call) frameArg(b *tab) (*document, error) {
	if given := c.text("frame"); given != "" {
		return c.findFrame(b, given)
	}
	return b.addressed(), nil
}

// chooseFrame performs the action frame.
func (c *call) chooseFrame(b *tab) (any, error) {
	given := c.text("frame")
	if given == "" {
		b.frame, b.frameName = nil, ""
		return map[string]any{"frame": nil, "url": b.url()}, nil
	}
	f, err := c.findFrame(b, given)
	if err != nil {
		return nil, err
	}
	b.frame, b.frameName = f, given
	return map[string]any{"frame": given, "url": f.url.String()}, nil
}
