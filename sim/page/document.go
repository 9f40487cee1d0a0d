package page

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// document is one HTML document and the state of its elements.
type document struct {
	tab    *tab
	url    *url.URL
	root   *html.Node
	status int
	// parent and element are the document and the iframe that show this one.
	parent  *document
	element *html.Node
	// frames are the documents of its iframes.
	frames map[*html.Node]*document
	// shadows are the shadow roots by their host.
	shadows map[*html.Node]*shadow
	state   map[*html.Node]*control
	// owners are the forms that the parser gave to controls.
	owners map[*html.Node]*html.Node
	styles []styled
	rules  []rule
	// modals are the dialog elements that are open as modal ones, in order.
	modals []*html.Node
	// cache holds what was computed of elements while a snapshot is made.
	cache  *cache
	focus  *html.Node
	scroll map[*html.Node]position
	// popovers are those that are shown.
	popovers map[*html.Node]bool
	due      []dueChange
	noStore  bool
	// touched says that a person acted on it, without which no beforeunload asks.
	touched bool
	over    bool
	base    *url.URL
}

// shadow is a shadow root: what the host shows in the place of its children.
type shadow struct {
	root *html.Node
	open bool
}

// maxFrames is how deep iframes are loaded in each other.
const maxFrames = 8

// parse makes a document of an answer, with its frames.
func (c *call) parse(b *tab, raw string, got Response, in *document) *document {
	d := newDocument(b, raw)
	d.status = got.Status
	d.noStore = strings.Contains(strings.ToLower(got.Header.Get("Cache-Control")), "no-store")
	if in != nil {
		d.parent, d.element = in.parent, in.element
	}
	kind := got.Header.Get("Content-Type")
	switch {
	case strings.Contains(kind, "html"), strings.Contains(kind, "xml"):
		d.read(decoded(got.Body, kind))
	case strings.HasPrefix(kind, "image/"):
		d.read([]byte(`<html><body><img src="` + html.EscapeString(raw) + `" alt=""></body></html>`))
	default:
		d.read([]byte("<html><body><pre>" + html.EscapeString(string(decoded(got.Body, kind))) + "</pre></body></html>"))
	}
	c.resources(d)
	return d
}

// decoded is the text of a body, by its Content-Type and its meta elements.
func decoded(body []byte, kind string) []byte {
	r, err := charset.NewReader(bytes.NewReader(body), kind)
	if err != nil {
		return body
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(r); err != nil {
		return body
	}
	return text.Bytes()
}

func newDocument(b *tab, raw string) *document {
	d := &document{
		tab: b, url: parsed(raw), frames: map[*html.Node]*document{}, shadows: map[*html.Node]*shadow{},
		state: map[*html.Node]*control{}, scroll: map[*html.Node]position{}, popovers: map[*html.Node]bool{},
	}
	return d
}

// read makes text the document's tree.
func (d *document) read(text []byte) {
	d.root, d.owners = parseDocument(text)
	d.attachShadows(d.root)
	d.base = d.baseURL()
	d.style()
}

// failed is the page that the browser shows in the place of one that it could not
// load.
func failed(b *tab, raw, why string) *document {
	d := newDocument(b, raw)
	d.status = http.StatusOK
	d.read([]byte("<!doctype html><title>" + html.EscapeString(raw) + "</title><h1>This site can’t be reached</h1><p>" + html.EscapeString(why) + "</p>"))
	return d
}

// attachShadows moves each template with shadowrootmode into the shadow root of
// its parent (HTML, 4.12.3 and 13.2.6.4.4: a host has one, the first).
func (d *document) attachShadows(n *html.Node) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		d.attachShadows(child)
		mode := strings.ToLower(attr(child, "shadowrootmode"))
		if child.DataAtom == atom.Template && (mode == "open" || mode == "closed") && n.Type == html.ElementNode && d.shadows[n] == nil && hostable(n) {
			n.RemoveChild(child)
			root := &html.Node{Type: html.DocumentNode}
			for c := child.FirstChild; c != nil; c = child.FirstChild {
				child.RemoveChild(c)
				root.AppendChild(c)
			}
			d.shadows[n] = &shadow{root: root, open: mode == "open"}
		}
		child = next
	}
}

// hostable reports whether an element may have a shadow root (DOM, 4.9).
func hostable(n *html.Node) bool {
	if strings.Contains(n.Data, "-") {
		return true
	}
	switch n.DataAtom {
	case atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Div, atom.Footer, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Header, atom.Main, atom.Nav, atom.P, atom.Section, atom.Span:
		return true
	}
	return false
}

// baseURL is the document's base URL, by its first base element with an href.
func (d *document) baseURL() *url.URL {
	fallback := d.url
	if d.parent != nil && (d.url.String() == srcdoc || d.url.String() == blank) {
		fallback = d.parent.base
	}
	if n := d.find(func(n *html.Node) bool { return n.DataAtom == atom.Base && has(n, "href") }); n != nil {
		if raw := resolve(fallback, attr(n, "href")); raw != "" {
			return parsed(raw)
		}
	}
	return fallback
}

// title is what document.title says.
func (d *document) title() string {
	if n := d.find(func(n *html.Node) bool { return n.DataAtom == atom.Title && n.Namespace == "" }); n != nil {
		return oneLine(rawText(n))
	}
	return ""
}

// find is the first element below the root, in tree order, that ok takes; shadow
// roots are left out.
func (d *document) find(ok func(*html.Node) bool) *html.Node {
	for n := range d.root.Descendants() {
		if n.Type == html.ElementNode && ok(n) {
			return n
		}
	}
	return nil
}

// alive reports whether the document still stands in its tab.
func (d *document) alive() bool {
	for ; d.parent != nil; d = d.parent {
		if d.over || d.parent.frames[d.element] != d {
			return false
		}
	}
	return !d.over && d.tab.doc() == d && !d.tab.closed
}

// end lets go of the document: nothing of it is found any more.
func (d *document) end() {
	d.over, d.due = true, nil
	for _, f := range d.frames {
		f.end()
	}
}

// replace puts another document into the frame that shows this one.
func (d *document) replace(by *document) {
	if d.parent.frames[d.element] == d {
		d.parent.frames[d.element] = by
	}
	d.end()
}

// moved is told of a move in the history that keeps the document.
func (d *document) moved(raw string) {
	d.url = parsed(raw)
	d.target()
}

// target brings the element that the fragment names into view.
func (d *document) target() {
	if n := d.byID(d.url.Fragment); n != nil {
		d.reveal(n)
	}
}

// byID is the element of that id.
func (d *document) byID(id string) *html.Node {
	if id == "" {
		return nil
	}
	return d.find(func(n *html.Node) bool { return attr(n, "id") == id })
}

func parsed(raw string) *url.URL {
	u, err := url.Parse(raw)
	if err != nil {
		return &url.URL{Scheme: "about", Opaque: "blank"}
	}
	return u
}
