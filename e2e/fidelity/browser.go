package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/chromedp/chromedp"
)

// browser is a Chromium of our own, with its own profile, home and temporary
// directory, in a process group of its own.
type browser struct {
	ctx     context.Context
	home    string
	process *exec.Cmd
	stop    func()
}

// startBrowser starts Debian's Chromium without a window.
func startBrowser(ctx context.Context) (*browser, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, errors.New("there is no chromium on the PATH; install Debian's: apt-get install chromium")
	}
	home, err := os.MkdirTemp("", "omw-fidelity-")
	if err != nil {
		return nil, fmt.Errorf("make the browser's home: %w", err)
	}
	b := &browser{home: home}
	tmp := filepath.Join(home, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("make the browser's home: %w", err), os.RemoveAll(home))
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("lang", "en-US"), // "Submit" is the browser's word
		chromedp.WindowSize(1000, 800),
		chromedp.UserDataDir(filepath.Join(home, "profile")),
		chromedp.Env("HOME="+home, "TMPDIR="+tmp, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "LANGUAGE=en"),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			b.process = cmd
		}),
	)
	allocator, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	tab, closeTab := chromedp.NewContext(allocator)
	b.ctx, b.stop = tab, func() { closeTab(); stopAllocator() }
	if err := chromedp.Do(tab); err != nil {
		return nil, errors.Join(fmt.Errorf("start Chromium: %w", err), b.Close())
	}
	return b, nil
}

// Close ends the browser and leaves nothing of it: no process, no file.
func (b *browser) Close() error {
	ending, cancel := context.WithTimeout(b.ctx, 10*time.Second)
	err := chromedp.Cancel(ending)
	cancel()
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	b.stop()
	if b.process != nil && b.process.Process != nil {
		group := -b.process.Process.Pid
		for range 500 {
			if syscall.Kill(group, 0) != nil {
				break
			}
			<-time.After(10 * time.Millisecond)
		}
		_ = syscall.Kill(group, syscall.SIGKILL)
	}
	return errors.Join(err, os.RemoveAll(b.home))
}
