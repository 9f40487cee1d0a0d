package client_test

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func itoa(n int) string { return strconv.Itoa(n) }

// A daemon that dies when it has read a command on a kept connection gets that
// command once: net/http would send it again if it could (CMD-12).
func TestUncertainCommandIsSentOnce(t *testing.T) {
	for name, end := range map[string]func(net.Conn){
		"by a close":           func(net.Conn) {},
		"by a reset":           func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) },
		"in the answer's head": func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 200")) },
		"in the answer's body": func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n{\"id\"")) },
		"with a broken chunk": func(c net.Conn) {
			_, _ = c.Write([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"))
		},
		"with something else":   func(c net.Conn) { _, _ = c.Write([]byte("what?\r\n\r\n")) },
		"with status 408":       func(c net.Conn) { _ = respond(c, "408 Request Timeout", nil) },
		"with status 503 alone": func(c net.Conn) { _ = respond(c, "503 Service Unavailable", []byte("try again")) },
	} {
		for _, kept := range []bool{true, false} {
			t.Run(name+" kept "+strconv.FormatBool(kept), func(t *testing.T) {
				var commands atomic.Int32
				ln := listen(t, func(c net.Conn, r *bufio.Reader) {
					if prove(c, r) != nil {
						return
					}
					for {
						body, err := readCommand(r)
						if err != nil {
							return
						}
						if strings.Contains(body, `"first"`) {
							_ = respond(c, "200 OK", []byte(`{"id":"first","ok":true,"data":{}}`))
							continue
						}
						commands.Add(1)
						end(c)
						return
					}
				})
				c := dial(t, ln.addr())
				ctx := within(t, 10*time.Second)
				if kept {
					_, err := c.Do(ctx, client.Command{Action: "back", ID: "first"})
					require.NoError(t, err)
				}
				_, err := c.Do(ctx, client.Command{Action: "click", Args: map[string]string{"ref": "e1"}})
				e := wire(t, err)
				require.Equal(t, protocol.OutcomeUnknown, e.Code, e.Message)
				require.Equal(t, protocol.DeliveredUnknown, e.Delivered)
				require.EqualValues(t, 1, commands.Load())

				// A probe behind it: the port is served, and only the probe comes.
				_, err = dial(t, ln.addr()).Do(ctx, client.Command{Action: "back", ID: "first"})
				require.NoError(t, err)
				require.EqualValues(t, 1, commands.Load())
				require.Equal(t, 1, strings.Count(ln.received(), `"click"`))
			})
		}
	}
}

// A redirect is not followed: it would send the command again, and the token to
// wherever it leads.
func TestRedirectIsNotFollowed(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		c := serve(t, proving(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, status) }))
		_, err := c.Do(within(t, 5*time.Second), client.Command{Action: "back"})
		require.Equal(t, protocol.OutcomeUnknown, wire(t, err).Code)
		_, err = c.Status(within(t, 5*time.Second))
		require.Equal(t, protocol.OutcomeUnknown, wire(t, err).Code)
	}
	require.Zero(t, elsewhere.Load())
}

// A daemon that started anew has closed the connections that were kept. What
// comes next is sent on a new one, without an error.
func TestRestartedDaemonIsFound(t *testing.T) {
	var conns, commands atomic.Int32
	ln := listen(t, func(c net.Conn, r *bufio.Reader) {
		conns.Add(1)
		if prove(c, r) != nil {
			return
		}
		if _, err := readCommand(r); err == nil {
			commands.Add(1)
			_ = respond(c, "200 OK", []byte(`{"id":"1","ok":true,"data":{}}`))
		}
	})
	var last *blind
	c, err := client.New(client.Options{Addr: ln.addr(), Token: token, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		nc, err := new(net.Dialer).DialContext(ctx, network, addr)
		last = &blind{Conn: nc, ended: make(chan struct{}), closed: make(chan struct{})}
		return last, err
	}})
	require.NoError(t, err)
	defer c.Close()
	for n := range 3 {
		_, err := c.Do(within(t, 10*time.Second), client.Command{Action: "back"})
		require.NoError(t, err)
		require.EqualValues(t, n+1, commands.Load())
		<-last.ended
	}
	require.EqualValues(t, 3, conns.Load())
}

// A connection that is dead each time is given up, and the error is definite.
func TestDeadConnectionsAreGivenUp(t *testing.T) {
	ln := listen(t, func(c net.Conn, r *bufio.Reader) {
		if prove(c, r) == nil {
			_, _ = readCommand(r)
		}
	})
	var conns atomic.Int32
	c, err := client.New(client.Options{Addr: ln.addr(), Token: token, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		conns.Add(1)
		nc, err := new(net.Dialer).DialContext(ctx, network, addr)
		return &mute{Conn: nc}, err
	}})
	require.NoError(t, err)
	_, err = c.Do(within(t, 10*time.Second), client.Command{Action: "back"})
	e := wire(t, err)
	require.Equal(t, protocol.NotConnected, e.Code)
	require.Equal(t, protocol.DeliveredNo, e.Delivered)
	require.EqualValues(t, 1, conns.Load(), "a new connection is not a kept one, so that there is no second try")
	require.NotContains(t, ln.received(), "POST")
}

// blind is a connection that does not tell that the other end closed it: what a
// kept connection is between the close and the moment that somebody looks. A
// write on it fails before a byte has gone out.
type blind struct {
	net.Conn
	ended, closed chan struct{}
	once, end     sync.Once
}

func (b *blind) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if err != nil {
		b.end.Do(func() { close(b.ended) })
		<-b.closed
	}
	return n, err
}

func (b *blind) Write(p []byte) (int, error) {
	select {
	case <-b.ended:
		return 0, errors.New("broken pipe")
	default:
		return b.Conn.Write(p)
	}
}

func (b *blind) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Conn.Close()
}

// mute is a connection whose second write fails before a byte has gone out.
type mute struct {
	net.Conn
	writes atomic.Int32
}

func (m *mute) Write(p []byte) (int, error) {
	if m.writes.Add(1) > 1 {
		return 0, errors.New("broken pipe")
	}
	return m.Conn.Write(p)
}
