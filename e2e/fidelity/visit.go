package main

import (
	"context"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
)

// side is one of those that are compared: Chromium, the simulator, the oracle.
type side interface {
	// load shows the page from its start.
	load(ctx context.Context, p *generate.Page) error
	nodes(ctx context.Context) ([]node, error)
	// do takes a step and tells whether the page asked to go elsewhere.
	do(ctx context.Context, s generate.Step) (left bool, err error)
	// requests are those of the page since it was loaded.
	requests(ctx context.Context) []request
}

// reading is what one side makes of a page and a script.
type reading struct {
	// Before is the page as loaded, After before the last step of the script; nil
	// if the page was left by then.
	Before, After []node
	Requests      []request
}

// visit reads a page on one side: as it is loaded, and along a script.
func visit(ctx context.Context, s side, p *generate.Page, script generate.Script) (reading, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var r reading
	if err := s.load(ctx, p); err != nil {
		return r, err
	}
	var err error
	if r.Before, err = s.nodes(ctx); err != nil {
		return r, err
	}
	for i, step := range script {
		if i == len(script)-1 {
			if r.After, err = s.nodes(ctx); err != nil {
				return r, err
			}
		}
		left, err := s.do(ctx, step)
		if err != nil {
			return r, fmt.Errorf("%s: %w", step, err)
		}
		if left {
			break
		}
	}
	r.Requests = s.requests(ctx)
	return r, nil
}

// chromium is a tab of Chromium and the server of its pages.
type chromium struct {
	tab  *tab
	site *site
	// began is how many navigations the tab had asked for when the page was loaded.
	began int
}

func (c *chromium) load(ctx context.Context, p *generate.Page) error {
	c.site.forget()
	if err := c.tab.load(ctx, c.site.server.URL+p.Path()); err != nil {
		return err
	}
	c.site.forget()
	c.began = c.tab.navigations()
	return nil
}

func (c *chromium) nodes(ctx context.Context) ([]node, error) { return c.tab.nodes(ctx) }

func (c *chromium) do(ctx context.Context, s generate.Step) (bool, error) {
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

func (c *chromium) requests(ctx context.Context) []request {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return c.site.requests(ctx, c.tab.navigations()-c.began)
}

// oracle is what the standards say.
type oracle struct {
	state *generate.State
	sent  []request
}

func (o *oracle) load(_ context.Context, p *generate.Page) error {
	o.state, o.sent = p.Begin(), nil
	return nil
}

func (o *oracle) nodes(context.Context) ([]node, error) {
	var all []node
	for _, n := range o.state.Nodes() {
		all = append(all, expected(n))
	}
	return all, nil
}

func (o *oracle) do(_ context.Context, s generate.Step) (bool, error) {
	r := o.state.Do(s).Request
	if r == nil {
		return false, nil
	}
	o.sent = append(o.sent, sent(r))
	return true, nil
}

func (o *oracle) requests(context.Context) []request { return o.sent }
