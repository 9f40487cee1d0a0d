package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/state"
	"github.com/oh-my-webbridge/omw/sim"
)

// connected runs the daemon with a simulated browser, and returns the SDK's way
// to it.
func connected(t *testing.T, cfg sim.Config) (*client.Client, *sim.Browser) {
	t.Helper()
	dir := t.TempDir()
	d, err := daemon.New(daemon.Config{Dir: dir, Version: "0"})
	require.NoError(t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, ln) }()
	token, err := state.ReadToken(dir)
	require.NoError(t, err)
	c, err := client.New(client.Options{Addr: ln.Addr().String(), Token: token})
	require.NoError(t, err)
	cfg.Dial, cfg.Addr, cfg.Token = (&net.Dialer{}).DialContext, ln.Addr().String(), token
	b := sim.New(cfg)
	t.Cleanup(func() {
		c.Close()
		require.NoError(t, b.Close())
		cancel()
		require.NoError(t, <-served)
	})
	wait, done := context.WithTimeout(t.Context(), patience)
	defer done()
	require.NoError(t, b.Connect(wait))
	return c, b
}

// The SDK drives a page through the daemon, with the data that the browser gave.
func TestSDKDrivesAPage(t *testing.T) {
	c, b := connected(t, sim.Config{StrictTabs: true})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	shop := c.Session("shop")
	_, err := shop.Snapshot(ctx, client.SnapshotArgs{})
	require.Equal(t, protocol.NoTab, protocol.AsError(err).Code)

	page, err := shop.Navigate(ctx, client.NavigateArgs{URL: "https://example.com/"})
	require.NoError(t, err)
	require.Equal(t, "https://example.com/", page.URL)
	require.EqualValues(t, 200, *page.Status)
	snap, err := shop.Snapshot(ctx, client.SnapshotArgs{Interactive: true})
	require.NoError(t, err)
	require.Contains(t, snap.Text, "[ref=e1]")
	_, err = shop.Click(ctx, client.ClickArgs{Ref: "@e1"})
	require.NoError(t, err)
	_, err = shop.Type(ctx, client.TypeArgs{Ref: "@e2", Text: "a\u2028<b>&\"é日🙂"})
	require.NoError(t, err)
	typed := b.Starts()[len(b.Starts())-1]
	text, _ := protocol.StringArg(typed.Args, "text")
	require.Equal(t, "a\u2028<b>&\"é日🙂", text)

	path := filepath.Join(t.TempDir(), "shot.png")
	shot, err := shop.Screenshot(ctx, client.ScreenshotArgs{Path: path})
	require.NoError(t, err)
	require.Equal(t, path, shot.Path)
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	require.EqualValues(t, len(file), *shot.Bytes)
	inline, err := shop.Screenshot(ctx, client.ScreenshotArgs{})
	require.NoError(t, err)
	picture, err := inline.Picture()
	require.NoError(t, err)
	require.Equal(t, file, picture)

	tabs, err := shop.Tabs(ctx, client.TabsArgs{})
	require.NoError(t, err)
	require.Len(t, tabs.Tabs, 1)
	require.Equal(t, page.Tab, tabs.Tabs[0].Tab)
	_, err = shop.Reload(ctx, client.ReloadArgs{Tab: new(page.Tab + 1)})
	require.Equal(t, protocol.TabGone, protocol.AsError(err).Code)
	status, err := shop.Status(ctx)
	require.NoError(t, err)
	require.Equal(t, protocol.Chrome, status.Browser)
	_, err = shop.On(protocol.Firefox).Reload(ctx, client.ReloadArgs{})
	require.Equal(t, protocol.SessionBound, protocol.AsError(err).Code)
	closed, err := shop.CloseSession(ctx)
	require.NoError(t, err)
	require.Equal(t, []int64{page.Tab}, closed.Closed)
}

