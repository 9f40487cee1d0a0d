package world

import (
	"context"
	"errors"
	"net/http"

	"github.com/oh-my-webbridge/omw/conformance/target"
)

// Daemon is a daemon of the scenario. It is a target.Instance whose tokens and
// codes are kept out of the transcript.
type Daemon struct {
	target.Instance

	w *World
}

// Token returns the daemon's token as it stands now.
func (d *Daemon) Token(ctx context.Context) (string, error) {
	token, err := d.Instance.Token(ctx)
	d.w.Transcript.Secret(token)
	return token, err
}

// Code makes a new pairing code and returns it.
func (d *Daemon) Code(ctx context.Context) (string, error) {
	code, err := d.Instance.Code(ctx)
	d.w.Transcript.Secret(code)
	return code, err
}

// Stop asks the daemon to end and waits until it has.
func (d *Daemon) Stop(ctx context.Context) error {
	d.does("stop")
	return d.Instance.Stop(ctx)
}

// Kill ends the daemon without notice and waits.
func (d *Daemon) Kill(ctx context.Context) error {
	d.does("kill")
	return d.Instance.Kill(ctx)
}

// Start starts the daemon again.
func (d *Daemon) Start(ctx context.Context) error {
	d.does("start")
	return d.Instance.Start(ctx)
}

func (d *Daemon) does(what string) { d.w.Transcript.Does("daemon", "%s", what) }

// URL returns the address of a path of the daemon, as http://127.0.0.1:17373/ping.
func (d *Daemon) URL(path string) string { return "http://" + d.Addr() + path }

// Transport returns a transport of its own that reaches this daemon whatever
// the address says, records in the transcript under that name, and is closed
// at the end of the scenario. It follows no proxy.
func (d *Daemon) Transport(name string) http.RoundTripper {
	t := &http.Transport{DialContext: d.Dial, DisableCompression: true, MaxIdleConnsPerHost: 512}
	d.w.Cleanup(func() error {
		t.CloseIdleConnections()
		return nil
	})
	return d.w.Transcript.RoundTripper(name, t)
}

// died marks the error of a daemon that did not come up where the scenario
// needed one.
type died struct{ error }

func (d *died) Unwrap() error { return d.error }

// IsTargetFault reports whether err says that the target itself failed: it did
// not come up where a scenario needed it.
func IsTargetFault(err error) bool {
	if _, hidden := target.IsUnobservable(err); hidden {
		return false
	}
	_, ok := errors.AsType[*died](err)
	return ok
}
