package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// browser is a simulated browser of the scene. It stays the same over its
// connections.
type browser struct {
	*sim.Browser
	s *scene
	// touched counts the messages of the daemon that ask the browser for
	// something: everything but the welcome, pongs and answers.
	touched atomic.Int64
	// pongs counts the daemon's answers to pings.
	pongs atomic.Int64
	// opened is when its present connection was asked for.
	opened time.Time
}

func registerBrowsers(sc sentences, s *scene) {
	sc.Given(`^(Chrome|Firefox) is connected$`, s.isConnected)
	sc.Given(`^Chrome and Firefox are connected$`, s.areConnected)
	sc.Given(`^(Chrome|Firefox) is connected, holding (.+)$`, s.isConnectedHolding)
	sc.Given(`^(Chrome|Firefox) is connected and falls silent$`, s.isSilent)
	sc.Step(`^(Chrome|Firefox) connects again$`, s.connectsAgain)
	sc.Step(`^(Chrome|Firefox) connects again, holding (.+)$`, s.connectsHolding)
	sc.Step(`^(Chrome|Firefox) leaves by (.+)$`, s.leaves)
	sc.Step(`^(Chrome|Firefox) stops reading$`, s.stopsReading)
	sc.Step(`^(Chrome|Firefox) reads again$`, s.readsAgain)
	sc.Step(`^(Chrome|Firefox) answers (`+oneName+`)$`, s.answersOK)
	sc.Step(`^(Chrome|Firefox) answers (`+oneName+`) with ([a-z_]+)$`, s.answersWith)
}

// browserNamed returns the browser that a feature calls Chrome or Firefox.
func browserNamed(name string) protocol.Browser {
	if name == "Firefox" {
		return protocol.Firefox
	}
	return protocol.Chrome
}

// of returns a browser that the scenario has connected before.
func (s *scene) of(name string) (*browser, error) {
	if b := s.browsers[browserNamed(name)]; b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("the scenario has not connected %s yet", name)
}

func (s *scene) isConnected(ctx context.Context, name string) error {
	_, err := s.connect(ctx, browserNamed(name), func(*sim.Config) {})
	return err
}