// An answer that is too large for one message travels as an artifact and
// arrives whole.
func TestSDKReadsLargeAnswers(t *testing.T) {
	value := strings.Repeat("0123456789abcdef", 5<<16)
	c, _ := connected(t, sim.Config{Respond: func(context.Context, sim.Start) sim.Reply {
		return sim.Data(`{"value":"` + value + `"}`)
	}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	d, err := c.Session("").Evaluate(ctx, client.EvaluateArgs{Code: "document.body.innerText"})
	require.NoError(t, err)
	require.Equal(t, len(value)+2, len(d.Value))
	require.True(t, string(d.Value[1:len(d.Value)-1]) == value)
}

// The click runs once, whatever becomes of its answer (C37).
func TestSDKSendsOnce(t *testing.T) {
	c, b := connected(t, sim.Config{Faults: []sim.Rule{{Fault: sim.NeverReply{}, On: sim.ByAction("click")}}})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	start := time.Now()
	_, err := c.Session("a").Within(time.Second).Click(ctx, client.ClickArgs{Ref: "e1"})
	e := protocol.AsError(err)
	require.Equal(t, protocol.OutcomeUnknown, e.Code)
	require.NotErrorIs(t, err, context.DeadlineExceeded, "the daemon answered, before the client gave up")
	require.GreaterOrEqual(t, time.Since(start), 700*time.Millisecond)
	require.Equal(t, 1, b.StartsOf(sim.ByAction("click")))

	impatient, stop := context.WithCancel(ctx)
	go func() {
		_, _ = b.Await(ctx, sim.AllOf(sim.ByAction("click"), sim.BySession("b")))
		stop()
	}()
	_, err = c.Session("b").Click(impatient, client.ClickArgs{Ref: "e1"})
	require.Equal(t, protocol.OutcomeUnknown, protocol.AsError(err).Code)
	require.ErrorIs(t, err, context.Canceled)

	// A probe behind them: it alone comes.
	_, err = c.Session("c").Evaluate(ctx, client.EvaluateArgs{Code: "1"})
	require.NoError(t, err)
	require.Equal(t, 2, b.StartsOf(sim.ByAction("click")))
	require.Len(t, b.Starts(), 3)
}

// Each action that the simulated pages know answers what its type can read.
func TestSDKReadsWhatTheBrowserAnswers(t *testing.T) {
	c, _ := connected(t, sim.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := c.Session("all")
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(file, []byte("a"), 0o600))
	for name, call := range map[string]func() error{
		"navigate":   func() error { _, err := s.Navigate(ctx, client.NavigateArgs{URL: "https://a.example"}); return err },
		"back":       func() error { _, err := s.Back(ctx, client.BackArgs{}); return err },
		"forward":    func() error { _, err := s.Forward(ctx, client.ForwardArgs{}); return err },
		"hover":      func() error { _, err := s.Hover(ctx, client.HoverArgs{Ref: "e1"}); return err },
		"focus":      func() error { _, err := s.Focus(ctx, client.FocusArgs{Ref: "e1"}); return err },
		"press":      func() error { _, err := s.Press(ctx, client.PressArgs{Key: "Enter"}); return err },
		"dblclick":   func() error { _, err := s.DblClick(ctx, client.DblClickArgs{Ref: "e1"}); return err },
		"select":     func() error { _, err := s.Select(ctx, client.SelectArgs{Ref: "e1", Values: []string{"a"}}); return err },
		"check":      func() error { _, err := s.Check(ctx, client.CheckArgs{Ref: "e1"}); return err },
		"scroll":     func() error { _, err := s.Scroll(ctx, client.ScrollArgs{To: "e1"}); return err },
		"drag":       func() error { _, err := s.Drag(ctx, client.DragArgs{From: "e1", To: "e2"}); return err },
		"upload":     func() error { _, err := s.Upload(ctx, client.UploadArgs{Ref: "e1", Files: []string{file}}); return err },
		"evaluate":   func() error { _, err := s.Evaluate(ctx, client.EvaluateArgs{Code: "1"}); return err },
		"frame":      func() error { _, err := s.Frame(ctx, client.FrameArgs{}); return err },
		"wait":       func() error { _, err := s.Wait(ctx, client.WaitArgs{Text: "Go"}); return err },
		"extract":    func() error { _, err := s.Extract(ctx, client.ExtractArgs{}); return err },
		"pdf":        func() error { _, err := s.PDF(ctx, client.PDFArgs{Path: filepath.Join(dir, "a.pdf")}); return err },
		"network":    func() error { _, err := s.Network(ctx, client.NetworkList{}); return err },
		"console":    func() error { _, err := s.Console(ctx, client.ConsoleList{}); return err },
		"presets":    func() error { _, err := s.Presets(ctx, client.PresetsList{}); return err },
		"headers":    func() error { _, err := s.Headers(ctx, client.HeadersList{}); return err },
		"cookies":    func() error { _, err := s.Cookies(ctx, client.CookiesGet{}); return err },
		"downloads":  func() error { _, err := s.Downloads(ctx, client.DownloadsList{}); return err },
		"sessions":   func() error { _, err := s.Sessions(ctx); return err },
		"cdp":        func() error { _, err := s.CDP(ctx, client.CDPArgs{Method: "Page.enable"}); return err },
		"cdp_detach": func() error { _, err := s.CDPDetach(ctx, client.CDPDetachArgs{}); return err },
	} {
		t.Run(name, func(t *testing.T) { require.NoError(t, call()) })
	}
	pdf, err := os.ReadFile(filepath.Join(dir, "a.pdf"))
	require.NoError(t, err)
	require.NotEmpty(t, pdf)
}
