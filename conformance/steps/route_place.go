package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerPlace(sc sentences, r *route) {
	sc.Given(`^no browser is connected$`, r.noneIsConnected)
	sc.When(`^(the same|another) (Chrome|Firefox) tries to connect$`, r.tries)
	sc.When(`^another (Chrome|Firefox) tries to connect with (a wrong|no) token$`, r.triesWithToken)
	sc.When(`^([0-9]+) (Chrome|Firefox)(?:s|es) try to connect at once$`, r.tryAtOnce)
	sc.Then(`^the newcomer is let in$`, r.isLetIn)
	sc.Then(`^the newcomer is turned away with ([0-9]+)(?: ([a-z_]+))?$`, r.isTurnedAway)
	sc.Then(`^one is let in and the others are turned away with 409$`, r.oneIsLetIn)
	sc.Then(`^it is told why$`, r.isToldWhy)
	sc.When(`^(Chrome|Firefox) asks whether its place is free$`, r.asksForPlace)
	sc.Then(`^it is told ([0-9]{3})$`, r.isTold)
}

// newcomer is a browser that tried to connect, and what it met.
type newcomer struct {
	*browser
	err error
}

// status is that of the refusal, 0 if there was none.
func (n newcomer) status() int {
	if refused, ok := errors.AsType[*sim.Refused](n.err); ok {
		return refused.Status
	}
	return 0
}

func (r *route) noneIsConnected(ctx context.Context) error {
	_, err := r.w.Daemon(ctx)
	return err
}

// otherOrigins belong to other installations of the extension than the first one.
var otherOrigins = map[protocol.Browser]string{
	protocol.Chrome:  "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba",
	protocol.Firefox: "moz-extension://0b2f1c6e-8a4d-4e0f-9b7a-1c2d3e4f5a6b",
}

func (r *route) tries(ctx context.Context, which, name string) error {
	return r.try(ctx, name, func(c *sim.Config) {
		if which == "another" {
			c.Origin = otherOrigins[c.Profile.Browser]
		}
	})
}

func (r *route) triesWithToken(ctx context.Context, name, which string) error {
	return r.try(ctx, name, func(c *sim.Config) {
		c.Origin = otherOrigins[c.Profile.Browser]
		if c.Token = ""; which == "a wrong" {
			c.Token = strings.Repeat("A", 43)
		}
	})
}

// try lets a further browser connect. Who is let in becomes the scene's one.
func (r *route) try(ctx context.Context, name string, change func(*sim.Config)) error {
	b, err := r.install(ctx, browserNamed(name), change)
	if err != nil {
		return err
	}
	n := newcomer{b, b.join(ctx)}
	r.newcomers = []newcomer{n}
	if n.err == nil {
		r.browsers[browserNamed(name)] = b
	}
	return nil
}

func (r *route) tryAtOnce(ctx context.Context, count int, name string) error {
	r.newcomers = nil
	for range count {
		b, err := r.install(ctx, browserNamed(name), func(*sim.Config) {})
		if err != nil {
			return err
		}
		r.newcomers = append(r.newcomers, newcomer{browser: b})
	}
	var trying sync.WaitGroup
	for i := range r.newcomers {
		trying.Go(func() { r.newcomers[i].err = r.newcomers[i].Connect(ctx) })
	}
	trying.Wait()
	return nil
}

func (r *route) newcomer() (newcomer, error) {
	if len(r.newcomers) != 1 {
		return newcomer{}, fmt.Errorf("%d browsers have tried to connect", len(r.newcomers))
	}
	return r.newcomers[0], nil
}

// isLetIn lets the newcomer try again in the real lane, where the daemon may
// not have seen yet what made room.
func (r *route) isLetIn(ctx context.Context) error {
	n, err := r.newcomer()
	if err != nil {
		return err
	}
	if n.err != nil && !r.w.Clock.Exact() {
		_ = r.w.Clock.Until(ctx, func() bool {
			n.err = n.join(ctx)
			return n.err == nil
		})
	}
	if n.err != nil {
		return r.w.Fail("not-let-in", "the newcomer met: %v", n.err)
	}
	r.newcomers[0], r.browsers[n.Profile().Browser] = n, n.browser
	return nil
}

func (r *route) isTurnedAway(status int, code string) error {
	n, err := r.newcomer()
	if err != nil {
		return err
	}
	switch refused, ok := errors.AsType[*sim.Refused](n.err); {
	case n.err == nil:
		return r.w.Fail("let-in", "the newcomer was let in; want %d", status)
	case !ok || refused.Status != status:
		return r.w.Fail("refusal", "the newcomer met: %v; want %d", n.err, status)
	case code != "" && string(refused.Code) != code:
		return r.w.Fail("refusal-code", "the newcomer met: %v; want %s", n.err, code)
	}
	return nil
}

func (r *route) oneIsLetIn() error {
	var in, away int
	for _, n := range r.newcomers {
		switch {
		case n.err == nil:
			in++
		case n.status() == 409:
			away++
		default:
			return r.w.Fail("refusal", "one met: %v; want 409", n.err)
		}
	}
	if in != 1 {
		return r.w.Fail("let-in", "%d were let in and %d turned away; want one in", in, away)
	}
	return nil
}

func (r *route) isToldWhy() error {
	n, err := r.newcomer()
	if err != nil {
		return err
	}
	if refused, ok := errors.AsType[*sim.Refused](n.err); !ok || refused.Message == "" {
		return r.w.Fail("says-nothing", "the newcomer met: %v; its error should say why", n.err)
	}
	return nil
}

func (r *route) asksForPlace(ctx context.Context, name string) (err error) {
	r.told, err = r.place(ctx, browserNamed(name))
	return err
}

func (r *route) isTold(status int) error {
	if r.told != status {
		return r.w.Fail("told", "POST /extension was answered %d; want %d", r.told, status)
	}
	return nil
}
