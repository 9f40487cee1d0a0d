package relay

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// rig is a relay with a client's end before it and a daemon's end behind it, in
// a bubble.
type rig struct {
	net    *memnet.Network
	relay  *Relay
	cancel context.CancelFunc
	served chan error

	mu   sync.Mutex
	seen []string
}

const front = "127.0.0.1:18000"

// inBubble runs test with a rig. keep is Config.Keep.
func inBubble(t *testing.T, keep int64, test func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { withRig(t, keep, func(r *rig) { test(t, r) }) })
}

func withRig(t require.TestingT, keep int64, test func(r *rig)) {
	r := &rig{net: memnet.NewSize(4096), served: make(chan error, 1)}
	r.relay = New(Config{Upstream: "127.0.0.1:17373", Dial: r.net.DialContext, Observe: r.observe, Keep: keep})
	ln, err := r.net.ListenPort(18000)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	go func() { r.served <- r.relay.Serve(ctx, ln) }()
	defer func() {
		cancel()
		require.NoError(t, <-r.served)
	}()
	test(r)
}

// observe writes an event as a line.
func (r *rig) observe(_ time.Time, e Event) {
	line := ""
	body := func(b []byte, size int64, cut bool) string {
		s := fmt.Sprintf(" %q", b)
		if int64(len(b)) != size {
			s += fmt.Sprintf(" of %d", size)
		}
		if cut {
			s += " cut"
		}
		return s
	}
	switch e := e.(type) {
	case *Request:
		line = fmt.Sprintf("%d %s %s", e.Call, e.Method, e.Target) + body(e.Body, e.Size, e.Cut)
	case *Answer:
		line = fmt.Sprintf("%d %d", e.Call, e.Status) + body(e.Body, e.Size, e.Cut)
	case *Abandoned:
		line = fmt.Sprintf("%d abandoned %s", e.Call, e.How)
	case *Garbled:
		line = fmt.Sprintf("%d garbled", e.Call) + body(e.Bytes, e.Size, false)
	case *Message:
		line = fmt.Sprintf("%d %s %d", e.Call, e.From, e.Opcode) + body(e.Data, e.Size, false)
	case *Close:
		line = fmt.Sprintf("%d %s close %d %s", e.Call, e.From, e.Code, e.Reason)
	case *End:
		line = strings.TrimSpace(fmt.Sprintf("%d %s %s %s", e.Call, e.From, e.How, e.Why))
	case *Unreachable:
		line = "unreachable"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, line)
}

func (r *rig) events() []string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.seen...)
}

// pair returns both ends of a connection through the relay.
func (r *rig) pair(t require.TestingT) (client, daemon net.Conn) {
	ln, err := r.net.ListenPort(memnet.Port)
	require.NoError(t, err)
	defer ln.Close()
	client, err = r.net.DialContext(context.Background(), "tcp", front)
	require.NoError(t, err)
	daemon, err = ln.Accept()
	require.NoError(t, err)
	return client, daemon
}

func send(t require.TestingT, c net.Conn, text string) {
	_, err := io.WriteString(c, text)
	require.NoError(t, err)
	synctest.Wait()
}

// got reads exactly that text.
func got(t require.TestingT, c net.Conn, text string) {
	b := make([]byte, len(text))
	_, err := io.ReadFull(c, b)
	require.NoError(t, err)
	require.Equal(t, text, string(b))
}

const (
	post   = "POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n"
	answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
)

func TestCallsOfOneConnection(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		send(t, c, post+"hel")
		require.Empty(t, r.events(), "the body has not ended")
		send(t, c, "lo")
		got(t, d, post+"hello")
		require.Equal(t, []string{`1 POST /command "hello"`}, r.events())
		send(t, d, "HTTP/1.1 100 Continue\r\n\r\n"+answer)
		// Two requests at once, one in chunks with a trailer, the other a HEAD.
		send(t, c, "PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\nA: b\r\n\r\nHEAD /b HTTP/1.1\r\nHost: x\r\n\r\n")
		send(t, d, "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
		send(t, c, "GET /c HTTP/1.0\r\n\r\n")
		send(t, d, "HTTP/1.0 200 OK\r\n\r\nuntil the end")
		require.NoError(t, d.Close())
		synctest.Wait()
		require.NoError(t, c.Close())
		require.Equal(t, []string{
			`1 POST /command "hello"`, `1 200 "{}"`, `2 PUT /a "abcd"`, `3 HEAD /b ""`, `2 404 "no"`, `3 200 ""`,
			`4 GET /c ""`, `4 200 "until the end"`,
		}, r.events())
	})
}

