package world

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"

	"github.com/oh-my-webbridge/omw/conformance/target"
)

// Listen announces on an address of the lane's network, for what the suite
// plays itself; port 0 means a free one.
func (w *World) Listen(ctx context.Context, addr string) (net.Listener, error) {
	return w.network.Listen(ctx, addr)
}

// Dial connects in the lane's network, for what the suite plays itself.
func (w *World) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return w.network.Dial(ctx, network, addr)
}

// Extension returns the extension under test. It is an error if the target is
// none.
func (w *World) Extension() (target.Extension, error) {
	e, ok := w.target.(target.Extension)
	if !ok {
		return nil, errors.New("the target is no extension; give one with --target sim:chrome, sim:firefox or exec:FILE")
	}
	return e, nil
}

// Open starts a browser with the extension under test. Scratch, Network and
// Seed are filled in. It is released at the end of the scenario, before what
// was given to Cleanup earlier.
func (w *World) Open(ctx context.Context, setup target.BrowserSetup) (target.Browser, error) {
	e, err := w.Extension()
	if err != nil {
		return nil, err
	}
	dir, err := w.Dir("browser")
	if err != nil {
		return nil, err
	}
	w.Transcript.Secret(setup.Token)
	w.Transcript.Secret(setup.Code)
	setup.Scratch, setup.Network = dir, w.network
	w.Rand(func(r *rand.Rand) { setup.Seed = r.Uint64() })
	b, err := e.Open(ctx, setup)
	if err != nil {
		return nil, &died{err}
	}
	w.mu.Lock()
	w.browsers = append(w.browsers, b)
	w.mu.Unlock()
	w.Cleanup(func() error { return b.Release(context.WithoutCancel(ctx)) })
	return b, nil
}
