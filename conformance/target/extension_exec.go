package target

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ExecExtension returns the target of a file: each browser is a child process
// with a home and a temporary directory of its own.
func ExecExtension(f *ExtensionFile) Extension { return &execExtension{file: f} }

type execExtension struct {
	NoDaemon
	file *ExtensionFile
}

func (t *execExtension) Info() Info {
	return Info{Kind: "exec", Name: t.file.Name, Strict: t.file.Strict}
}

func (t *execExtension) Browser() protocol.Browser { return t.file.Browser }

const personTabs = "{person_tabs}"

func (t *execExtension) Open(_ context.Context, setup BrowserSetup) (Browser, error) {
	if len(setup.PersonTabs) > 0 && !t.file.mentions(personTabs) {
		return nil, Hidden("%s cannot be started with tabs of the person: %s does not stand in its target file", t.file.Name, personTabs)
	}
	b := &childBrowser{file: t.file, logs: newTail(logSize, nil), ended: make(chan struct{})}
	cmd, err := b.command(&setup)
	if err != nil {
		return nil, err
	}
	b.cmd = cmd
	if err := cmd.Start(); err != nil {
		return nil, &StartError{Reason: err.Error()}
	}
	go func() {
		// How it ended stands in cmd.ProcessState.
		_ = cmd.Wait()
		close(b.ended)
	}()
	return b, nil
}

// childBrowser is a browser that is a child process.
type childBrowser struct {
	file  *ExtensionFile
	logs  *tail
	cmd   *exec.Cmd
	ended chan struct{}

	mu    sync.Mutex
	asked bool
}

func (b *childBrowser) command(setup *BrowserSetup) (*exec.Cmd, error) {
	host, port, err := net.SplitHostPort(setup.Addr)
	if err != nil {
		return nil, fmt.Errorf("start the browser: %w", err)
	}
	tabs, err := json.Marshal(append([]string{}, setup.PersonTabs...))
	if err != nil {
		return nil, fmt.Errorf("start the browser: %w", err)
	}
	expand := strings.NewReplacer(
		"{here}", b.file.here, "{bin}", b.file.bin, "{addr}", setup.Addr, "{host}", host, "{port}", port, "{token}", setup.Token,
		"{code}", setup.Code, "{scratch}", setup.Scratch, "{seed}", fmt.Sprint(setup.Seed), personTabs, string(tabs),
	).Replace
	var args []string
	for _, part := range b.file.Start.Command {
		args = append(args, expand(part))
	}
	home, tmp := setup.Scratch+"/home", setup.Scratch+"/tmp"
	for _, dir := range []string{home, tmp} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the browser's home: %w", err)
		}
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + tmp}
	for name, value := range b.file.Start.Env {
		cmd.Env = append(cmd.Env, name+"="+expand(value))
	}
	cmd.Dir = setup.Scratch
	if b.file.Start.Dir != "" {
		cmd.Dir = expand(b.file.Start.Dir)
	}
	cmd.Stdout, cmd.Stderr = b.logs, b.logs
	// A child of the browser may keep its output open; that must not keep us.
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	return cmd, nil
}

func (b *childBrowser) Suspend(context.Context) error {
	if b.file.Suspend == nil {
		return Hidden("the target file of %s does not say how its background is stopped", b.file.Name)
	}
	if err := b.cmd.Process.Signal(signals[b.file.Suspend.Signal]); err != nil {
		return fmt.Errorf("stop the background: %w", err)
	}
	return nil
}

func (b *childBrowser) PictureTime() (time.Duration, error) { return b.file.picture() }

func (b *childBrowser) Died() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-b.ended:
	default:
		return nil
	}
	if b.asked || b.cmd.ProcessState == nil {
		return nil
	}
	return fmt.Errorf("the browser ended by itself: %s; it said: %s", b.cmd.ProcessState, b.logs.last(400))
}

func (b *childBrowser) Logs() (string, error) { return b.logs.String(), nil }

// Release asks the browser to end, and ends what is left of it.
func (b *childBrowser) Release(ctx context.Context) error {
	b.mu.Lock()
	b.asked = true
	b.mu.Unlock()
	signal := syscall.SIGTERM
	if b.file.Stop.Signal == "INT" {
		signal = syscall.SIGINT
	}
	err := b.cmd.Process.Signal(signal)
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	patience := milliseconds(b.file.Stop.TimeoutMS, stopTime)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	select {
	case <-b.ended:
	case <-ctx.Done():
		err = fmt.Errorf("stop the browser: it did not end within %s and was killed", patience)
	}
	killGroup(b.cmd)
	<-b.ended
	return err
}
