package client_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// A stranger on the port gets a GET /ping and nothing else (AUTH-20, C28).
func TestStrangerLearnsNothing(t *testing.T) {
	answer := func(body string) func(net.Conn, *bufio.Reader) {
		return func(c net.Conn, r *bufio.Reader) {
			if _, err := http.ReadRequest(r); err == nil {
				_ = respond(c, "200 OK", []byte(body))
			}
			_, _ = io.Copy(io.Discard, r)
		}
	}
	omw := `{"name":"omw","version":"1","protocol":"omw.v1"`
	for name, tc := range map[string]struct {
		handle func(net.Conn, *bufio.Reader)
		code   protocol.Code
	}{
		"closes at once":        {func(net.Conn, *bufio.Reader) {}, protocol.NotConnected},
		"closes after reading":  {func(_ net.Conn, r *bufio.Reader) { _, _ = http.ReadRequest(r) }, protocol.NotConnected},
		"answers another thing": {answer("<html>hello</html>"), protocol.NotConnected},
		"answers an empty body": {answer(""), protocol.NotConnected},
		"is no omw":             {answer(`{"name":"other","protocol":"omw.v1"}`), protocol.NotConnected},
		"is another version":    {answer(`{"name":"omw","protocol":"omw.v2"}`), protocol.NotConnected},
		"has no proof":          {answer(omw + `}`), protocol.Unauthorized},
		"has an empty proof":    {answer(omw + `,"proof":""}`), protocol.Unauthorized},
		"has a wrong proof":     {answer(omw + `,"proof":"` + protocol.Proof(token, "another-nonce-0123456789") + `"}`), protocol.Unauthorized},
		"answers 404": {func(c net.Conn, r *bufio.Reader) {
			_, _ = http.ReadRequest(r)
			_ = respond(c, "404 Not Found", []byte("no"))
			_, _ = io.Copy(io.Discard, r)
		}, protocol.NotConnected},
		"redirects": {func(c net.Conn, r *bufio.Reader) {
			_, _ = http.ReadRequest(r)
			_, _ = io.WriteString(c, "HTTP/1.1 307 Temporary Redirect\r\nLocation: /command\r\nContent-Length: 0\r\n\r\n")
			_, _ = io.Copy(io.Discard, r)
		}, protocol.NotConnected},
		"speaks no HTTP": {func(c net.Conn, r *bufio.Reader) {
			_, _ = io.WriteString(c, "220 mail ready\r\n")
			_, _ = io.Copy(io.Discard, r)
		}, protocol.NotConnected},
		"sends without end": {func(c net.Conn, r *bufio.Reader) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
			for {
				if _, err := io.WriteString(c, strings.Repeat("x", 4096)); err != nil {
					return
				}
			}
		}, protocol.NotConnected},
		"sends more behind": {func(c net.Conn, r *bufio.Reader) {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			var b strings.Builder
			body := pong(token, req)
			b.WriteString("HTTP/1.1 200 OK\r\nContent-Length: ")
			b.WriteString(itoa(len(body)))
			b.WriteString("\r\n\r\n" + string(body) + "HTTP/1.1 200 OK\r\n\r\n")
			_, _ = io.WriteString(c, b.String())
			_, _ = io.Copy(io.Discard, r)
		}, protocol.NotConnected},
		"will close": {func(c net.Conn, r *bufio.Reader) {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			body := pong(token, req)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "+itoa(len(body))+"\r\n\r\n"+string(body))
			_, _ = io.Copy(io.Discard, r)
		}, protocol.NotConnected},
	} {
		t.Run(name, func(t *testing.T) {
			ln := listen(t, tc.handle)
			c := dial(t, ln.addr())
			_, err := c.Do(within(t, 10*time.Second), client.Command{Action: "click", Args: map[string]string{"ref": "e1"}})
			e := wire(t, err)
			require.Equal(t, tc.code, e.Code, e.Message)
			require.Equal(t, protocol.DeliveredNo, e.Delivered)
			_, err = c.Status(within(t, 10*time.Second))
			require.Equal(t, tc.code, wire(t, err).Code)
			_, err = c.RotateToken(within(t, 10*time.Second))
			require.Equal(t, tc.code, wire(t, err).Code)

			got := ln.received()
			require.NotContains(t, got, token)
			require.NotContains(t, got, "Authorization")
			require.NotContains(t, got, "click")
			require.NotContains(t, got, "POST")
		})
	}
}

// The proof is asked for on every connection, not once an address: the daemon
// may end and somebody else take its port.
func TestProofOnEveryConnection(t *testing.T) {
	daemon := listen(t, func(c net.Conn, r *bufio.Reader) {
		if prove(c, r) != nil {
			return
		}
		if _, err := readCommand(r); err == nil {
			_ = respond(c, "200 OK", []byte(`{"id":"1","ok":true,"data":{}}`))
		}
	})
	stranger := listen(t, func(_ net.Conn, r *bufio.Reader) { _, _ = io.Copy(io.Discard, r) })
	var dialled atomic.Int32
	c, err := client.New(client.Options{Addr: "127.0.0.1:1", Token: token, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		to := daemon.addr()
		if dialled.Add(1) > 1 {
			to = stranger.addr()
		}
		return new(net.Dialer).DialContext(ctx, network, to)
	}})
	require.NoError(t, err)
	defer c.Close()

	_, err = c.Do(within(t, 10*time.Second), client.Command{Action: "back"})
	require.NoError(t, err)
	c.Close()
	_, err = c.Do(within(t, time.Second), client.Command{Action: "forward"})
	require.Equal(t, protocol.DeliveredNo, wire(t, err).Delivered)
	require.NotContains(t, stranger.received(), token)
	require.Contains(t, stranger.received(), "GET /ping?nonce=")
	require.Contains(t, daemon.received(), token)
}

