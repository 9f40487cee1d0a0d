package target

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"time"
)

// URL returns the target of a file with a url: a daemon that runs already and
// that scenarios share, one after the other. What it was before a scenario it
// still is after it, but for what the scenario did on the wire.
func URL(f *File) (Target, error) {
	if f.URL == "" {
		return nil, fmt.Errorf("the target file of %s has no url; use it as exec:FILE", f.Name)
	}
	u, err := url.Parse(f.URL)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	return &urlTarget{file: f, addr: u.Host}, nil
}

type urlTarget struct {
	file *File
	addr string
}

func (r *urlTarget) Info() Info {
	return Info{Kind: "url", Name: r.file.Name, Strict: r.file.Strict, Serial: true, Source: r.file.source()}
}

func (r *urlTarget) Start(ctx context.Context, setup Setup) (Instance, error) {
	if setup.ConfigDir != "" || setup.Addr != "" || setup.DefaultAddr || len(setup.Args) > 0 || len(setup.Env) > 0 || setup.Umask != nil {
		return nil, cannot("be started otherwise than it was")
	}
	i := &running{file: r.file, addr: r.addr, network: setup.Network}
	if err := i.answers(ctx); err != nil {
		return nil, &StartError{Reason: err.Error()}
	}
	return i, nil
}

// running is a daemon that somebody else started.
type running struct {
	file    *File
	addr    string
	network Network

	mu   sync.Mutex
	kept []*exec.Cmd
}

// answers dials the daemon.
func (r *running) answers(ctx context.Context) error {
	c, err := r.Dial(ctx, "tcp", r.addr)
	if err != nil {
		return fmt.Errorf("nobody answers at %s: %w", r.addr, err)
	}
	return c.Close()
}

func cannot(what string) error {
	return Hidden("a daemon that runs already cannot %s", what)
}

func (r *running) Start(context.Context) error { return cannot("be started again") }

func (r *running) Died() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return r.answers(ctx)
}

func (r *running) Addr() string { return r.addr }

func (r *running) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return r.network.Dial(ctx, "tcp", r.addr)
}

func (r *running) place() *place {
	expand := func(s string) string { return r.file.expand(s, nil) }
	return &place{
		expand: expand, dial: r.Dial, token: r.Token, output: func() string { return "" }, env: os.Environ(),
		keep: func(cmd *exec.Cmd) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.kept = append(r.kept, cmd)
		},
	}
}

func (r *running) Token(ctx context.Context) (string, error) {
	return r.file.Token.read(ctx, r.place())
}

func (r *running) Code(ctx context.Context) (string, error) {
	if r.file.Code == nil {
		return "", Hidden("the target file of %s does not say how a pairing code is made", r.file.Name)
	}
	return r.file.Code.read(ctx, r.place())
}

func (r *running) ConfigDir() (string, error) {
	if r.file.ConfigDir == "" {
		return "", Hidden("the target file of %s names no config_dir", r.file.Name)
	}
	return r.file.expand(r.file.ConfigDir, nil), nil
}

func (r *running) Signal(os.Signal) error { return cannot("be sent a signal") }

func (r *running) Wait(context.Context) (int, error) { return 0, cannot("be ended") }

func (r *running) Stop(context.Context) error { return cannot("be stopped") }

func (r *running) Kill(context.Context) error { return cannot("be killed") }

func (r *running) Pid() (int, error) { return 0, cannot("be asked for its process id") }

func (r *running) Logs() (string, error) { return "", cannot("show its logs") }

func (r *running) Release(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, cmd := range r.kept {
		_ = cmd.Process.Kill()
	}
	r.kept = nil
	return nil
}
