package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// navigation is a document that is to be loaded into a tab or one of its frames.
type navigation struct {
	tab *tab
	// frame is the iframe's document that is replaced; nil for the tab's own.
	frame *document
	// url has its fragment; req has none.
	url string
	req Request
	// replace puts the document into the current entry of the history.
	replace bool
}

// arrival is what came of a navigation.
type arrival struct {
	status    int
	noContent bool
	download  *download
}

// get is a navigation of a tab by GET.
func get(b *tab, raw string) navigation {
	return navigation{tab: b, url: raw, req: Request{Method: http.MethodGet, URL: withoutFragment(raw)}}
}

// follow performs the navigations that the action began, and those that these
// begin. One that fails leaves the page that says so.
func (c *call) follow() {
	for range 100 {
		if len(c.next) == 0 {
			return
		}
		n := c.next[0]
		c.next = c.next[1:]
		if !n.tab.closed {
			_, _ = c.load(n)
		}
	}
	c.next = nil
}

// ready loads what stands in the tab's current entry, when nobody has looked yet.
func (c *call) ready(b *tab) error {
	if b.ready {
		return nil
	}
	b.ready = true
	e := b.entry()
	if c.madeUp(e.url) && (c.t.cfg.Site == nil || e.url == blank) {
		return nil
	}
	n := get(b, e.url)
	n.replace = true
	_, err := c.load(n)
	var perr *protocol.Error
	if errors.As(err, &perr) && perr.Code == protocol.NavigationFailed {
		err = nil
	}
	return err
}

// madeUp reports whether a URL that no Site serves gets a made-up page.
func (c *call) madeUp(raw string) bool {
	return c.t.cfg.MadeUp && (raw == blank || scheme(raw) != "about")
}

// load performs a navigation: it fetches, and puts the document in its place.
func (c *call) load(n navigation) (arrival, error) {
	b := n.tab
	if sameDocument(b, n) {
		c.jump(n)
		return arrival{}, nil
	}
	got, err := c.fetch(b, kindOf(n), n.req)
	if b.closed {
		return arrival{}, fail(protocol.OutcomeUnknown, "the tab was closed while its page was loaded")
	}
	if errors.Is(err, ErrNotServed) && n.frame == nil && c.madeUp(n.url) {
		c.place(n, nil, &got)
		c.t.effect(b, "navigate", n.url, "")
		return arrival{status: http.StatusOK}, nil
	}
	if err != nil {
		why := reason(err, n.url)
		c.place(n, failed(b, n.url, why), &got)
		return arrival{}, fail(protocol.NavigationFailed, "the page could not be loaded: %s", why)
	}
	if got.Status == http.StatusNoContent || got.Status == http.StatusResetContent {
		return arrival{status: got.Status, noContent: true}, nil
	}
	if file, ok := c.asDownload(b, got, ""); ok {
		return arrival{download: file, status: got.Status}, nil
	}
	final := got.URL
	if _, fragment, ok := strings.Cut(n.url, "#"); ok {
		final += "#" + fragment
	}
	n.url = final
	d := c.parse(b, final, got, n.frame)
	c.place(n, d, &got)
	c.t.effect(b, "navigate", final, "")
	c.loaded(d)
	return arrival{status: got.Status}, nil
}

func reason(err error, raw string) string {
	if errors.Is(err, ErrNotServed) {
		return "no page is served at " + raw
	}
	return err.Error()
}

// kindOf is the type of the request in the network entries.
func kindOf(n navigation) string {
	if n.frame != nil {
		return "subframe"
	}
	return "document"
}

// sameDocument reports whether a navigation only moves to a fragment.
func sameDocument(b *tab, n navigation) bool {
	d := b.doc()
	if n.frame != nil {
		d = n.frame
	}
	fragment := strings.Contains(n.url, "#")
	return d != nil && fragment && n.req.Method == http.MethodGet && !n.replace && withoutFragment(d.url.String()) == withoutFragment(n.url)
}

// jump goes to a fragment of the document that stands.
func (c *call) jump(n navigation) {
	b, d := n.tab, n.tab.doc()
	if n.frame != nil {
		d = n.frame
	}
	if u, err := url.Parse(n.url); err == nil {
		d.url = u
	}
	if n.frame == nil && n.url != b.url() {
		e := *b.entry()
		e.url = n.url
		b.push(&e)
	}
	d.target()
	c.t.effect(b, "navigate", n.url, "same document")
}

// place puts d where the navigation wants it; a nil d is a made-up page.
func (c *call) place(n navigation, d *document, got *Response) {
	b := n.tab
	b.ready = true
	if n.frame != nil {
		n.frame.replace(d)
		if b.frame == n.frame {
			b.frame = d
		}
		return
	}
	b.frame, b.frameName = nil, ""
	e := &entry{url: n.url, req: n.req, doc: d, status: got.Status}
	if n.req.Method != http.MethodGet {
		e.answer = got
	}
	if n.replace {
		if old := b.doc(); old != nil && !b.shares(old) {
			old.end()
		}
		b.history[b.at] = e
		return
	}
	b.push(e)
}

// shares reports whether another entry than the current one has the document.
func (b *tab) shares(d *document) bool {
	for at, e := range b.history {
		if at != b.at && e.doc == d {
			return true
		}
	}
	return false
}
