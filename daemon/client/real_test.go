package client_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/state"
)

// realDaemon runs the daemon itself, with nothing connected to it.
func realDaemon(t *testing.T) (addr, token string) {
	t.Helper()
	dir := t.TempDir()
	d, err := daemon.New(daemon.Config{Dir: dir, Version: "9.8.7"})
	require.NoError(t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-served)
	})
	token, err = state.ReadToken(dir)
	require.NoError(t, err)
	return ln.Addr().String(), token
}

func TestAgainstTheDaemon(t *testing.T) {
	addr, token := realDaemon(t)
	c, err := client.New(client.Options{Addr: addr, Token: token})
	require.NoError(t, err)
	defer c.Close()
	ctx := within(t, 20*time.Second)

	p, err := c.Ping(ctx)
	require.NoError(t, err)
	require.Equal(t, client.Pong{Name: "omw", Version: "9.8.7", Protocol: protocol.Version, Proven: true}, p)

	s, err := c.Status(ctx)
	require.NoError(t, err)
	require.Equal(t, "9.8.7", s.Version)
	require.Equal(t, addr, s.Addr)
	require.Equal(t, 1, s.Requests)
	require.False(t, s.Browsers[protocol.Chrome].Connected)
	require.Empty(t, s.Sessions)
	require.False(t, s.Pairing.Open)

	_, err = c.Session("shop").Click(ctx, client.ClickArgs{Ref: "@e5"})
	require.Equal(t, protocol.NotConnected, wire(t, err).Code)
	require.Equal(t, protocol.DeliveredNo, wire(t, err).Delivered)
	_, err = c.Session("shop").Click(ctx, client.ClickArgs{})
	require.Equal(t, protocol.BadRequest, wire(t, err).Code)
	require.Contains(t, wire(t, err).Message, "ref")
	_, err = c.Do(ctx, client.Command{Action: "fly"})
	require.Equal(t, protocol.BadRequest, wire(t, err).Code)
	_, err = c.Do(ctx, client.Command{Action: "back", Session: " shop"})
	require.Equal(t, protocol.BadRequest, wire(t, err).Code)
	a, err := c.Do(ctx, client.Command{Action: "back", ID: "my-id"})
	require.Equal(t, protocol.NotConnected, wire(t, err).Code)
	require.Equal(t, "my-id", a.ID)

	// A command of the largest size arrives whole: what is wrong with it is found.
	limit := int(protocol.DefaultLimits().Body)
	_, err = c.Do(ctx, client.Command{Action: "evaluate", Args: map[string]string{"code": strings.Repeat("x", limit-100)}})
	require.Equal(t, protocol.NotConnected, wire(t, err).Code)
}

func TestPairingAgainstTheDaemon(t *testing.T) {
	addr, token := realDaemon(t)
	c, err := client.New(client.Options{Addr: addr, Token: token})
	require.NoError(t, err)
	defer c.Close()
	ctx := within(t, 20*time.Second)

	p, err := c.OpenPairing(ctx)
	require.NoError(t, err)
	require.Regexp(t, `^[0-9]{6}$`, p.Code)
	require.InDelta(t, 5*time.Minute.Milliseconds(), p.ExpiresMS, 5000)
	require.Positive(t, p.ExpiresMS)
	s, err := c.Status(ctx)
	require.NoError(t, err)
	require.True(t, s.Pairing.Open)
	require.Equal(t, 5, s.Pairing.AttemptsLeft)

	const origin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/pair", strings.NewReader(`{"code":"`+p.Code+`"}`))
	require.NoError(t, err)
	req.Header.Set("Origin", origin)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode)
	http.DefaultClient.CloseIdleConnections()
	s, err = c.Status(ctx)
	require.NoError(t, err)
	require.False(t, s.Pairing.Open)
	require.Len(t, s.Pairing.Attempts, 1)
	require.Equal(t, origin, s.Pairing.Attempts[0].Origin)
	require.Equal(t, "redeemed", s.Pairing.Attempts[0].Outcome)
}

// After a rotation the client that made it goes on with the new token; one with
// the old token is refused, on a connection that it has and on a new one.
func TestRotationAgainstTheDaemon(t *testing.T) {
	addr, old := realDaemon(t)
	c, err := client.New(client.Options{Addr: addr, Token: old})
	require.NoError(t, err)
	defer c.Close()
	other, err := client.New(client.Options{Addr: addr, Token: old})
	require.NoError(t, err)
	defer other.Close()
	ctx := within(t, 20*time.Second)
	_, err = other.Status(ctx)
	require.NoError(t, err)

	token, err := c.RotateToken(ctx)
	require.NoError(t, err)
	require.NotEqual(t, old, token)
	_, err = c.Status(ctx)
	require.NoError(t, err)

	_, err = other.Status(ctx)
	require.Equal(t, protocol.Unauthorized, wire(t, err).Code)
	require.NotContains(t, err.Error(), "not sent", "it was sent: the connection was proven before the rotation")
	other.Close()
	_, err = other.Status(ctx)
	require.Equal(t, protocol.Unauthorized, wire(t, err).Code)
	require.Contains(t, err.Error(), "not sent")
}
