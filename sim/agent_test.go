package sim

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// served runs test with an Agent and what accepts its connections.
func served(t *testing.T, test func(t *testing.T, a *Agent, accept func() net.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		ln := n.Listen()
		defer ln.Close()
		test(t, &Agent{Dial: n.DialContext}, func() net.Conn {
			c, err := ln.Accept()
			if err != nil {
				return nil
			}
			return c
		})
	})
}

// sends returns the bytes that a request is.
func sends(t *testing.T, a *Agent, accept func() net.Conn, r Request) string {
	t.Helper()
	c, err := a.Start(t.Context(), r)
	require.NoError(t, err)
	peer := accept()
	require.NoError(t, c.SendAll())
	require.NoError(t, c.Close())
	got, err := io.ReadAll(peer)
	require.NoError(t, err)
	return string(got)
}

func TestRequestsByteByByte(t *testing.T) {
	evil, seven := "evil.example", int64(7)
	for name, tc := range map[string]struct {
		r     Request
		token string
		want  string
	}{
		"a GET":           {Get("/ping"), "", "GET /ping HTTP/1.1\r\nHost: 127.0.0.1:17373\r\n\r\n"},
		"nothing at all":  {Request{}, "", "GET / HTTP/1.1\r\nHost: 127.0.0.1:17373\r\n\r\n"},
		"a POST":          {Post("/command", `{}`), "tok", "POST /command HTTP/1.1\r\nHost: 127.0.0.1:17373\r\nAuthorization: Bearer tok\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"},
		"an empty POST":   {Request{Method: "POST"}, "", "POST / HTTP/1.1\r\nHost: 127.0.0.1:17373\r\nContent-Length: 0\r\n\r\n"},
		"its own token":   {Get("/").With("authorization", "Bearer x").With("X", "1").With("X", "2"), "tok", "GET / HTTP/1.1\r\nHost: 127.0.0.1:17373\r\nauthorization: Bearer x\r\nX: 1\r\nX: 2\r\n\r\n"},
		"another host":    {Request{Host: &evil}, "", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"},
		"no host":         {Request{NoHost: true, HTTP10: true}, "", "GET / HTTP/1.0\r\n\r\n"},
		"chunks":          {Request{Method: "PUT", Chunked: true, ChunkSize: 4, Body: []byte("123456")}, "", "PUT / HTTP/1.1\r\nHost: 127.0.0.1:17373\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n2\r\n56\r\n0\r\n\r\n"},
		"a false length":  {Request{Method: "POST", ContentLength: &seven, Body: []byte("12")}, "", "POST / HTTP/1.1\r\nHost: 127.0.0.1:17373\r\nContent-Length: 7\r\n\r\n12"},
		"no length":       {Request{Method: "POST", NoLength: true, Body: []byte("12")}, "", "POST / HTTP/1.1\r\nHost: 127.0.0.1:17373\r\n\r\n12"},
		"an odd method":   {Request{Method: "OPTIONS", Target: "*"}, "", "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:17373\r\n\r\n"},
		"two content ids": {Request{Headers: []Header{{"A", "1"}, {"A", "1"}, {"b", ""}}}, "", "GET / HTTP/1.1\r\nHost: 127.0.0.1:17373\r\nA: 1\r\nA: 1\r\nb: \r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
				a.Token = tc.token
				require.Equal(t, tc.want, sends(t, a, accept, tc.r))
			})
		})
	}
}

// With does not change what it is called on.
func TestWithCopies(t *testing.T) {
	base := Get("/").With("A", "1")
	one, two := base.With("B", "1"), base.With("C", "1")
	require.Equal(t, []Header{{"A", "1"}, {"B", "1"}}, one.Headers)
	require.Equal(t, []Header{{"A", "1"}, {"C", "1"}}, two.Headers)
}

