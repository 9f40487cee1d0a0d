package target

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"time"
)

// Start starts the daemon, again at the same address if it ran before.
func (i *process) Start(ctx context.Context) error {
	if err := i.chooseAddr(ctx); err != nil {
		return err
	}
	args, env, err := i.command()
	if err != nil {
		return err
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, i.logs, i.logs
	cmd.Dir = i.setup.Scratch
	if dir := i.file.Start.Dir; dir != "" {
		cmd.Dir = i.expand(dir)
	}
	// A child of the daemon may keep its output open; that must not keep us.
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	ended, ready := make(chan struct{}), make(chan string, 1)
	i.mu.Lock()
	i.cmd, i.ended, i.ready, i.asked = cmd, ended, ready, false
	i.mu.Unlock()
	if err := cmd.Start(); err != nil {
		close(ended)
		return &StartError{Reason: err.Error()}
	}
	go func() {
		// How it ended stands in cmd.ProcessState.
		_ = cmd.Wait()
		close(ended)
	}()
	return i.await(ctx, ready, ended)
}

func (i *process) chooseAddr(ctx context.Context) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.addr != "":
		i.want = i.addr
		return nil
	case i.setup.Addr != "" || i.setup.DefaultAddr:
		i.want = startAddr(&i.setup)
		return nil
	}
	var err error
	i.want, err = freePort(ctx)
	return err
}

// heard is given every line that the daemon prints.
func (i *process) heard(line string) {
	expr := i.file.Start.Ready.Line
	if expr == "" {
		return
	}
	m := regexp.MustCompile(expr).FindStringSubmatch(line)
	if m == nil {
		return
	}
	addr := ""
	if len(m) > 1 {
		addr = m[1]
	}
	i.mu.Lock()
	ready := i.ready
	i.mu.Unlock()
	select {
	case ready <- addr:
	default:
	}
}

// await waits until the daemon is up.
func (i *process) await(ctx context.Context, ready <-chan string, ended <-chan struct{}) error {
	patience := i.readyTime()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	up := make(chan struct{})
	if i.file.Start.Ready.Line == "" {
		go func() {
			defer close(up)
			_ = dialUntil(ctx, i.want)
		}()
	}
	addr := i.want
	select {
	case said := <-ready:
		if said != "" {
			addr = said
		}
	case <-up:
	case <-ended:
		cancel()
		return i.notUp("it ended")
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		i.end()
		return i.notUp(fmt.Sprintf("it was not ready within %s", patience))
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.addr = addr
	return nil
}

func dialUntil(ctx context.Context, addr string) error {
	for {
		c, err := TCP{}.Dial(ctx, "tcp", addr)
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (i *process) notUp(reason string) error {
	e := &StartError{Reason: reason, Output: i.logs.last(outputSize)}
	i.mu.Lock()
	defer i.mu.Unlock()
	select {
	case <-i.ended:
		if s := i.cmd.ProcessState; s != nil && reason == "it ended" {
			e.Exited, e.Status = true, s.ExitCode()
			e.Reason = fmt.Sprintf("it ended: %s", s)
			// That it ended is told by this error, and is no death of its own.
			i.asked = true
		}
	default:
	}
	return e
}
