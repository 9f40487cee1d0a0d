package chrome_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/e2e/shop"
)

// Chrome stops the worker whenever it likes. What it knew is still known: tabs,
// references, and what stood in the page (LIFE-06, LIFE-07).
func TestTheWorkerIsStopped(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tea := shop.New()
	s := r.session(t, "tea")
	s.open(serve(t, tea) + "checkout")
	form := s.read()
	form.fill("textbox", "Name", "Karen")

	status := r.stopped(t)()
	require.Contains(t, status.Sessions, "tea", "hello names the session")
	form.fill("textbox", "Email", "karen@example.com")
	after := s.read()
	require.Contains(t, after.Text, ": Karen")
	require.Equal(t, form.ref("textbox", "Name"), after.ref("textbox", "Name"))

	again := r.stopped(t)
	r.wake(t)
	again()
	tabs, err := s.Tabs(s.ctx(), client.TabsArgs{})
	require.NoError(t, err)
	require.Len(t, tabs.Tabs, 1)
	closed, err := s.CloseSession(s.ctx())
	require.NoError(t, err)
	require.Equal(t, []int64{tabs.Tabs[0].Tab}, closed.Closed)
}

// Without a tab to drive no event of a page starts the worker: the alarm does
// (LIFE-03).
func TestTheAlarmBringsTheLinkBack(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.stopped(t)()
}

// A command that runs while the worker is stopped is outcome_unknown at once, and
// the session goes on.
func TestTheWorkerIsStoppedInTheMiddleOfACommand(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	begun := make(chan struct{}, 8)
	mux := http.NewServeMux()
	mux.Handle("/", html(`<title>Middle</title>`))
	mux.HandleFunc("/begun", func(http.ResponseWriter, *http.Request) { begun <- struct{}{} })
	s := r.session(t, "middle")
	s.open(serve(t, mux))
	failed := make(chan error, 1)
	go func() {
		_, err := s.Evaluate(context.Background(), client.EvaluateArgs{Code: `fetch("/begun").then(() => new Promise(() => {}))`})
		failed <- err
	}()
	receive(t, "the start of the command", begun)
	began := time.Now()
	again := r.stopped(t)
	refused(t, protocol.OutcomeUnknown, receive(t, "the answer", failed))
	require.Less(t, time.Since(began), 5*time.Second, "long before its deadline")
	r.wake(t)
	again()
	require.Equal(t, `"Middle"`, s.eval("document.title"))
	require.Empty(t, begun, "nothing runs twice")
}

// A dialog that is open when the worker is stopped is dismissed, and the next
// answer says so: a tab that is detached with one open would be lost.
func TestTheWorkerIsStoppedWithADialogOpen(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	s := r.session(t, "asks")
	s.open(serve(t, html(asks)))
	s.read().click("button", "Sell")
	again := r.stopped(t)
	r.wake(t)
	again()
	next, err := s.Evaluate(s.ctx(), client.EvaluateArgs{Code: "answer"})
	require.NoError(t, err)
	require.Equal(t, `false`, string(next.Value))
	require.Equal(t, &client.Dialog{Type: "confirm", Message: "Sell it all?", Dismissed: true}, next.Dialog)
	next, err = s.Evaluate(s.ctx(), client.EvaluateArgs{Code: "1"})
	require.NoError(t, err)
	require.Nil(t, next.Dialog, "it is said once")
}

// The daemon is restarted: the link comes back by itself and the session goes on in
// its tab.
func TestTheDaemonIsRestarted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	s := r.session(t, "restart")
	before := s.open(serve(t, html(`<title>Restart</title><button>Stay</button>`)))
	p := s.read()
	r.daemon.stop(t)
	had := r.links()
	r.daemon.start(t)
	eventually(t, "the next connection", func() bool { return r.links() > had })
	status := r.connected(t)
	require.Contains(t, status.Sessions, "restart")
	p.click("button", "Stay")
	tabs, err := s.Tabs(s.ctx(), client.TabsArgs{})
	require.NoError(t, err)
	require.Equal(t, before.Tab, tabs.Tabs[0].Tab)
}

// The setup page shows the state as it is, and why there is no connection.
func TestTheSetupPageSaysWhy(t *testing.T) {
	t.Parallel()
	r := &rig{daemon: startDaemon(t), browser: startBrowser(t)}
	r.agent = r.daemon.client(t)
	page := r.setup(t)
	says := func(selector, want string) {
		t.Helper()
		var text string
		eventually(t, "the setup page saying "+want, func() bool {
			said, err := chromedp.Run(in(t, page), chromedp.TextContent(chromedp.CSS(selector)))
			if said != text {
				text = said
				t.Logf("the setup page says %q", text)
			}
			return err == nil && text == want
		})
	}
	says("#phase", "Not paired")
	enter := func(code string) {
		require.NoError(t, chromedp.Do(
			in(t, page),
			chromedp.SetValue(chromedp.CSS("#code"), code),
			chromedp.Click(chromedp.CSS("#redeem")),
		))
	}
	enter("12345")
	says("#pair-result", "A pairing code is six digits.")
	place := func(addr string) {
		require.NoError(t, chromedp.Do(in(t, page), chromedp.SetValue(chromedp.CSS("#address"), addr), chromedp.Click(chromedp.CSS("#place button"))))
	}
	place("localhost:1")
	says("#address-result", "The daemon listens on this machine alone: 127.0.0.1, a colon and a port.")
	place(r.addr)
	says("#address-result", "Saved.")
	enter("000000")
	says("#pair-result", "That code is not valid: mistyped, used, or older than five minutes. Run omw pair for a new one.")

	// A guess a second is all that the daemon takes.
	code, err := r.agent.OpenPairing(in(t, context.Background()))
	require.NoError(t, err)
	eventually(t, "the pairing", func() bool {
		enter(code.Code[:3] + " " + code.Code[3:])
		text, err := chromedp.Run(in(t, page), chromedp.Poll[string](`(t => t !== '' && t)(document.getElementById('pair-result').textContent)`))
		return err == nil && text == "Paired."
	})
	r.connected(t)

	// Another token: the daemon does not know this browser any more.
	_, err = r.agent.RotateToken(in(t, context.Background()))
	require.NoError(t, err)
	says("#reason", "The daemon at "+r.addr+" does not know this browser. Pair again: run omw pair and enter its code.")
	says("#phase", "Not connected")
	r.daemon.stop(t)
	says("#reason", "No omw daemon answers at "+r.addr+". Start it with: omw serve")
}