func TestAnswersInEveryFraming(t *testing.T) {
	for name, tc := range map[string]struct {
		wire   string
		fails  string
		status int
		body   string
		closed bool
		rest   string
	}{
		"a length":          {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcNEXT", "", 200, "abc", false, "NEXT"},
		"chunks":            {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: 1\r\n\r\nNEXT", "", 200, "abc0123456789", false, "NEXT"},
		"to the end":        {"HTTP/1.0 200 OK\r\n\r\nabc", "", 200, "abc", true, ""},
		"no content":        {"HTTP/1.1 204 No Content\r\n\r\nNEXT", "", 204, "", false, "NEXT"},
		"a preliminary one": {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", "", 413, "", false, ""},
		"an upgrade":        {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nframes", "", 101, "", false, "frames"},
		"nothing":           {"", "EOF", 0, "", true, ""},
		"half a header":     {"HTTP/1.1 200 OK\r\nContent", "unexpected EOF", 0, "", true, "HTTP/1.1 200 OK\r\nContent"},
		"half a body":       {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "unexpected EOF", 200, "abc", true, "abc"},
		"half a chunk":      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", "unexpected EOF", 200, "abc", true, "abc"},
		"no chunk":          {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "malformed", 200, "", false, ""},
		"a chunk too long":  {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n", "no end", 200, "ab", false, "\n"},
		"no HTTP":           {"SSH-2.0-x\r\n\r\n", "malformed", 0, "", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
				c, err := a.Start(t.Context(), Get("/"))
				require.NoError(t, err)
				defer c.Close()
				peer := accept()
				wrote := make(chan struct{})
				defer func() { <-wrote }()
				go func() {
					defer close(wrote)
					// Byte by byte, so that every boundary is met.
					for i := range tc.wire {
						_, _ = peer.Write([]byte(tc.wire[i : i+1]))
						time.Sleep(time.Millisecond)
					}
					if tc.closed {
						_ = peer.Close()
					}
				}()
				began := time.Now()
				resp, err := c.Read(t.Context())
				if tc.fails != "" {
					require.ErrorContains(t, err, tc.fails)
				} else {
					require.NoError(t, err)
					require.Equal(t, began, resp.FirstByteAt)
					require.Equal(t, tc.wire[:len(tc.wire)-len(tc.rest)], string(resp.Raw))
				}
				require.Equal(t, tc.status, resp.Status)
				require.Equal(t, tc.body, string(resp.Body))
				require.Equal(t, tc.closed, resp.Closed)
				if tc.fails == "" {
					rest, err := c.ReadBytes(t.Context(), len(tc.rest))
					require.NoError(t, err)
					require.Equal(t, tc.rest, string(rest))
				}
			})
		})
	}
}

func TestSendReadsWhileItWrites(t *testing.T) {
	served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
		go func() {
			// The daemon refuses by the header and reads no body.
			peer := accept()
			_, _ = io.ReadFull(peer, make([]byte, 10))
			_, _ = io.WriteString(peer, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
		}()
		resp, err := a.Send(t.Context(), Request{Method: "POST", Body: make([]byte, 10<<20)})
		require.NoError(t, err)
		require.Equal(t, 413, resp.Status)
	})
}

func TestReadEndsWithItsContext(t *testing.T) {
	served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
		c, err := a.Start(t.Context(), Get("/"))
		require.NoError(t, err)
		defer c.Close()
		peer := accept()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		began := time.Now()
		_, err = c.Read(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 2*time.Second, time.Since(began))
		_, err = io.WriteString(peer, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		require.NoError(t, err)
		resp, err := c.Read(t.Context())
		require.NoError(t, err)
		require.Equal(t, 200, resp.Status, "the connection is as good as before")
	})
}

