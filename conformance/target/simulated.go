package target

import (
	"context"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// pictureTime is how long the simulated browser takes for a picture or a PDF.
const pictureTime = 100 * time.Millisecond

// Simulated is the simulated extension of this project as a target, in the
// process.
type Simulated struct {
	NoDaemon

	// Profile is how its browser behaves.
	Profile sim.Profile
	// Change, if set, changes the browser's configuration for a mutant.
	Change func(*sim.Config)
	// Absent is true for one whose extension never does anything.
	Absent bool
	// Name is what reports call it; "" means that of the profile's browser.
	Name string
}

// Sim returns the simulated extension in chrome or firefox.
func Sim(name string) (*Simulated, error) {
	p, ok := sim.ProfileOf(protocol.Browser(name))
	if !ok {
		return nil, fmt.Errorf("there is no simulated browser %q; there are chrome and firefox", name)
	}
	return &Simulated{Profile: p}, nil
}

// BuiltinExtension returns one of the extensions that are wrong on purpose:
// "absent" does nothing at all, "mute" opens its WebSocket and never says a
// word. They show that the suite bites, as Builtin's daemons do.
func BuiltinExtension(name string) (Target, error) {
	t := &Simulated{Profile: sim.Chrome, Name: name}
	switch name {
	case "absent":
		t.Absent = true
	case "mute":
		t.Profile.Limits.Ping, t.Profile.Limits.Silence = 0, 0
		t.Change = func(c *sim.Config) { c.Hello = new(string) }
	default:
		return nil, fmt.Errorf("there is no builtin extension %q; there are absent and mute", name)
	}
	return t, nil
}

// Info describes the target.
func (t *Simulated) Info() Info {
	name := t.Name
	if name == "" {
		name = string(t.Profile.Browser)
	}
	return Info{Kind: "sim", Name: name, Strict: true}
}

// Browser says which browser it plays.
func (t *Simulated) Browser() protocol.Browser { return t.Profile.Browser }

// Open starts a browser.
func (t *Simulated) Open(ctx context.Context, setup BrowserSetup) (Browser, error) {
	cfg := sim.Config{
		Dial: setup.Network.Dial, Addr: setup.Addr, Token: setup.Token, Profile: t.Profile,
		PersonTabs: setup.PersonTabs, StrictTabs: true, Seed: setup.Seed, Respond: photographs,
	}
	if t.Change != nil {
		t.Change(&cfg)
	}
	b := &simulated{Browser: sim.New(cfg), ended: make(chan struct{})}
	// The browser outlives ctx, which is the one of a step.
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b.cancel = cancel
	go func() {
		defer close(b.ended)
		if !t.Absent {
			// Why it ended is that it was told to.
			_ = b.Run(run)
		}
	}()
	return b, nil
}

// photographs lets pictures and PDFs take their time and everything else be as
// the browser makes it.
func photographs(_ context.Context, s sim.Start) sim.Reply {
	if s.Action == "screenshot" || s.Action == "pdf" {
		return sim.After(pictureTime, sim.Default())
	}
	return sim.Default()
}

// simulated is a Browser in the process. The methods of sim.Browser can be
// used, too, by scenarios about the simulator itself.
type simulated struct {
	*sim.Browser
	cancel context.CancelFunc
	ended  chan struct{}
}

func (b *simulated) Suspend(context.Context) error {
	b.Browser.Suspend()
	return nil
}

func (b *simulated) PictureTime() (time.Duration, error) { return pictureTime, nil }

func (b *simulated) Died() error { return nil }

func (b *simulated) Logs() (string, error) { return "", Hidden("the simulated browser writes no log") }

// Release ends it at once, as a browser that is closed does. Nothing that it
// says at its end is waited for.
func (b *simulated) Release(context.Context) error {
	err := b.Close()
	b.cancel()
	<-b.ended
	return err
}

// Simulator returns the simulated browser behind b, for scenarios about the
// simulator itself.
func Simulator(b Browser) (*sim.Browser, error) {
	s, ok := b.(*simulated)
	if !ok {
		return nil, Hidden("the target is not the simulator")
	}
	return s.Browser, nil
}