// The nonce is new each time, so that an old proof shows nothing, and as long
// as the daemon asks.
func TestNonceIsFresh(t *testing.T) {
	nonces := map[string]bool{}
	ln := listen(t, func(c net.Conn, r *bufio.Reader) {
		_, _ = http.ReadRequest(r)
	})
	c := dial(t, ln.addr())
	for range 5 {
		_, _ = c.Ping(within(t, 5*time.Second))
	}
	l := protocol.DefaultLimits()
	for line := range strings.SplitSeq(ln.received(), "\r\n") {
		if _, nonce, ok := strings.Cut(line, "GET /ping?nonce="); ok {
			nonce, _, _ = strings.Cut(nonce, " ")
			nonces[nonce] = true
			require.GreaterOrEqual(t, len(nonce), l.NonceMin)
			require.LessOrEqual(t, len(nonce), l.NonceMax)
		}
	}
	require.Len(t, nonces, 5)
}

// A peer that says nothing is given up after five seconds, and one that says it
// is busy is told apart from a stranger.
func TestBusyDaemonIsNoStranger(t *testing.T) {
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, protocol.Errorf(protocol.Busy, "full"))
	}))
	_, err := c.Do(within(t, 5*time.Second), client.Command{Action: "back"})
	require.Equal(t, protocol.Busy, wire(t, err).Code)
	require.Equal(t, protocol.DeliveredNo, wire(t, err).Delivered)
}

// The token stands in one header line of a request and nowhere else (AUTH-03).
func TestTokenInOneHeaderAlone(t *testing.T) {
	ln := listen(t, func(c net.Conn, r *bufio.Reader) {
		if prove(c, r) != nil {
			return
		}
		for {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, req.Body)
			body := `{"id":"1","ok":true,"data":{}}`
			if req.URL.Path == "/admin/token" {
				body = `{"token":"` + token + `"}`
			}
			if respond(c, "200 OK", []byte(body)) != nil {
				return
			}
		}
	})
	c := dial(t, ln.addr())
	ctx := within(t, 10*time.Second)
	_, err := c.Do(ctx, client.Command{Action: "click", Args: map[string]string{"ref": "e1"}, Session: "shop", ID: "7"})
	require.NotNil(t, err) // the answer is for another id
	_, err = c.Status(ctx)
	require.NoError(t, err)
	_, err = c.RotateToken(ctx)
	require.NoError(t, err)
	_, err = c.OpenPairing(ctx)
	require.NoError(t, err)

	got := ln.received()
	require.Equal(t, 4, strings.Count(got, token))
	require.Equal(t, 4, strings.Count(got, "\r\nAuthorization: Bearer "+token+"\r\n"))
	require.NotContains(t, strings.ToLower(got), "cookie")
}

func TestWithoutTokenNothingIsAsked(t *testing.T) {
	ln := listen(t, func(c net.Conn, r *bufio.Reader) { _ = prove(c, r) })
	c, err := client.New(client.Options{Addr: ln.addr()})
	require.NoError(t, err)
	_, err = c.Do(within(t, 5*time.Second), client.Command{Action: "back"})
	require.Equal(t, protocol.Unauthorized, wire(t, err).Code)
	require.Empty(t, ln.received())

	p, err := c.Ping(within(t, 5*time.Second))
	require.NoError(t, err)
	require.Equal(t, client.Pong{Name: "omw", Version: "1.2.3", Protocol: protocol.Version}, p)
}

// A proof made with the empty token shows nothing, since everybody can make it.
func TestEmptyTokenIsNeverProven(t *testing.T) {
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(pong("", r)) }))
	without, err := client.New(client.Options{Addr: c.Addr()})
	require.NoError(t, err)
	p, err := without.Ping(within(t, 5*time.Second))
	require.NoError(t, err)
	require.False(t, p.Proven)
}

func TestPingProves(t *testing.T) {
	p, err := serve(t, proving(nil)).Ping(within(t, 5*time.Second))
	require.NoError(t, err)
	require.Equal(t, client.Pong{Name: "omw", Version: "1.2.3", Protocol: protocol.Version, Proven: true}, p)
}

func TestNobodyListens(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, ln.Close())
	c := dial(t, ln.Addr().String())
	_, err = c.Do(within(t, 5*time.Second), client.Command{Action: "back"})
	e := wire(t, err)
	require.Equal(t, protocol.NotConnected, e.Code)
	require.Equal(t, protocol.DeliveredNo, e.Delivered)
	require.Contains(t, e.Message, "omw serve")
	require.Contains(t, e.Message, ln.Addr().String())
	_, err = c.Ping(within(t, 5*time.Second))
	require.Equal(t, protocol.NotConnected, wire(t, err).Code)
}

// The token must not leave the machine.
func TestAddressIsThisMachine(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:1", "127.0.0.1:17373", "127.0.0.1:65535"} {
		_, err := client.New(client.Options{Addr: addr, Token: token})
		require.NoError(t, err, addr)
	}
	for _, addr := range []string{
		"localhost:17373", "0.0.0.0:17373", "[::1]:17373", "127.0.0.2:17373", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0",
		"127.0.0.1:65536", "127.0.0.1:http", "127.1:17373", "evil.example:17373", ":17373", "http://127.0.0.1:17373", "127.0.0.1:17373/x",
	} {
		_, err := client.New(client.Options{Addr: addr, Token: token})
		require.Error(t, err, addr)
	}
	c, err := client.New(client.Options{})
	require.NoError(t, err)
	require.Equal(t, protocol.DefaultAddr, c.Addr())
}
