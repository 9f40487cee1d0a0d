package memnet

import (
	"context"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNobodyListens(t *testing.T) {
	n := New()
	_, err := n.DialContext(t.Context(), "tcp", "127.0.0.1:17373")
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	ln := n.Listen()
	require.NoError(t, ln.Close())
	_, err = n.DialContext(t.Context(), "tcp", "127.0.0.1:17373")
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

func TestOtherAddressesAreNotThere(t *testing.T) {
	n := New()
	n.Listen()
	for _, addr := range []string{"localhost:17373", "10.0.0.1:17373", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:65536"} {
		_, err := n.DialContext(t.Context(), "tcp", addr)
		require.Error(t, err, addr)
	}
	_, err := n.DialContext(t.Context(), "udp", "127.0.0.1:17373")
	require.ErrorIs(t, err, net.UnknownNetworkError("udp"))
}

func TestAPortIsTakenOnce(t *testing.T) {
	n := New()
	ln := n.Listen()
	_, err := n.ListenPort(Port)
	require.ErrorIs(t, err, syscall.EADDRINUSE)
	require.Panics(t, func() { n.Listen() })
	require.NoError(t, ln.Close())
	again, err := n.ListenPort(Port)
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:17373", again.Addr().String())
	free, err := n.ListenPort(0)
	require.NoError(t, err)
	require.NotEqual(t, again.Addr(), free.Addr())
}

func TestTheBacklogTakesConnections(t *testing.T) {
	n := New()
	ln := n.Listen()
	a, err := n.DialContext(t.Context(), "tcp", "127.0.0.1:17373")
	require.NoError(t, err)
	write(t, a, "early")
	b, err := ln.Accept()
	require.NoError(t, err)
	require.Equal(t, "early", read(t, b, 9))
}

func TestClosingResetsWhoWasNotAccepted(t *testing.T) {
	n := New()
	ln := n.Listen()
	a, err := n.DialContext(t.Context(), "tcp", "127.0.0.1:17373")
	require.NoError(t, err)
	require.NoError(t, ln.Close())
	_, err = a.Read(make([]byte, 1))
	require.ErrorIs(t, err, syscall.ECONNRESET)
	_, err = ln.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
	require.ErrorIs(t, ln.Close(), net.ErrClosed)
}

func TestClosingEndsAccept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := New().Listen()
		go func() {
			time.Sleep(time.Second)
			_ = ln.Close()
		}()
		_, err := ln.Accept()
		require.ErrorIs(t, err, net.ErrClosed)
	})
}

func TestAFullBacklogWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		ln := n.Listen()
		for range backlog {
			_, err := n.DialContext(t.Context(), "tcp", "127.0.0.1:17373")
			require.NoError(t, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := n.DialContext(ctx, "tcp", "127.0.0.1:17373")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = ln.Accept()
		require.NoError(t, err)
		_, err = n.DialContext(t.Context(), "tcp", "127.0.0.1:17373")
		require.NoError(t, err)
		_, err = n.DialContext(ctx, "tcp", "127.0.0.1:17373")
		require.ErrorIs(t, err, context.DeadlineExceeded, "a context that has ended connects nowhere")
	})
}

// A whole http.Server runs in a bubble: a handler of 30 s takes no time, and
// is asserted to the nanosecond.
func TestHTTPInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		ln := n.Listen()
		srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(30 * time.Second)
			_, _ = io.WriteString(w, r.RemoteAddr)
		})}
		served := make(chan error, 1)
		go func() { served <- srv.Serve(ln) }()
		client := &http.Client{Transport: &http.Transport{DialContext: n.DialContext}}

		began := time.Now()
		resp, err := client.Get("http://127.0.0.1:17373/")
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, "127.0.0.1:49152", string(body))
		require.Equal(t, 30*time.Second, time.Since(began))

		client.CloseIdleConnections()
		require.NoError(t, srv.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
}
