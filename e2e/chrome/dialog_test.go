package chrome_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const asks = `<title>Asks</title><button onclick="answer = confirm('Sell it all?')">Sell</button>
<button onclick="answer = prompt('Your name?', 'nobody')">Name</button><script>var answer = 'none'</script>`

// The command that raises a dialog says so, others fail at once until it is
// answered, and a tab that was never shown goes on behind it.
func answersADialog(t *testing.T, r *rig) {
	s := r.session(t, "asks")
	s.open(serve(t, html(asks)))
	p := s.read()

	clicked, err := s.Click(s.ctx(), client.ClickArgs{Ref: p.ref("button", "Sell")})
	require.NoError(t, err)
	require.Equal(t, &client.Dialog{Type: "confirm", Message: "Sell it all?"}, clicked.Dialog)

	began := time.Now()
	_, err = s.Snapshot(s.ctx(), client.SnapshotArgs{})
	require.Contains(t, refused(t, protocol.DialogOpen, err).Message, `"Sell it all?"`)
	_, err = s.CloseTab(s.ctx(), client.CloseTabArgs{})
	refused(t, protocol.DialogOpen, err)
	require.Less(t, time.Since(began), 2*time.Second, "they fail at once")

	answered, err := s.Dialog(s.ctx(), client.DialogArgs{Accept: true})
	require.NoError(t, err)
	require.Equal(t, client.DialogData{Type: "confirm", Message: "Sell it all?"}, answered)
	require.Equal(t, `true`, s.eval("answer"))

	_, err = s.Click(s.ctx(), client.ClickArgs{Ref: p.ref("button", "Name")})
	require.NoError(t, err)
	_, err = s.Dialog(s.ctx(), client.DialogArgs{Accept: true, Text: new("Karen")})
	require.NoError(t, err)
	require.Equal(t, `"Karen"`, s.eval("answer"))

	_, err = s.Dialog(s.ctx(), client.DialogArgs{Accept: true})
	refused(t, protocol.NotFound, err)

	raised, err := s.Evaluate(s.ctx(), client.EvaluateArgs{Code: `alert("from code")`})
	require.NoError(t, err)
	require.Equal(t, &client.Dialog{Type: "alert", Message: "from code"}, raised.Dialog)
	closed, err := s.CloseSession(s.ctx())
	require.NoError(t, err)
	require.Len(t, closed.Closed, 1, "an open dialog does not keep a session open")
}

// A page that asks before it is left is closed all the same.
func closesAPageThatAsksToStay(t *testing.T, r *rig) {
	s := r.session(t, "stay")
	s.open(serve(t, html(`<button onclick="addEventListener('beforeunload', e => e.preventDefault())">Edit</button>`)))
	s.read().click("button", "Edit")
	closed, err := s.CloseSession(s.ctx())
	require.NoError(t, err)
	require.Len(t, closed.Closed, 1)
	all, err := r.session(t, "other").Tabs(s.ctx(), client.TabsArgs{All: true})
	require.NoError(t, err)
	for _, tab := range all.Tabs {
		require.NotEqual(t, closed.Closed[0], tab.Tab, "the tab is gone")
	}
}

// A dialog during loading does not keep navigate waiting.
func loadsAPageThatGreets(t *testing.T, r *rig) {
	s := r.session(t, "greets")
	data := s.open(serve(t, html(`<title>Greets</title><script>alert("Welcome")</script>`)))
	require.Equal(t, &client.Dialog{Type: "alert", Message: "Welcome"}, data.Dialog)
	_, err := s.Dialog(s.ctx(), client.DialogArgs{Accept: true})
	require.NoError(t, err)
	require.Equal(t, `"Greets"`, s.eval("document.title"))
}

// A dialog that opened while no debugger was there to see it cannot be answered;
// commands say so soon, and the tab can be closed.
func TestADialogThatNobodyWatched(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ask, asking := make(chan struct{}, 1), make(chan struct{}, 1)
	mux := http.NewServeMux()
	mux.Handle("/", html(`<title>Waits</title><script>(async () => {
for (;;) { await fetch("/wait"); navigator.sendBeacon("/asking"); confirm("Still there?") }
})()</script>`))
	mux.HandleFunc("/wait", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-ask:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/asking", func(http.ResponseWriter, *http.Request) { asking <- struct{}{} })
	s := r.session(t, "unwatched")
	tab := s.open(serve(t, mux)).Tab
	// In the background Chrome would answer it itself.
	_, err := s.SwitchTab(s.ctx(), client.SwitchTabArgs{Tab: tab})
	require.NoError(t, err)
	for range 5 {
		again := r.stopped(t)
		r.wake(t)
		again()
		ask <- struct{}{}
		receive(t, "the question", asking)
		began := time.Now()
		_, err = s.Evaluate(s.ctx(), client.EvaluateArgs{Code: "document.title"})
		if err != nil && strings.Contains(err.Error(), "nobody watched") {
			refused(t, protocol.DialogOpen, err)
			require.Less(t, time.Since(began), patience/2)
			left, err := s.CloseTab(s.ctx(), client.CloseTabArgs{})
			require.NoError(t, err)
			require.Empty(t, left.Tabs)
			return
		}
		// The command was faster than the dialog, which was watched then.
		eventually(t, "the dialog", func() bool {
			_, err := s.Dialog(s.ctx(), client.DialogArgs{Accept: true})
			return err == nil
		})
	}
	require.Fail(t, "the dialog was always watched")
}
