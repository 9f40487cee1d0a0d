package chrome_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// extensionID follows from the key of the manifest.
const extensionID = "fjmdlcjlhbkjncngbgakaepkcacjfcim"

// browser is a Chromium with the extension, driven beside it over the protocol
// of DevTools as a person would drive it.
type browser struct {
	// ctx is the tab that the person has in front.
	ctx context.Context
}

// startBrowser starts a Chromium with a profile of its own.
func startBrowser(t *testing.T) *browser {
	// The name of a test would make the path of Chromium's socket too long.
	home, err := os.MkdirTemp("", "omw")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(home)) })
	profile := filepath.Join(home, "profile")
	// Without developer mode Chrome switches an unpacked extension off when it is loaded again.
	require.NoError(t, os.MkdirAll(filepath.Join(profile, "Default"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(profile, "Default", "Preferences"), []byte(`{"extensions":{"ui":{"developer_mode":true}}}`), 0o600))
	tmp := filepath.Join(home, "tmp")
	require.NoError(t, os.Mkdir(tmp, 0o700))

	var started *exec.Cmd
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(built.chromium),
		chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-extensions", false), // chromedp's own default is true
		chromedp.Flag("load-extension", built.extension),
		// The bar of the debugger would move the page under the pointer in the middle of a test.
		chromedp.Flag("silent-debugger-extension-api", true),
		chromedp.WindowSize(1000, 800),
		chromedp.UserDataDir(profile),
		chromedp.Env("HOME="+home, "TMPDIR="+tmp, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
			started = cmd
		}),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		within, done := context.WithTimeout(ctx, patience)
		defer done()
		_ = chromedp.Cancel(within)
		cancel()
		stop()
		if started != nil && started.Process != nil {
			end(t, started.Process.Pid)
		}
	})
	require.NoError(t, chromedp.Do(ctx), "Chromium starts")
	return &browser{ctx: ctx}
}

// end waits until nothing is left of a process group, and kills what stays.
func end(t *testing.T, group int) {
	deadline := time.Now().Add(patience)
	for syscall.Kill(-group, 0) == nil {
		if time.Now().After(deadline) {
			_ = syscall.Kill(-group, syscall.SIGKILL)
			t.Errorf("processes of the browser did not end by themselves")
			return
		}
		pause()
	}
}

// pause is between two looks at something.
func pause() { <-time.After(10 * time.Millisecond) }

// in bounds a context by the patience of a test.
func in(t *testing.T, ctx context.Context) context.Context {
	within, cancel := context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	return within
}

// soon is a context with the patience of a test.
func soon(t *testing.T) context.Context { return in(t, context.Background()) }

// visit opens a page in front, as the person.
func (b *browser) visit(t *testing.T, url string) {
	require.NoError(t, chromedp.Do(in(t, b.ctx), chromedp.Navigate(url)))
}

// setup opens the extension's setup page in a tab of its own, in front.
func (b *browser) setup(t *testing.T) context.Context {
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	// The first call opens the tab, which would not outlive a deadline of it.
	require.NoError(t, chromedp.Do(ctx))
	require.NoError(t, chromedp.Do(in(t, ctx), chromedp.Navigate("chrome-extension://"+extensionID+"/setup.html")))
	return ctx
}

// wake opens the setup page for a moment, which starts the worker if it is stopped.
func (b *browser) wake(t *testing.T) {
	require.NoError(t, chromedp.Cancel(b.setup(t)))
}

// eventually asks again until the condition holds, and says why it is asked.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); pause() {
		if time.Now().After(deadline) {
			require.FailNow(t, what+" did not come to be")
		}
	}
}

// receive waits for a value.
func receive[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		require.FailNow(t, what+" did not come")
		panic("unreachable")
	}
}

// workers returns the ids of the extension's running workers.
func (b *browser) workers(t *testing.T) []string {
	targets, err := chromedp.Targets(in(t, b.ctx))
	require.NoError(t, err)
	var ids []string
	for _, target := range targets {
		if target.Type == "service_worker" && strings.Contains(target.URL, extensionID) {
			ids = append(ids, string(target.TargetID))
		}
	}
	return ids
}

// stopWorker stops the extension's worker, as Chrome does when it is idle.
func (b *browser) stopWorker(t *testing.T) {
	before := b.workers(t)
	require.Len(t, before, 1, "one worker runs")
	ctx := in(t, b.ctx)
	_, err := chromedp.Call(ctx, serviceworker.Enable, cdp.Empty{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, serviceworker.StopAllWorkers, cdp.Empty{})
	require.NoError(t, err)
	eventually(t, "the end of the worker", func() bool { return !slices.Contains(b.workers(t), before[0]) })
}
