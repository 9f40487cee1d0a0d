package target

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// server is a daemon in this process. Serve returns after ctx has ended, and
// must release ln.
type server interface {
	Serve(ctx context.Context, ln net.Listener) error
}

// served is an instance whose daemon is a goroutine of this process.
type served struct {
	network Network
	config  string
	// make makes the server again for each start; token and code are how the
	// daemon's secrets are found.
	make  func() (server, error)
	token func(ctx context.Context, i *served) (string, error)
	code  func(ctx context.Context, i *served) (string, error)
	// hidden says why there is no configuration directory, "" if there is one.
	hidden string
	logs   *tail

	mu     sync.Mutex
	addr   string
	cancel context.CancelFunc
	ended  chan struct{}
	err    error
	asked  bool
}

// stopTime is how long a daemon may take to end when it is asked to: 5 s by
// the protocol, and a margin.
const stopTime = 7 * time.Second

func (i *served) Addr() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.addr
}

func (i *served) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return i.network.Dial(ctx, "tcp", i.Addr())
}

func (i *served) Start(ctx context.Context) error {
	refused := func(err error) error {
		return &StartError{Reason: err.Error(), Exited: true, Status: 1, Output: i.logs.last(outputSize)}
	}
	// The listener comes first, as in omw serve, so that a second daemon on the
	// port touches no file.
	ln, err := i.network.Listen(ctx, i.Addr())
	if err != nil {
		return refused(err)
	}
	s, err := i.make()
	if err != nil {
		return refused(errors.Join(err, ln.Close()))
	}
	// The daemon outlives ctx, which is the one of a step.
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	i.mu.Lock()
	i.addr, i.cancel, i.ended, i.err, i.asked = ln.Addr().String(), cancel, ended, nil, false
	i.mu.Unlock()
	go func() {
		err := s.Serve(run, ln)
		i.mu.Lock()
		i.err = err
		i.mu.Unlock()
		close(ended)
	}()
	return nil
}

func (i *served) Signal(sig os.Signal) error {
	if sig != syscall.SIGTERM && sig != os.Interrupt {
		return Hidden("a daemon in the process cannot be sent %s", sig)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.asked {
		return Hidden("a daemon in the process can be asked to end once")
	}
	i.asked = true
	i.cancel()
	return nil
}

func (i *served) Wait(ctx context.Context) (int, error) {
	i.mu.Lock()
	ended := i.ended
	i.mu.Unlock()
	select {
	case <-ended:
	case <-ctx.Done():
		return 0, fmt.Errorf("wait for the daemon's end: %w", context.Cause(ctx))
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.err != nil {
		return 1, nil
	}
	return 0, nil
}

func (i *served) Stop(ctx context.Context) error {
	i.mu.Lock()
	i.asked = true
	cancel, ended := i.cancel, i.ended
	i.mu.Unlock()
	cancel()
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer done()
	select {
	case <-ended:
	case <-ctx.Done():
		return fmt.Errorf("stop the daemon: it did not end within %s", stopTime)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.err != nil {
		return fmt.Errorf("stop the daemon: %w", i.err)
	}
	return nil
}

func (i *served) Release(ctx context.Context) error { return i.Stop(ctx) }

func (i *served) Kill(context.Context) error {
	return Hidden("a daemon in the process cannot be killed")
}

func (i *served) Pid() (int, error) {
	return 0, Hidden("a daemon in the process has no process of its own")
}

func (i *served) Died() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	select {
	case <-i.ended:
	default:
		return nil
	}
	if i.asked {
		return nil
	}
	if i.err != nil {
		return fmt.Errorf("the daemon ended by itself: %w", i.err)
	}
	return errors.New("the daemon ended by itself")
}

func (i *served) Token(ctx context.Context) (string, error) { return i.token(ctx, i) }

func (i *served) Code(ctx context.Context) (string, error) { return i.code(ctx, i) }

func (i *served) Logs() (string, error) { return i.logs.String(), nil }

func (i *served) ConfigDir() (string, error) {
	if i.hidden != "" {
		return "", Hidden("%s", i.hidden)
	}
	return i.config, nil
}

// foreign returns what of the setup a daemon in this process cannot have.
func foreign(s *Setup) error {
	switch {
	case len(s.Args) > 0:
		return Hidden("a daemon in the process has no command line")
	case len(s.Env) > 0:
		return Hidden("a daemon in the process has no environment of its own")
	case s.Umask != nil:
		return Hidden("a daemon in the process has no umask of its own")
	}
	return nil
}

// configDir returns the configuration directory of a daemon. Unless the setup
// names one it does not exist yet, and nothing else stands beside it, so that
// whatever a daemon leaves next to it is noticed.
func configDir(s *Setup) (string, error) {
	if s.ConfigDir != "" {
		return s.ConfigDir, nil
	}
	around := filepath.Join(s.Scratch, "state")
	if err := os.MkdirAll(around, 0o700); err != nil {
		return "", fmt.Errorf("make room for the daemon's configuration: %w", err)
	}
	return filepath.Join(around, "config"), nil
}
