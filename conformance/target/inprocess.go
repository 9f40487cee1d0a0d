package target

import (
	"context"
	"log/slog"
	"net"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Constructor makes a daemon of this project: the function that omw serve
// calls, so that the target is the program but for its listener.
type Constructor func(dir string, limits protocol.Limits, log *slog.Logger) (Server, error)

// Server is a daemon in this process. Serve returns after ctx has ended, and
// releases ln.
type Server interface {
	Serve(ctx context.Context, ln net.Listener) error
}

// InProcess is the daemon of this project as a goroutine of this process.
type InProcess struct {
	// New makes it.
	New Constructor
	// Limits are the daemon's limits; zero means protocol.DefaultLimits. A mutant
	// of the catalogue changes them here.
	Limits protocol.Limits
	// Wrap, if set, changes the daemon's network for a mutant: every listener
	// goes through it.
	Wrap func(net.Listener) net.Listener
	// Source is the directory of the daemon's source, "" if it is not at hand.
	Source string
	// Name is what reports call it; "" means omw.
	Name string
}

// Info describes the target.
func (t *InProcess) Info() Info {
	name := t.Name
	if name == "" {
		name = "omw"
	}
	return Info{Kind: "inproc", Name: name, Strict: true, Source: t.Source}
}

// Start starts a daemon.
func (t *InProcess) Start(ctx context.Context, setup Setup) (Instance, error) {
	if err := foreign(&setup); err != nil {
		return nil, err
	}
	limits := t.Limits
	if limits == (protocol.Limits{}) {
		limits = protocol.DefaultLimits()
	}
	network := setup.Network
	if t.Wrap != nil {
		network = &wrapped{network, t.Wrap}
	}
	logs := newTail(logSize, nil)
	config, err := configDir(&setup)
	if err != nil {
		return nil, err
	}
	i := &served{network: network, config: config, logs: logs, addr: startAddr(&setup)}
	i.make = func() (server, error) {
		log := slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
		return t.New(config, limits, log)
	}
	i.token = func(ctx context.Context, i *served) (string, error) {
		return ours.Token.read(ctx, &place{config: i.config})
	}
	i.code = func(ctx context.Context, i *served) (string, error) {
		return ours.Code.read(ctx, &place{config: i.config, dial: i.Dial, token: i.Token})
	}
	if err := i.Start(ctx); err != nil {
		return nil, err
	}
	return i, nil
}

// wrapped is a network whose listeners a mutant changes.
type wrapped struct {
	Network
	wrap func(net.Listener) net.Listener
}

func (w *wrapped) Listen(ctx context.Context, addr string) (net.Listener, error) {
	ln, err := w.Network.Listen(ctx, addr)
	if err != nil {
		return nil, err
	}
	return w.wrap(ln), nil
}

func startAddr(s *Setup) string {
	switch {
	case s.DefaultAddr:
		return protocol.DefaultAddr
	case s.Addr != "":
		return s.Addr
	}
	return "127.0.0.1:0"
}

// ours is how a daemon of this project shows its secrets; the same stands in
// targets/omw.json.
var ours = struct{ Token, Code Source }{
	Token: Source{File: "{config}/config.json", JSON: "token"},
	Code:  Source{Request: &Request{Method: "POST", Path: "/admin/pair"}, JSON: "code"},
}