func TestWhatIsToldComesFirst(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		go func() { _, _ = io.WriteString(c, post+"hello") }()
		// No synctest.Wait here: the daemon has the last byte, so it was told.
		got(t, d, post+"hello")
		r.mu.Lock()
		require.Len(t, r.seen, 1)
		r.mu.Unlock()
		go func() { _, _ = io.WriteString(d, answer) }()
		got(t, c, answer)
		r.mu.Lock()
		require.Len(t, r.seen, 2)
		r.mu.Unlock()
		require.NoError(t, c.Close())
		require.NoError(t, d.Close())
	})
}

func TestAnEarlyAnswer(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		send(t, c, post+"hel")
		send(t, d, "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
		send(t, c, "lo")
		require.NoError(t, d.Close())
		require.NoError(t, c.Close())
		require.Equal(t, []string{`1 POST /command "hel" cut`, `1 413 "no"`}, r.events())
	})
}

func TestTheClientEnds(t *testing.T) {
	for how, end := range map[Ending]func(net.Conn) error{Fin: net.Conn.Close, Reset: memnet.ResetConn} {
		inBubble(t, 0, func(t *testing.T, r *rig) {
			c, d := r.pair(t)
			send(t, c, post+"hello")
			require.NoError(t, end(c))
			_, err := io.Copy(io.Discard, d)
			require.Equal(t, how == Reset, err != nil, "the daemon feels what the client did: %v", err)
			require.Equal(t, []string{`1 POST /command "hello"`, "1 abandoned " + string(how)}, r.events())
			_ = d.Close()
		})
		inBubble(t, 0, func(t *testing.T, r *rig) {
			c, d := r.pair(t)
			send(t, c, post+"hell")
			require.NoError(t, end(c))
			require.Equal(t, []string{`1 POST /command "hell" cut`, "1 abandoned " + string(how)}, r.events())
			_ = d.Close()
		})
	}
}

func TestAHalfCloseStillReadsTheAnswer(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		send(t, c, post+"hello")
		require.NoError(t, memnet.CloseWrite(c))
		_, err := io.Copy(io.Discard, d)
		require.NoError(t, err)
		send(t, d, answer)
		require.NoError(t, d.Close())
		all, err := io.ReadAll(c)
		require.NoError(t, err)
		require.Equal(t, answer, string(all))
		require.Equal(t, []string{`1 POST /command "hello"`, "1 abandoned fin", `1 200 "{}"`}, r.events())
		require.NoError(t, c.Close())
	})
}

func TestTheDaemonEnds(t *testing.T) {
	for how, end := range map[Ending]func(net.Conn) error{Fin: net.Conn.Close, Reset: memnet.ResetConn} {
		inBubble(t, 0, func(t *testing.T, r *rig) {
			c, d := r.pair(t)
			send(t, c, post+"hello")
			send(t, d, answer[:len(answer)-1])
			require.NoError(t, end(d))
			_, err := io.Copy(io.Discard, c)
			require.Equal(t, how == Reset, err != nil, "the client feels what the daemon did: %v", err)
			require.Equal(t, []string{`1 POST /command "hello"`, `1 200 "{" cut`}, r.events())
			_ = c.Close()
		})
		inBubble(t, 0, func(t *testing.T, r *rig) {
			c, d := r.pair(t)
			send(t, c, post+"hello")
			require.NoError(t, end(d))
			require.Equal(t, []string{`1 POST /command "hello"`, `1 0 "" cut`}, r.events())
			_ = c.Close()
		})
	}
}

