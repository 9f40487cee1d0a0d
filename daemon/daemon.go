// Package daemon is omw: New plugs the rooms below it together, and Serve
// serves them on a listener until it is told to end. The listener is all that
// differs between a process on TCP and one in memory.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/api"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/route"
	"github.com/oh-my-webbridge/omw/daemon/state"
)

// Config says what a daemon is made of.
type Config struct {
	// Dir is the config directory, which the daemon owns until Serve returns.
	Dir string
	// Version is told by /ping, /json/version and the welcome.
	Version string
	// Limits are those of the protocol; the zero value means DefaultLimits.
	Limits protocol.Limits
	// Log gets what happens, never a token, a code or a page's text. Nil discards it.
	Log *slog.Logger
}

// Daemon is one omw. It is made by New and serves once.
type Daemon struct {
	cfg   Config
	state *state.Dir
}

// New takes the config directory and loads it. It fails, without having
// touched a file, when another process owns the directory. Serve must be
// called, or Close.
func New(cfg Config) (*Daemon, error) {
	if cfg.Limits == (protocol.Limits{}) {
		cfg.Limits = protocol.DefaultLimits()
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	// All schemas are compiled now, and not in the time of somebody's command.
	protocol.Actions()
	dir, err := state.Open(cfg.Dir, cfg.Log)
	if err != nil {
		return nil, fmt.Errorf("open the config directory: %w", err)
	}
	return &Daemon{cfg: cfg, state: dir}, nil
}

// Close gives the config directory back, for a daemon that is not to serve.
func (d *Daemon) Close() error { return d.state.Close() }

const (
	// endWithin is how long the requests under way have after the commands that
	// wait were settled; with the rest it stays within 5 s.
	endWithin = 3 * time.Second
	// idleTime is how long a connection is kept for a next request.
	idleTime = 60 * time.Second
	// headerBytes is the largest header, beside the library's own slack of 4 KiB.
	headerBytes = 16 << 10
)

// Serve serves on ln, which it closes, until ctx ends; then new requests are
// refused, waiting commands end with outcome_unknown, WebSockets are closed
// with 1001, and it returns nil within 5 s with everything given back.
func (d *Daemon) Serve(ctx context.Context, ln net.Listener) error {
	handler := api.New(api.Config{
		Version: d.cfg.Version, Addr: ln.Addr().String(),
		Limits: d.cfg.Limits, Log: d.cfg.Log,
		Router: route.New(d.cfg.Limits, d.cfg.Log, d.state.Bindings(), d.state.SaveBindings),
		Token:  d.state.Token, Rotate: d.state.Rotate,
	})
	srv := &http.Server{
		Handler: handler,
		// OPTIONS * goes through the gate like everything else (AUTH-12).
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            d.cfg.Limits.HeaderTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               headerBytes,
		ErrorLog:                     slog.NewLogLogger(d.cfg.Log.Handler(), slog.LevelDebug),
	}
	// The server closes its connections at the end and does not wait until
	// their goroutines are done.
	var conns sync.WaitGroup
	srv.ConnState = func(_ net.Conn, now http.ConnState) {
		switch now {
		case http.StateNew:
			conns.Add(1)
		case http.StateHijacked, http.StateClosed:
			conns.Done()
		}
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(limit(ln, d.cfg.Limits)) }()
	var failed error
	select {
	case <-ctx.Done():
		d.cfg.Log.Info("shutting down")
	case failed = <-served:
		served <- failed
	}
	handler.Close()
	patience, cancel := context.WithTimeout(context.Background(), endWithin)
	defer cancel()
	_ = srv.Shutdown(patience)
	_ = srv.Close()
	<-served
	conns.Wait()
	handler.Wait()
	if failed != nil && !errors.Is(failed, http.ErrServerClosed) {
		return errors.Join(fmt.Errorf("serve HTTP: %w", failed), d.state.Close())
	}
	return d.state.Close()
}
