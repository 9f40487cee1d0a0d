package steps

import (
	"context"
	"sync"

	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// scene is what the sentences of one scenario share: the browsers that are
// connected to the daemon and the commands that were sent to it. Steps run one
// after the other; what browsers look at meanwhile is guarded by mu.
type scene struct {
	w *world.World

	browsers map[protocol.Browser]*browser
	// ever are all browsers that were made, those replaced by another of their
	// kind too.
	ever []*browser
	// main is the browser that was connected first, which commands name unless
	// their sentence says otherwise.
	main protocol.Browser
	// tidied is set once a daemon that is shared has been tidied up.
	tidied bool
	// last is the browser whose connection a sentence looked at last.
	last *browser

	mu       sync.Mutex
	commands []*command
	marks    int
}

func newScene(w *world.World) *scene {
	return &scene{w: w, browsers: make(map[protocol.Browser]*browser)}
}

// agent returns an agent that holds the daemon's present token.
func (s *scene) agent(ctx context.Context) (*sim.Agent, error) {
	d, err := s.w.Daemon(ctx)
	if err != nil {
		return nil, err
	}
	token, err := d.Token(ctx)
	if err != nil {
		return nil, err
	}
	a := &sim.Agent{Dial: d.Dial, Addr: d.Addr(), Token: token}
	if s.w.Target().Serial && !s.tidied {
		s.tidied = true
		if err := s.tidy(ctx, a); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// reached reports whether cond holds once everything has come to rest. In the
// virtual lane that is exact and no time passes; in the real lane it waits for
// cond as long as Clock.Until does.
func (s *scene) reached(ctx context.Context, cond func() bool) bool {
	if s.w.Clock.Exact() {
		s.w.Clock.Settle()
		return cond()
	}
	return s.w.Clock.Until(ctx, cond) == nil
}
