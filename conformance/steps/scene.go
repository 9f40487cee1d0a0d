package steps

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// scene is what the steps of one scenario share: the browsers that are
// connected to the daemon.
type scene struct {
	w        *world.World
	browsers map[protocol.Browser]*browser
}

// browser is a simulated browser of the scene.
type browser struct {
	*sim.Browser
	// touched counts the messages of the daemon that ask the browser for
	// something: everything but the welcome, pongs and answers.
	touched atomic.Int64
}

func newScene(w *world.World) *scene {
	return &scene{w: w, browsers: make(map[protocol.Browser]*browser)}
}

func registerBrowsers(sc *godog.ScenarioContext, s *scene) {
	sc.Given(`^(Chrome|Firefox) is connected$`, s.isConnected)
}

// browserNamed returns the browser that a feature calls Chrome or Firefox.
func browserNamed(name string) protocol.Browser {
	if name == "Firefox" {
		return protocol.Firefox
	}
	return protocol.Chrome
}

func (s *scene) isConnected(ctx context.Context, name string) error {
	_, err := s.connect(ctx, browserNamed(name), func(*sim.Config) {})
	return err
}

// connect connects a browser that the scene does not have yet. change may
// change what it is.
func (s *scene) connect(ctx context.Context, of protocol.Browser, change func(*sim.Config)) (*browser, error) {
	d, err := s.w.Daemon(ctx)
	if err != nil {
		return nil, err
	}
	token, err := d.Token(ctx)
	if err != nil {
		return nil, err
	}
	profile, _ := sim.ProfileOf(of)
	b := &browser{}
	cfg := sim.Config{
		Dial: d.Dial, Addr: d.Addr(), Token: token, SocketOnly: true,
		Profile: profile, Seed: s.w.Seed, Trace: s.traced(b, string(of)),
	}
	change(&cfg)
	b.Browser = sim.New(cfg)
	s.w.Cleanup(b.Close)
	if err := b.Connect(ctx); err != nil {
		return nil, fmt.Errorf("connect %s: %w", of, err)
	}
	s.browsers[of] = b
	return b, nil
}

// traced returns the function that records a browser's messages.
func (s *scene) traced(b *browser, name string) func(sim.TraceEvent) {
	return func(e sim.TraceEvent) {
		switch {
		case e.Dir == sim.Out:
			s.w.Transcript.Sent(name, e.Frame)
			return
		case e.Kind == "text" && asks(e.Frame):
			b.touched.Add(1)
		}
		s.w.Transcript.Received(name, e.Frame)
	}
}

// asks reports whether a message of the daemon asks the browser for something.
func asks(frame []byte) bool {
	f, err := protocol.DecodeFrame(frame)
	if err != nil {
		return true
	}
	switch f.(type) {
	case *protocol.Welcome, *protocol.Pong, *protocol.Result:
		return false
	}
	return true
}
