package page

import (
	"net/http"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// visited is the data of navigate, back, forward and reload.
type visited struct {
	Download  *download `json:"download,omitempty"`
	NoContent bool      `json:"no_content,omitzero"`
	Status    int       `json:"status,omitzero"`
	Tab       int64     `json:"tab"`
	Title     string    `json:"title"`
	URL       string    `json:"url"`
}

func (c *call) navigate() (any, error) {
	to, err := c.destination()
	if err != nil {
		return nil, err
	}
	h := c.t.held[c.session]
	_, named := c.int64("tab")
	var b *tab
	fresh := !named && (c.flag("new_tab") || h == nil || h.current == 0)
	if fresh {
		if c.full() {
			return nil, errTabs
		}
		b = c.t.open(c.session, to)
		b.ready = true
	} else {
		if b, err = c.tab(); err != nil {
			return nil, err
		}
		if err := c.noDialog(b); err != nil {
			return nil, err
		}
	}
	var got arrival
	n := get(b, to)
	n.replace = fresh
	c.leaving(b, func(c *call) { got, err = c.load(n) })
	if err != nil {
		return nil, err
	}
	c.follow()
	return visited{Tab: b.id, URL: b.url(), Title: b.title(), Status: got.status, NoContent: got.noContent, Download: got.download}, nil
}

// destination is where navigate goes.
func (c *call) destination() (string, error) {
	raw := trimURL(c.text("url"))
	if scheme(raw) == "javascript" {
		return "", fail(protocol.BadRequest, "navigate takes no javascript: URL; evaluate runs code")
	}
	if to := resolve(nil, raw); to != "" && strings.Contains(to, ":") {
		return to, nil
	}
	if c.t.cfg.MadeUp {
		return raw, nil
	}
	return "", fail(protocol.NavigationFailed, "%q is no absolute URL", raw)
}

// leaving asks the page of b with its beforeunload dialog, then goes on.
func (c *call) leaving(b *tab, then func(c *call)) {
	d := b.doc()
	if d == nil || !d.asksBeforeUnload() {
		then(c)
		return
	}
	c.raise(b, &dialog{kind: "beforeunload", then: func(c *call, accepted bool, _ string) {
		if accepted {
			then(c)
		}
	}})
}

// move goes through the history: -1 back, 1 forward, 0 reload.
func (c *call) move(b *tab, by int) (any, error) {
	var err error
	if at := b.at + by; at >= 0 && at < len(b.history) {
		c.leaving(b, func(c *call) { err = c.traverse(b, at) })
	}
	if err != nil {
		return nil, err
	}
	c.follow()
	return visited{Tab: b.id, URL: b.url(), Title: b.title()}, nil
}

// traverse makes the entry at that place the current one.
func (c *call) traverse(b *tab, at int) error {
	e := b.history[at]
	again := at == b.at
	if d := b.doc(); !again && d != nil && e.doc == d {
		b.at = at
		d.moved(e.url)
		c.t.effect(b, "navigate", e.url, "same document")
		return nil
	}
	b.at, b.frame, b.frameName = at, nil, ""
	if !again && e.doc != nil {
		e.doc.moved(e.url)
		c.t.effect(b, "navigate", e.url, "history")
		b.forget()
		return nil
	}
	if !again && e.answer != nil {
		d := c.parse(b, e.url, *e.answer, nil)
		c.place(navigation{tab: b, url: e.url, req: e.req, replace: true}, d, e.answer)
		c.t.effect(b, "navigate", e.url, "history")
		c.loaded(d)
		return nil
	}
	if e.doc == nil && c.t.cfg.Site == nil && c.madeUp(e.url) {
		c.t.effect(b, "navigate", e.url, "history")
		return nil
	}
	n := navigation{tab: b, url: e.url, req: e.req, replace: true}
	if n.req.Method == "" {
		n.req.Method = http.MethodGet
	}
	_, err := c.load(n)
	return err
}
