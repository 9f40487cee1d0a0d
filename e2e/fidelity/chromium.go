package main

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
	"github.com/oh-my-webbridge/omw/sim/page/generate/visit"
)

// chromium is a tab of Chromium and the server of its pages.
type chromium struct {
	tab  *tab
	site *site
	// began is how many navigations the tab had asked for when the page was loaded.
	began int
}

func (c *chromium) Load(ctx context.Context, p *generate.Page) error {
	c.site.forget()
	if err := c.tab.load(ctx, c.site.server.URL+p.Path()); err != nil {
		return err
	}
	c.site.forget()
	c.began = c.tab.navigations()
	return nil
}

func (c *chromium) Nodes(ctx context.Context) ([]visit.Node, error) { return c.tab.nodes(ctx) }

func (c *chromium) Do(ctx context.Context, s generate.Step) (bool, error) {
	if err := c.tab.do(ctx, s); err != nil {
		return false, err
	}
	// The document may go away under it, which is an answer too.
	err := c.tab.settle(ctx)
	left := c.tab.navigations() > c.began
	if left {
		err = nil
	}
	return left, err
}

func (c *chromium) Requests(ctx context.Context) []visit.Request {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return c.site.requests(ctx, c.tab.navigations()-c.began)
}

// closePopups closes the tabs that the page has opened.
func (c *chromium) closePopups(ctx context.Context) {
	all, err := chromedp.Targets(ctx)
	if err != nil {
		return
	}
	self := chromedp.FromContext(ctx).Target.TargetID
	for _, t := range all {
		if t.Type == "page" && t.OpenerID == self {
			_, _ = chromedp.CallBrowser(ctx, target.CloseTarget, target.CloseTargetParams{TargetID: t.TargetID})
		}
	}
}
