package chrome_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// rig is a daemon, a browser that is paired with it, and an agent.
type rig struct {
	*daemon
	*browser
	agent *client.Client
}

// newRig starts all three and pairs them through the setup page.
func newRig(t *testing.T) *rig {
	r := &rig{daemon: startDaemon(t), browser: startBrowser(t)}
	r.agent = r.daemon.client(t)
	r.pair(t, r.agent)
	return r
}

// pair does what a person does: opens the setup page, enters the address and the
// code, which somebody else has made.
func (r *rig) pair(t *testing.T, somebody *client.Client) {
	page := r.setup(t)
	code, err := somebody.OpenPairing(in(t, context.Background()))
	require.NoError(t, err)
	ctx := in(t, page)
	require.NoError(t, chromedp.Do(
		ctx,
		chromedp.SetValue(chromedp.CSS("#address"), r.addr),
		chromedp.Click(chromedp.CSS("#place button")),
		chromedp.WaitVisible(chromedp.CSS("#address-result.done")),
		chromedp.SendKeys(chromedp.CSS("#code"), code.Code),
		chromedp.Click(chromedp.CSS("#redeem")),
		chromedp.WaitVisible(chromedp.CSS("#card[data-phase=connected]")),
	), "the setup page pairs")
	require.NoError(t, chromedp.Cancel(page))
}

// connected waits until the daemon has Chrome.
func (r *rig) connected(t *testing.T) client.DaemonStatus {
	var status client.DaemonStatus
	eventually(t, "the connection of the extension", func() bool {
		var err error
		status, err = r.agent.Status(in(t, context.Background()))
		return err == nil && status.Browsers["chrome"].Connected
	})
	return status
}

// stopped stops the worker and returns a function that waits for the next one's
// connection: until the daemon has seen the end of the old one, it takes that
// for good.
func (r *rig) stopped(t *testing.T) (again func() client.DaemonStatus) {
	before := r.links()
	r.stopWorker(t)
	return func() client.DaemonStatus {
		eventually(t, "another connection of the extension", func() bool { return r.links() > before })
		return r.connected(t)
	}
}

// links is how many connections of extensions the daemon has had.
func (r *rig) links() int { return strings.Count(r.log.String(), `"msg":"extension connected"`) }

// session is an agent's session, and what its commands mean for a test.
type session struct {
	client.Session
	t *testing.T
}

func (r *rig) session(t *testing.T, name string) session {
	return session{r.agent.Session(name).Within(patience), t}
}

// ctx leaves a command more time than the session gives it, so that what it says of
// time is always the same.
func (s session) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	s.t.Cleanup(cancel)
	return ctx
}

func (s session) open(url string) client.NavigateData {
	s.t.Helper()
	data, err := s.Navigate(s.ctx(), client.NavigateArgs{URL: url})
	require.NoError(s.t, err)
	return data
}

func (s session) read() page {
	s.t.Helper()
	data, err := s.Snapshot(s.ctx(), client.SnapshotArgs{})
	require.NoError(s.t, err)
	return page{s, data}
}

func (s session) eval(code string) string {
	s.t.Helper()
	data, err := s.Evaluate(s.ctx(), client.EvaluateArgs{Code: code})
	require.NoError(s.t, err)
	return string(data.Value)
}

// neverShown requires that the session's current tab is in the background.
func (s session) neverShown() {
	s.t.Helper()
	tabs, err := s.Tabs(s.ctx(), client.TabsArgs{})
	require.NoError(s.t, err)
	for _, tab := range tabs.Tabs {
		require.False(s.t, tab.Active, "nobody raised the tab (TAB-10)")
	}
}

// refused requires that a command failed with a code.
func refused(t *testing.T, code protocol.Code, err error) *protocol.Error {
	t.Helper()
	var e *protocol.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, code, e.Code, e.Message)
	return e
}

// serve serves a page's HTML, at /.
func serve(t *testing.T, h http.Handler) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// html is a page that is always the same.
func html(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><html lang=en><meta charset=utf-8>" + text))
	})
}