func TestWhatIsNoRequest(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		send(t, c, "GET\r\n\r\nand more")
		got(t, d, "GET\r\n\r\nand more")
		send(t, d, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
		require.NoError(t, d.Close())
		synctest.Wait()
		require.NoError(t, c.Close())
		require.Equal(t, []string{`1 garbled "GET\r\n\r\n"`, `1 400 ""`}, r.events())
	})
	inBubble(t, 0, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		send(t, c, "GET / HT")
		require.NoError(t, c.Close())
		require.Equal(t, []string{`1 garbled "GET / HT"`, "1 abandoned fin"}, r.events())
		_ = d.Close()
	})
}

func TestKeepBoundsWhatIsToldAndNotWhatPasses(t *testing.T) {
	inBubble(t, 5, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		send(t, c, post+"hello")
		send(t, d, answer)
		send(t, c, strings.Replace(post, "5", "6", 1)+"hello!")
		got(t, d, post+"hello"+strings.Replace(post, "5", "6", 1)+"hello!")
		send(t, d, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n123456")
		require.NoError(t, c.Close())
		require.NoError(t, d.Close())
		require.Equal(t, []string{
			`1 POST /command "hello"`, `1 200 "{}"`, `2 POST /command "hello" of 6`, `2 200 "12345" of 6`,
		}, r.events())
	})
}

func TestNobodyListensUpstream(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, r *rig) {
		c, err := r.net.DialContext(context.Background(), "tcp", front)
		require.NoError(t, err)
		_, err = c.Read(make([]byte, 1))
		require.ErrorContains(t, err, "reset")
		require.Equal(t, []string{"unreachable"}, r.events())
		_ = c.Close()
	})
}

func TestBackpressureReachesTheOtherEnd(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		wrote := make(chan int, 1)
		body := strings.Repeat("x", 1<<20)
		go func() {
			n, _ := io.WriteString(c, strings.Replace(post, "5", fmt.Sprint(len(body)), 1)+body)
			wrote <- n
		}()
		synctest.Wait()
		require.Empty(t, wrote, "the daemon reads nothing")
		require.Empty(t, r.events())
		// What is under way stands in two buffers of 4 KiB and in the relay's hand.
		require.NoError(t, c.Close())
		n := <-wrote
		require.Less(t, n, 2*4096+32<<10+1)
		_ = d.Close()
	})
}

func TestTheEndOfTheRelayIsNoNews(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		send(t, c, post+"hello")
		r.cancel()
		_, err := io.Copy(io.Discard, c)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, d)
		require.NoError(t, err)
		require.Equal(t, []string{`1 POST /command "hello"`}, r.events())
		_, err = r.net.DialContext(context.Background(), "tcp", front)
		require.Error(t, err, "it listens no more")
		_, _ = c.Close(), d.Close()
	})
}

// Whatever is sent in whatever pieces, on either side, comes out as it went in.
func TestEveryBytePasses(t *testing.T) {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			post, post + "hello", answer, "\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x81\x02hi", "\x81\x82abcdhi", "\x88\x02\x03\xe8",
			"GET /extension HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
			"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", "5\r\nhello\r\n", "0\r\n\r\n",
		}),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
	rapid.Check(t, func(rt *rapid.T) {
		there := strings.Join(rapid.SliceOf(piece).Draw(rt, "there"), "")
		back := strings.Join(rapid.SliceOf(piece).Draw(rt, "back"), "")
		size := rapid.IntRange(1, 100).Draw(rt, "size")
		var err error
		synctest.Test(t, func(t *testing.T) {
			withRig(t, 0, func(r *rig) {
				c, d := r.pair(t)
				var gotThere, gotBack []byte
				var all sync.WaitGroup
				write := func(to net.Conn, text string) {
					for len(text) > 0 {
						n := min(size, len(text))
						_, _ = io.WriteString(to, text[:n])
						text = text[n:]
					}
					_ = memnet.CloseWrite(to)
				}
				all.Go(func() { write(c, there) })
				all.Go(func() { write(d, back) })
				all.Go(func() { gotThere, _ = io.ReadAll(d) })
				all.Go(func() { gotBack, _ = io.ReadAll(c) })
				all.Wait()
				_, _ = c.Close(), d.Close()
				if string(gotThere) != there || string(gotBack) != back {
					err = fmt.Errorf("%q and %q", gotThere, gotBack)
				}
			})
		})
		if err != nil {
			rt.Fatal(err)
		}
	})
}