func (s *scene) areConnected(ctx context.Context) error {
	for _, name := range []string{"Chrome", "Firefox"} {
		if err := s.isConnected(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *scene) isConnectedHolding(ctx context.Context, name, held string) error {
	sessions, err := sessionList(held)
	if err != nil {
		return err
	}
	_, err = s.connect(ctx, browserNamed(name), func(c *sim.Config) { c.Sessions = sessions })
	return err
}

func (s *scene) isSilent(ctx context.Context, name string) error {
	_, err := s.connect(ctx, browserNamed(name), func(c *sim.Config) {
		c.Profile.Limits.Ping, c.Profile.Limits.Silence = 0, 0
	})
	return err
}

// connect connects a browser and makes it the scene's one of its kind. change
// may change what it is. An error is *sim.Refused, *sim.Closed, or the network's.
func (s *scene) connect(ctx context.Context, of protocol.Browser, change func(*sim.Config)) (*browser, error) {
	b, err := s.install(ctx, of, change)
	if err != nil {
		return nil, err
	}
	if err := b.join(ctx); err != nil {
		return nil, fmt.Errorf("connect %s: %w", of.Title(), err)
	}
	s.browsers[of] = b
	if s.main == "" {
		s.main = of
	}
	return b, nil
}

// install makes a browser that is not connected yet. It opens the socket alone
// when it connects, since no rule of the stage needs what may be asked before.
func (s *scene) install(ctx context.Context, of protocol.Browser, change func(*sim.Config)) (*browser, error) {
	a, err := s.agent(ctx)
	if err != nil {
		return nil, err
	}
	profile, _ := sim.ProfileOf(of)
	b := &browser{s: s}
	cfg := sim.Config{
		Dial: a.Dial, Addr: a.Addr, Token: a.Token, SocketOnly: true, Profile: profile, Seed: s.w.Seed,
		Trace: s.traced(b, string(of)), Respond: b.respond,
		Faults: []sim.Rule{{Fault: sim.NeverReply{}, On: b.isSilenced}},
	}
	change(&cfg)
	b.Browser = sim.New(cfg)
	s.w.Cleanup(b.Close)
	s.ever = append(s.ever, b)
	return b, nil
}

// join connects b, or connects it again.
func (b *browser) join(ctx context.Context) error {
	b.opened = b.s.w.Clock.Now()
	if err := b.Connect(ctx); err != nil {
		b.s.w.Transcript.Does(string(b.Profile().Browser), "join")
		return err
	}
	b.s.w.Clock.Settle()
	return nil
}

func (s *scene) connectsAgain(ctx context.Context, name string) error {
	b, err := s.of(name)
	if err != nil {
		return err
	}
	return s.again(ctx, func() error { return b.join(ctx) })
}

// again connects a browser that has left. Outside of a bubble nobody can see
// when the daemon has noticed that its place is free, so that it tries on.
func (s *scene) again(ctx context.Context, connect func() error) error {
	var err error
	s.reached(ctx, func() bool {
		err = connect()
		refused, ok := errors.AsType[*sim.Refused](err)
		return !ok || refused.Status != http.StatusConflict
	})
	return err
}

// connectsHolding connects another extension of that browser, as after a
// restart of the browser: what the first one knew is gone.
func (s *scene) connectsHolding(ctx context.Context, name, held string) error {
	return s.again(ctx, func() error { return s.isConnectedHolding(ctx, name, held) })
}

// leaves ends a browser's connection and returns when the daemon has seen it.
func (s *scene) leaves(ctx context.Context, name, how string) error {
	b, err := s.of(name)
	if err != nil {
		return err
	}
	if err := b.leave(how); err != nil {
		return err
	}
	if !s.reached(ctx, func() bool { return !b.Connected() }) {
		return fmt.Errorf("%s is still connected", name)
	}
	if s.w.Clock.Exact() {
		return nil
	}
	// What a daemon does that never sees it is for the sentences behind this one.
	_ = s.w.Clock.Until(ctx, func() bool {
		status, err := s.place(ctx, b.Profile().Browser)
		return err == nil && status != http.StatusConflict
	})
	return nil
}

// place asks the daemon what an upgrade of that browser would get now, as an
// extension does that cannot see the status of a refused one.
func (s *scene) place(ctx context.Context, of protocol.Browser) (status int, err error) {
	a, err := s.agent(ctx)
	if err != nil {
		return 0, err
	}
	profile, _ := sim.ProfileOf(of)
	resp, err := a.Send(ctx, sim.Request{Method: http.MethodPost, Target: "/extension"}.With("Origin", profile.Origin))
	return resp.Status, err
}

func (b *browser) leave(how string) error {
	var code int
	switch {
	case how == "the end of its connection":
		b.s.w.Transcript.Does(string(b.Profile().Browser), "drop fin")
		b.Drop()
	case how == "a reset":
		b.s.w.Transcript.Does(string(b.Profile().Browser), "drop rst")
		b.Reset()
	case how == "a close frame":
		return b.CloseWith(0, "")
	default:
		if _, err := fmt.Sscanf(how, "a close frame with %d", &code); err != nil {
			return fmt.Errorf("nobody leaves by %s", how)
		}
		return b.CloseWith(code, "the browser was closed")
	}
	return nil
}

func (s *scene) stopsReading(name string) error {
	b, err := s.of(name)
	if err == nil {
		s.w.Transcript.Does(string(b.Profile().Browser), "deafen")
		b.StopReading()
	}
	return err
}

func (s *scene) readsAgain(name string) error {
	b, err := s.of(name)
	if err == nil {
		s.w.Transcript.Does(string(b.Profile().Browser), "listen")
		b.ResumeReading()
		s.w.Clock.Settle()
	}
	return err
}

// traced returns the function that records a browser's messages.
func (s *scene) traced(b *browser, name string) func(sim.TraceEvent) {
	return func(e sim.TraceEvent) {
		if e.Dir == sim.Out {
			s.w.Transcript.Sent(name, e.Frame)
			return
		}
		s.w.Transcript.Received(name, e.Frame)
		if e.Kind == "text" {
			b.count(e.Frame)
		}
	}
}

func (b *browser) count(frame []byte) {
	f, err := protocol.DecodeFrame(frame)
	if err != nil {
		b.touched.Add(1)
		return
	}
	switch f.(type) {
	case protocol.Pong:
		b.pongs.Add(1)
	case *protocol.Welcome, *protocol.Result:
	default:
		b.touched.Add(1)
	}
}

// hasEnded reports whether the present connection has ended.
func (b *browser) hasEnded() bool {
	select {
	case <-b.Done():
		return true
	default:
		return false
	}
}
