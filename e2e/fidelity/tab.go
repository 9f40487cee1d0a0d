package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// tab is a tab of Chromium.
type tab struct {
	ctx context.Context

	mu sync.Mutex
	// asked counts the navigations that the page has asked for.
	asked int
	// elements are those of the page as it was last read.
	elements map[cdp.BackendNodeID]element
	byID     map[string]cdp.BackendNodeID
	// exposed are the elements that stand in the accessibility tree.
	exposed map[cdp.BackendNodeID]bool
}

// element is an element of the page that Chromium shows.
type element struct {
	id, tag, frame string
}

// newTab opens a tab. Cancelling ctx closes it.
func newTab(ctx context.Context) (*tab, error) {
	t := &tab{ctx: ctx}
	err := chromedp.Listen(ctx, func(ev any) {
		switch ev.(type) {
		case *page.EventFrameRequestedNavigation, *page.EventWindowOpen:
			t.mu.Lock()
			t.asked++
			t.mu.Unlock()
		}
	})
	if err != nil {
		return nil, fmt.Errorf("open tab: %w", err)
	}
	if _, err := chromedp.Call(ctx, accessibility.Enable, cdp.Empty{}); err != nil {
		return nil, fmt.Errorf("enable accessibility: %w", err)
	}
	return t, nil
}

// load shows a page.
func (t *tab) load(ctx context.Context, url string) error {
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		return fmt.Errorf("load %s: %w", url, err)
	}
	// The load event of the page may come before a frame has its own document.
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise(done => {
		const ready = d => d.readyState === "complete" && [...d.querySelectorAll("iframe")].every(
			f => f.contentDocument && f.contentDocument.URL === "about:srcdoc" && ready(f.contentDocument))
		const look = () => ready(document) ? done(true) : setTimeout(look, 5)
		look()
	})`, chromedp.EvalAwaitPromise))
	if err != nil {
		return fmt.Errorf("load the frames of %s: %w", url, err)
	}
	return nil
}

// navigations is how many navigations the page has asked for since it was opened.
func (t *tab) navigations() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asked
}

// document is the document of the page or of one of its frames.
type document struct {
	frame cdp.FrameID
	node  cdp.BackendNodeID
	// owner is the iframe that shows it, 0 for the page.
	owner cdp.BackendNodeID
}

// look reads the elements of the page and of its frames.
func (t *tab) look(ctx context.Context) ([]document, error) {
	all := int64(-1)
	doc, err := chromedp.Call(ctx, dom.GetDocument, dom.GetDocumentParams{Depth: &all, Pierce: new(true)})
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	t.elements, t.byID = map[cdp.BackendNodeID]element{}, map[string]cdp.BackendNodeID{}
	documents := []document{{node: doc.Root.BackendNodeID}}
	t.walk(doc.Root, "", &documents)
	return documents, nil
}

func (t *tab) walk(n *cdp.Node, frame string, documents *[]document) {
	e := element{tag: n.LocalName, frame: frame}
	for i := 0; i+1 < len(n.Attributes); i += 2 {
		if n.Attributes[i] == "id" {
			e.id = n.Attributes[i+1]
		}
	}
	t.elements[n.BackendNodeID] = e
	if _, twice := t.byID[e.id]; e.id != "" && !twice {
		t.byID[e.id] = n.BackendNodeID
	}
	for _, k := range n.Children {
		t.walk(k, frame, documents)
	}
	if d := n.ContentDocument; d != nil {
		*documents = append(*documents, document{n.FrameID, d.BackendNodeID, n.BackendNodeID})
		t.walk(d, e.id, documents)
	}
}
