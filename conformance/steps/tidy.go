package steps

import (
	"context"
	"fmt"
	"net/http"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// tidy takes away what the scenarios before left in a daemon that serves them
// all: each browser connects once, holding no session, so that the daemon drops
// that browser's bindings (ROUTE-07), and leaves again. A daemon that does not
// do so is blamed by the scenarios of that rule.
func (s *scene) tidy(ctx context.Context, a *sim.Agent) error {
	for _, of := range protocol.Browsers {
		profile, _ := sim.ProfileOf(of)
		b := sim.New(sim.Config{Dial: a.Dial, Addr: a.Addr, Token: a.Token, SocketOnly: true, Profile: profile, Seed: s.w.Seed})
		s.w.Cleanup(b.Close)
		if err := s.w.Clock.Until(ctx, func() bool { return b.Connect(ctx) == nil }); err != nil {
			return fmt.Errorf("tidy up: connect %s: %w", of.Title(), err)
		}
		b.Drop()
		// What an upgrade would get now is what POST /extension says.
		free := func() bool {
			resp, err := a.Send(ctx, sim.Post("/extension", "").With("Origin", profile.Origin))
			return err == nil && resp.Status == http.StatusNoContent
		}
		if err := s.w.Clock.Until(ctx, free); err != nil {
			return fmt.Errorf("tidy up: the place of %s is not free: %w", of.Title(), err)
		}
	}
	return nil
}
