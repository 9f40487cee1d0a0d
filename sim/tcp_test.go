package sim

import (
	"errors"
	"net"
	"net/http"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Both actors work over TCP and the clock of the wall.
func TestOverTCP(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d := &fakeDaemon{t: t, token: testToken, links: make(chan *fakeLink, 1), end: make(chan error, 1)}
	d.srv = &http.Server{Handler: d}
	go func() { d.end <- d.srv.Serve(ln) }()
	defer d.close()

	var dialer net.Dialer
	b := New(Config{Dial: dialer.DialContext, Addr: ln.Addr().String(), Token: testToken, Profile: Firefox})
	defer b.Close()
	require.NoError(t, b.Connect(t.Context()))
	l := <-d.links
	l.next(t)
	l.command("1", "s", "click", `{}`, minute)
	require.Equal(t, "1 ok", l.code(t))
	b.StopReading()
	b.ResumeReading()
	l.command("2", "s", "click", `{}`, minute)
	require.Equal(t, "2 ok", l.code(t))
	b.Reset()
	<-l.over
	require.True(t, errors.Is(l.err, syscall.ECONNRESET), "%v", l.err)

	a := &Agent{Dial: dialer.DialContext, Addr: ln.Addr().String()}
	resp, err := a.Send(t.Context(), Get("/ping?nonce=x"))
	require.NoError(t, err)
	require.Equal(t, 200, resp.Status)
	require.Contains(t, string(resp.Body), protocol.Proof(testToken, "x"))
}
