package console

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Listen listens on a Unix socket at path, 0600 in a directory that its owner
// alone may enter. A directory that is not there is made 0700; one that others
// may enter is refused, and so is a path at which there is anything but a socket
// that nobody listens on any more, which is removed.
func Listen(ctx context.Context, path string) (net.Listener, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	if !private(info) {
		return nil, fmt.Errorf("listen on %s: others may enter %s; give a path in a directory of your own of mode 700", path, dir)
	}
	if err := vacate(ctx, path); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("listen on %s: %w", path, err), ln.Close())
	}
	return ln, nil
}

// vacate removes a socket that nobody listens on.
func vacate(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return errors.New("there is something that is no socket")
	}
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err == nil {
		_ = c.Close()
		return errors.New("somebody listens there")
	}
	return os.Remove(path)
}

// headerTime is how long the header of a request may take.
const headerTime = 10 * time.Second

// Serve serves scripts on ln until ctx ends, which ends the one that is played.
// The error is the listener's.
func (c *Console) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{
		Handler:           c,
		ReadHeaderTimeout: headerTime,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve scripts: %w", err)
	case <-ctx.Done():
	}
	// What is played ends with ctx and then says so to its caller.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	err := srv.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	<-served
	return err
}

// endTime is how long the answers that are under way may take at the end.
const endTime = 3 * time.Second