func TestSendEndsWithItsContext(t *testing.T) {
	served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := a.Send(ctx, Request{Method: "POST", Body: make([]byte, 10<<20)})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestTheWaysToEndACall(t *testing.T) {
	served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
		start := func() (*Call, net.Conn) {
			c, err := a.Start(t.Context(), Get("/"))
			require.NoError(t, err)
			return c, accept()
		}
		c, peer := start()
		require.NoError(t, c.SendHead())
		require.NoError(t, c.HalfClose())
		_, err := io.ReadAll(peer)
		require.NoError(t, err)
		_, err = io.WriteString(peer, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		require.NoError(t, err)
		resp, err := c.Read(t.Context())
		require.NoError(t, err)
		require.Equal(t, 200, resp.Status)
		require.NoError(t, c.Close())

		c, peer = start()
		require.NoError(t, c.Reset())
		_, err = peer.Read(make([]byte, 1))
		require.ErrorIs(t, err, syscall.ECONNRESET)

		c, peer = start()
		got := make(chan Response, 1)
		go func() {
			resp, _ := c.Read(t.Context())
			got <- resp
		}()
		synctest.Wait()
		c.StopReading()
		_, err = io.WriteString(peer, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		require.NoError(t, err)
		synctest.Wait()
		require.Empty(t, got)
		c.ResumeReading()
		require.Equal(t, 200, (<-got).Status)
		require.NoError(t, c.Close())
	})
}

// An Agent can speak WebSocket by hand, after an upgrade that it wrote itself.
func TestAnUpgradeByHand(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		conn, err := d.net.DialContext(t.Context(), "tcp", "127.0.0.1:17373")
		require.NoError(t, err)
		a := &Agent{}
		c := a.StartOn(conn, Get("/extension").
			With("Connection", "Upgrade").With("Upgrade", "websocket").With("Sec-WebSocket-Version", "13").
			With("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==").With("Sec-WebSocket-Protocol", "omw.v1"))
		defer c.Close()
		c.NetOut(memnet.Split{Size: 1})
		c.NetIn(memnet.Split{Size: 1})
		require.NoError(t, c.SendAll())
		resp, err := c.Read(t.Context())
		require.NoError(t, err)
		require.Equal(t, 101, resp.Status)
		l := <-d.links
		hello := RawFrame{Opcode: OpText, Payload: []byte(`{"type":"hello"}`)}
		_, err = c.Conn().Write(hello.AppendTo(nil))
		require.NoError(t, err)
		require.JSONEq(t, `{"type":"hello"}`, l.next(t).frame)
		p, err := c.ReadBytes(t.Context(), 2)
		require.NoError(t, err)
		require.Equal(t, []byte{0x80 | OpText, byte(len(`{"type":"welcome","daemon_version":"1","limits":{}}`))}, p)
		require.Equal(t, "127.0.0.1:17373", c.Conn().RemoteAddr().String())
		require.Contains(t, c.Conn().LocalAddr().String(), "127.0.0.1:")
	})
}

func TestHEADHasNoBody(t *testing.T) {
	served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
		go func() { _, _ = io.WriteString(accept(), "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n") }()
		resp, err := a.Send(t.Context(), Request{Method: "HEAD"})
		require.NoError(t, err)
		require.Empty(t, resp.Body)
	})
}

func TestNoDaemonNoCall(t *testing.T) {
	a := &Agent{Dial: memnet.New().DialContext}
	_, err := a.Send(t.Context(), Get("/"))
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

func TestNextUsesTheConnectionAgain(t *testing.T) {
	served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
		srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, r.RemoteAddr+r.URL.Path)
		})}
		c, err := a.Start(t.Context(), Get("/one"))
		require.NoError(t, err)
		once := &oneConn{conn: accept(), done: make(chan struct{})}
		go func() { _ = srv.Serve(once) }()
		var bodies []string
		for range 2 {
			require.NoError(t, c.SendAll())
			resp, err := c.Read(t.Context())
			require.NoError(t, err)
			bodies = append(bodies, string(resp.Body))
			c = c.Next(Get("/two"))
		}
		from, _, _ := strings.Cut(bodies[0], "/")
		require.Equal(t, []string{from + "/one", from + "/two"}, bodies)
		require.NoError(t, c.Close())
		require.NoError(t, srv.Close())
	})
}

// oneConn is a listener of one connection.
type oneConn struct {
	conn net.Conn
	done chan struct{}
}

func (l *oneConn) Accept() (net.Conn, error) {
	if c := l.conn; c != nil {
		l.conn = nil
		return c, nil
	}
	<-l.done
	return nil, net.ErrClosed
}

func (l *oneConn) Close() error {
	close(l.done)
	return nil
}

func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{} }

func TestALargeAnswerIsReadOnce(t *testing.T) {
	served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
		body := bytes.Repeat([]byte("x"), 32<<20)
		go func() {
			peer := accept()
			_, _ = io.WriteString(peer, "HTTP/1.1 200 OK\r\nContent-Length: 33554432\r\n\r\n")
			_, _ = peer.Write(body)
		}()
		resp, err := a.Send(t.Context(), Get("/"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(body, resp.Body))
		require.Less(t, cap(resp.Raw), 33<<20, "the bytes are held once")
	})
}
