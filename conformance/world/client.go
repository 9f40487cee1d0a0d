package world

import (
	"context"
	"errors"

	"github.com/oh-my-webbridge/omw/conformance/target"
)

// Launch starts the client under test, and tells it where the daemon is that
// the suite plays. Scratch and Network are filled in. It is released at the end
// of the scenario, before what was given to Cleanup earlier.
func (w *World) Launch(ctx context.Context, setup target.ClientSetup) (target.Driven, error) {
	t, ok := w.target.(target.Client)
	if !ok {
		return nil, errors.New("the target is no client; give one with --target inproc or exec:CMD")
	}
	dir, err := w.Dir("client")
	if err != nil {
		return nil, err
	}
	w.Transcript.Secret(setup.Token)
	setup.Scratch, setup.Network = dir, w.network
	c, err := t.Launch(ctx, setup)
	if err != nil {
		return nil, &died{err}
	}
	w.mu.Lock()
	w.clients = append(w.clients, c)
	w.mu.Unlock()
	w.Cleanup(func() error { return c.Release(context.WithoutCancel(ctx)) })
	return c, nil
}
