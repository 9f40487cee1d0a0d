package page

import (
	"net/url"
	"strings"
)

const blank = "about:blank"

// tab is one tab. Tabs.mu guards it and everything below it.
type tab struct {
	id int64
	// session has it; "" is the person's.
	session  string
	borrowed bool
	closed   bool
	history  []*entry
	at       int
	// ready says that the current entry has been loaded. A tab whose entry has no
	// document then shows a made-up page.
	ready bool
	// frame is what the session's commands address, nil for the main frame;
	// frameName is how it was named.
	frame     *document
	frameName string
	dialog    *dialog
	requests  capture
	records   records
	rules     map[string]ruleSet
}

// entry is one entry of a tab's history.
type entry struct {
	url string
	req Request
	// doc is kept while the entry is not the current one, as a browser's
	// back/forward cache does, so that going back finds what was typed.
	doc *document
	// answer is kept of what was not asked for with GET: going back to it asks
	// nobody again.
	answer *Response
	status int
}

func newTab(id int64, session, raw string) *tab {
	return &tab{id: id, session: session, history: []*entry{{url: raw, req: Request{Method: "GET", URL: raw}}}, rules: map[string]ruleSet{}}
}

func (b *tab) entry() *entry { return b.history[b.at] }

func (b *tab) doc() *document { return b.entry().doc }

func (b *tab) url() string { return b.entry().url }

func (b *tab) title() string {
	switch e := b.entry(); {
	case e.doc != nil:
		return e.doc.title()
	case e.url == blank:
		return ""
	default:
		return "Page at " + e.url
	}
}

// push makes e the current entry; what lay ahead is forgotten.
func (b *tab) push(e *entry) {
	b.history = append(b.history[:b.at+1:b.at+1], e)
	b.at++
	b.forget()
}

// keptDocuments is how many documents beside the current one a tab's history
// keeps alive, as Chrome's back/forward cache.
const keptDocuments = 6

// forget lets go of the documents that are the furthest away in the history.
func (b *tab) forget() {
	current, kept := b.doc(), map[*document]bool{}
	for away := 1; away < len(b.history); away++ {
		for _, at := range []int{b.at - away, b.at + away} {
			if at < 0 || at >= len(b.history) {
				continue
			}
			e := b.history[at]
			if e.doc == nil || e.doc == current || kept[e.doc] {
				continue
			}
			if len(kept) < keptDocuments && !e.doc.noStore {
				kept[e.doc] = true
				continue
			}
			e.doc.end()
			e.doc = nil
		}
	}
}

// addressed is the document that the session's commands are about.
func (b *tab) addressed() *document {
	if b.frame != nil && b.frame.alive() {
		return b.frame
	}
	return b.doc()
}

// resolve resolves raw against base; "" if it cannot be.
func resolve(base *url.URL, raw string) string {
	u, err := url.Parse(trimURL(raw))
	if err != nil {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	u.RawQuery = queryEncoded(u.RawQuery)
	to := normal(u)
	if u.Fragment == "" && strings.HasSuffix(trimURL(raw), "#") {
		// Go's URL cannot tell an empty fragment from none.
		to += "#"
	}
	return to
}
