package steps

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// status is what GET /admin/status tells of the daemon's work.
type status struct {
	// Requests are the HTTP requests being served, this one included.
	Requests int `json:"requests"`
	Browsers map[protocol.Browser]struct {
		Connected bool `json:"connected"`
		// Commands and Reserved are the slots that are taken.
		Commands int `json:"commands"`
		Reserved int `json:"reserved"`
	} `json:"browsers"`
}

// status asks the daemon what it is doing.
func (s *scene) status(ctx context.Context) (status, error) {
	var st status
	a, err := s.agent(ctx)
	if err != nil {
		return st, err
	}
	resp, err := a.Send(ctx, sim.Get("/admin/status"))
	if err != nil {
		return st, fmt.Errorf("ask for the status: %w", err)
	}
	if err := json.Unmarshal(resp.Body, &st); err != nil || resp.Status != 200 {
		return st, fmt.Errorf("ask for the status: %d %s (%v)", resp.Status, resp.Body, err)
	}
	return st, nil
}
