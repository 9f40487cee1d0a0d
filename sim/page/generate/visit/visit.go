package visit

import (
	"context"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
)

// Side is one of those that are compared: Chromium, the simulator, the oracle.
type Side interface {
	// Load shows the page from its start.
	Load(ctx context.Context, p *generate.Page) error
	Nodes(ctx context.Context) ([]Node, error)
	// Do takes a step and tells whether the page asked to go elsewhere.
	Do(ctx context.Context, s generate.Step) (left bool, err error)
	// Requests are those of the page since it was loaded.
	Requests(ctx context.Context) []Request
}

// Reading is what one side makes of a page and a script.
type Reading struct {
	// Before is the page as loaded, After before the last step of the script; nil
	// if the page was left by then.
	Before, After []Node
	Requests      []Request
}

// Visit reads a page on one side: as it is loaded, and along a script.
func Visit(ctx context.Context, s Side, p *generate.Page, script generate.Script) (Reading, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var r Reading
	if err := s.Load(ctx, p); err != nil {
		return r, err
	}
	var err error
	if r.Before, err = s.Nodes(ctx); err != nil {
		return r, err
	}
	for i, step := range script {
		if i == len(script)-1 {
			if r.After, err = s.Nodes(ctx); err != nil {
				return r, err
			}
		}
		left, err := s.Do(ctx, step)
		if err != nil {
			return r, fmt.Errorf("%s: %w", step, err)
		}
		if left {
			break
		}
	}
	r.Requests = s.Requests(ctx)
	return r, nil
}
