package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/chromedp"
	"golang.org/x/sync/errgroup"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
	"github.com/oh-my-webbridge/omw/sim/page/generate/visit"
)

// tabs is how many tabs of the browser are read at once.
const tabs = 2

// result is what one page came to.
type result struct {
	tally  tally
	unread string
}

// compare compares pages, those of the seeds from first on, and reports.
func compare(ctx context.Context, first uint64, pages int, progress func(done int)) (r *Report, err error) {
	b, err := startBrowser(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	results := make([]result, pages)
	next := make(chan int)
	var mu sync.Mutex
	done := 0
	work, workCtx := errgroup.WithContext(ctx)
	for range tabs {
		work.Go(func() error {
			ctx, cancel := chromedp.NewContext(b.ctx)
			defer cancel()
			t, err := newTab(ctx)
			if err != nil {
				return err
			}
			side := &chromium{tab: t, site: newSite()}
			defer side.site.server.Close()
			for i := range next {
				if err := workCtx.Err(); err != nil {
					return err
				}
				results[i].page(ctx, side, first+uint64(i))
				mu.Lock()
				done++
				progress(done)
				mu.Unlock()
			}
			return nil
		})
	}
	work.Go(func() error {
		defer close(next)
		for i := range pages {
			select {
			case next <- i:
			case <-workCtx.Done():
				return workCtx.Err()
			}
		}
		return nil
	})
	if err := work.Wait(); err != nil {
		return nil, fmt.Errorf("compare pages: %w", err)
	}
	var total tally
	var unread []string
	for _, r := range results {
		total.Nodes += r.tally.Nodes
		total.Agreed += r.tally.Agreed
		total.Submissions += r.tally.Submissions
		total.SameRequests += r.tally.SameRequests
		total.differences = append(total.differences, r.tally.differences...)
		if r.unread != "" {
			unread = append(unread, r.unread)
		}
	}
	return sum(first, pages, &total, unread), nil
}

// page compares one page along one script.
func (r *result) page(ctx context.Context, side *chromium, seed uint64) {
	p := generate.New(seed)
	script := p.Scripts(int(seed%3)+1, false)[seed%3]
	simulated, err := visit.Visit(ctx, &visit.Simulator{}, p, script)
	if err != nil {
		r.unread = fmt.Sprintf("seed %d by the simulator: %v", seed, err)
		return
	}
	real, err := visit.Visit(ctx, side, p, script)
	side.closePopups(ctx)
	if err != nil {
		r.unread = fmt.Sprintf("seed %d by Chromium: %v", seed, err)
		return
	}
	r.tally.compareNodes(simulated.Before, real.Before, fmt.Sprintf("seed %d as loaded", seed))
	r.tally.compareNodes(simulated.After, real.After, fmt.Sprintf("seed %d after %v", seed, script))
	r.tally.compareRequests(simulated.Requests, real.Requests, fmt.Sprintf("seed %d", seed), script)
}
