// Package report_test opens the suite's HTML pages in a real Chromium: nothing
// is asked of a network or goes wrong in the console, the filters work by the
// keyboard alone, and every text can be read in the light and in the dark.
// `make e2e` runs it. With PICTURES set to a directory, pictures of the pages
// are left there to be looked at.
package report_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// patience is how long anything in a browser may take.
const patience = 60 * time.Second

var chromium string

func TestMain(m *testing.M) {
	var err error
	if chromium, err = exec.LookPath("chromium"); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: there is no chromium on the PATH; install Debian's: apt-get install chromium")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// tab is a tab of a Chromium with a profile of its own.
type tab struct {
	ctx context.Context

	mu sync.Mutex
	// asked are the addresses that were asked for, wrong what the console said.
	asked, wrong []string
}

// open starts a Chromium that shows the file.
func open(t *testing.T, file string) *tab {
	// The name of a test would make the path of Chromium's socket too long.
	home, err := os.MkdirTemp("", "omw")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(home)) })
	var started *exec.Cmd
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.WindowSize(1280, 900), chromedp.UserDataDir(filepath.Join(home, "profile")),
		chromedp.Env("HOME="+home, "TMPDIR="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			started = cmd
		}),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	ctx, done := context.WithTimeout(ctx, patience)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		done()
		cancel()
		stop()
		if started != nil && started.Process != nil {
			gone(t, started.Process.Pid)
		}
	})
	p := &tab{ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, p.heard))
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("file://"+file)))
	return p
}

// gone waits until nothing is left of a process group, and kills what stays.
func gone(t *testing.T, group int) {
	for deadline := time.Now().Add(patience); syscall.Kill(-group, 0) == nil; <-time.After(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = syscall.Kill(-group, syscall.SIGKILL)
			t.Errorf("processes of the browser did not end by themselves")
			return
		}
	}
}

func (p *tab) heard(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		p.asked = append(p.asked, ev.Request.URL)
	case *runtime.EventConsoleAPICalled:
		p.wrong = append(p.wrong, string(ev.Type))
	case *runtime.EventExceptionThrown:
		p.wrong = append(p.wrong, ev.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		p.wrong = append(p.wrong, ev.Entry.Text)
	}
}

// calm requires that the page asked for nothing but itself and that nothing
// went wrong in it.
func (p *tab) calm(t *testing.T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	require.Len(t, p.asked, 1, "the page itself: %v", p.asked)
	require.Empty(t, p.wrong)
}

// keys presses keys one after the other. A character comes with its key, as
// from a keyboard, so that a page that takes the key gets no character.
func (p *tab) keys(t *testing.T, keys string) {
	for _, r := range keys {
		events := kb.Encode(r)
		down, up := events[0], events[len(events)-1]
		for _, e := range events[1:] {
			if e.Type == input.DispatchKeyEventTypeChar {
				down.Text = e.Text
			}
		}
		down.Type = input.DispatchKeyEventTypeKeyDown
		for _, e := range []*input.DispatchKeyEventParams{down, up} {
			_, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, *e)
			require.NoError(t, err)
		}
	}
}

// value evaluates an expression in the page.
func value[T any](t *testing.T, p *tab, expression string) T {
	got, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	require.NoError(t, err, expression)
	return got
}

// scheme shows the page as one whose reader prefers that.
func (p *tab) scheme(t *testing.T, name string) {
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
	require.NoError(t, err)
}

// picture leaves a picture of the page, if somebody wants to look at it.
func (p *tab) picture(t *testing.T, name string) {
	dir := os.Getenv("PICTURES")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), data, 0o600))
}

// faint is a text that cannot be read well.
type faint struct {
	Text, Color, Behind string
	Ratio               float64
}

// legible requires that each text has a contrast of 4.5 at least (WCAG 2.2,
// success criterion 1.4.3), and that there are texts at all.
func (p *tab) legible(t *testing.T, scheme string) {
	p.scheme(t, scheme)
	got := value[struct {
		Seen  int
		Faint []faint
	}](t, p, contrast)
	require.Greater(t, got.Seen, 20)
	if len(got.Faint) > 0 {
		said, err := json.MarshalIndent(got.Faint, "", " ")
		require.NoError(t, err)
		require.Empty(t, got.Faint, "%s: %s", scheme, said)
	}
}
