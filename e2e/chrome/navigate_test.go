package chrome_test

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func navigates(t *testing.T, r *rig) {
	mux := http.NewServeMux()
	mux.Handle("/", html(`<title>Home</title><a href="#part">Part</a>`))
	mux.Handle("/moved", http.RedirectHandler("/there", http.StatusFound))
	mux.Handle("/there", html(`<title>There</title>`))
	mux.HandleFunc("/missing", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		html(`<title>Missing</title>`).ServeHTTP(w, r)
	})
	mux.HandleFunc("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.Handle("/script", html(`<title>First</title><script>location.replace("/there")</script>`))
	never := make(chan struct{})
	defer close(never)
	mux.HandleFunc("/never", func(http.ResponseWriter, *http.Request) { <-never })
	mux.Handle("/slow", html(`<title>Slow</title><img src=/never>`))
	url := serve(t, mux)
	s := r.session(t, "goes")

	for path, want := range map[string]client.NavigateData{
		"":        {URL: url, Title: "Home", Status: new(int64(200))},
		"moved":   {URL: url + "there", Title: "There", Status: new(int64(200))},
		"missing": {URL: url + "missing", Title: "Missing", Status: new(int64(404))},
		"script":  {URL: url + "there", Title: "There", Status: new(int64(200))},
	} {
		got := s.open(url + path)
		want.Tab = got.Tab
		require.Equal(t, want, got, path)
	}

	home := s.open(url)
	s.eval("mark = 1")
	part := s.open(url + "#part")
	require.Equal(t, url+"#part", part.URL)
	require.Equal(t, home.Tab, part.Tab, "the session keeps its tab")
	require.Equal(t, `1`, s.eval("mark"), "the document stays")

	nothing := s.open(url + "nothing")
	require.True(t, nothing.NoContent)
	require.Equal(t, `1`, s.eval("mark"), "the old page stands")

	slow, err := s.Navigate(s.ctx(), client.NavigateArgs{URL: url + "slow", Wait: client.NavigateWaitDOMContentLoaded})
	require.NoError(t, err)
	require.Equal(t, "Slow", slow.Title)
	_, err = s.Within(time.Second).Navigate(context.Background(), client.NavigateArgs{URL: url + "slow"})
	refused(t, protocol.OutcomeUnknown, err)
	require.Equal(t, "Home", s.open(url).Title, "and then it goes on")

	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	for _, bad := range []string{"http://" + closed.Addr().String() + "/", "http://no-such-host.invalid/", "http://[/"} {
		_, err = s.Navigate(s.ctx(), client.NavigateArgs{URL: bad})
		refused(t, protocol.NavigationFailed, err)
	}
	_, err = s.Navigate(s.ctx(), client.NavigateArgs{URL: "javascript:alert(1)"})
	refused(t, protocol.BadRequest, err)
	for _, own := range []string{"chrome://settings/", "devtools://devtools/bundled/inspector.html", "view-source:" + url} {
		_, err = s.Navigate(s.ctx(), client.NavigateArgs{URL: own})
		refused(t, protocol.Permission, err)
	}
	require.Equal(t, home.Tab, s.open(url).Tab, "the tab is still there")
}

func travels(t *testing.T, r *rig) {
	mux := http.NewServeMux()
	mux.Handle("/1", html(`<title>One</title><a href="/2">Two</a>`))
	mux.Handle("/2", html(`<title>Two</title>`))
	url := serve(t, mux)
	s := r.session(t, "travels")
	s.open(url + "1")
	s.read().click("link", "Two")
	require.Equal(t, "Two", s.read().Title, "a click waits for the page that it leads to")
	back, err := s.Back(s.ctx(), client.BackArgs{})
	require.NoError(t, err)
	require.Equal(t, url+"1", back.URL)
	require.Equal(t, "One", back.Title)
	forward, err := s.Forward(s.ctx(), client.ForwardArgs{})
	require.NoError(t, err)
	require.Equal(t, "Two", forward.Title)
	end, err := s.Forward(s.ctx(), client.ForwardArgs{})
	require.NoError(t, err)
	require.Equal(t, "Two", end.Title, "at the end it stays")
	s.eval("mark = 1")
	again, err := s.Reload(s.ctx(), client.ReloadArgs{})
	require.NoError(t, err)
	require.Equal(t, "Two", again.Title)
	require.Equal(t, `"undefined"`, s.eval("typeof mark"))
}
