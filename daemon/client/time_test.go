package client_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// pipes is a network of net.Pipe, so that a client and a server run in a bubble.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { close(p.done); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// inBubble runs f with a client of a server in virtual time. Delay is how long a
// connection takes to make.
func inBubble(t *testing.T, delay time.Duration, h http.Handler, f func(t *testing.T, c *client.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{make(chan net.Conn), make(chan struct{})}
		srv := &http.Server{Handler: h}
		done := make(chan struct{})
		go func() { defer close(done); _ = srv.Serve(p) }()
		c, err := client.New(client.Options{Token: token, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			time.Sleep(delay)
			near, far := net.Pipe()
			select {
			case p.conns <- far:
				return near, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}})
		require.NoError(t, err)
		defer func() {
			c.Close()
			_ = srv.Close()
			<-done
			time.Sleep(10 * time.Second) // what the library still closes in the background
		}()
		f(t, c)
	})
}

// timeouts answers with the timeout that the command had.
func timeouts(t *testing.T, got *time.Duration) http.Handler {
	return proving(commands(t, func(c protocol.Command) string {
		*got = c.Timeout
		return "{}"
	}))
}

func TestTimeoutOfACommand(t *testing.T) {
	const most, margin = 120 * time.Second, 250 * time.Millisecond
	for name, tc := range map[string]struct {
		asked, context time.Duration // 0: none
		want           time.Duration // 0: refused
	}{
		"nothing said":                         {0, 0, 30 * time.Second},
		"asked":                                {2 * time.Second, 0, 2 * time.Second},
		"asked the least":                      {time.Millisecond, 0, time.Millisecond},
		"asked less than the least":            {time.Millisecond - 1, 0, 0},
		"asked a negative":                     {-time.Second, 0, 0},
		"asked the most":                       {most, 0, most},
		"asked more than the most":             {most + 1, 0, 0},
		"asked a part of a millisecond":        {1500 * time.Microsecond, 0, 2 * time.Millisecond},
		"context":                              {0, 10 * time.Second, 10*time.Second - margin},
		"context where the margin is a fourth": {0, 800 * time.Millisecond, 600 * time.Millisecond},
		"context at the edge of the margins":   {0, time.Second, 750 * time.Millisecond},
		"context with the most":                {0, most + margin, most},
		"context with more than the most":      {0, most + margin + 1, 0},
		"context of a whole job, and asked":    {5 * time.Second, time.Hour, 5 * time.Second},
		"context nearer than asked":            {20 * time.Second, 10 * time.Second, 10*time.Second - margin},
		"context with the least":               {0, 4 * time.Millisecond / 3, time.Millisecond},
		"context with less than the least":     {0, 4*time.Millisecond/3 - 2, 0},
		"context over":                         {0, -time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var got time.Duration
			inBubble(t, 0, timeouts(t, &got), func(t *testing.T, c *client.Client) {
				ctx, cancel := context.Background(), context.CancelFunc(func() {})
				if tc.context != 0 {
					ctx, cancel = context.WithTimeout(ctx, tc.context)
				}
				defer cancel()
				_, err := c.Do(ctx, client.Command{Action: "back", Timeout: tc.asked})
				if tc.want > 0 {
					require.NoError(t, err)
				} else {
					require.Equal(t, protocol.DeliveredNo, wire(t, err).Delivered)
				}
				require.Equal(t, tc.want, got)
			})
		})
	}
}

// More than the maximum is refused in words that name it, not cut (CMD-10).
func TestTooLongTimeoutIsNamed(t *testing.T) {
	c, err := client.New(client.Options{Token: token})
	require.NoError(t, err)
	_, err = c.Do(t.Context(), client.Command{Action: "back", Timeout: 121 * time.Second})
	e := wire(t, err)
	require.Equal(t, protocol.BadRequest, e.Code)
	require.Contains(t, e.Message, "2m0s")
	_, err = c.Do(within(t, time.Hour), client.Command{Action: "back"})
	e = wire(t, err)
	require.Equal(t, protocol.BadRequest, e.Code)
	require.Contains(t, e.Message, "2m0s")
}

// What a connection costs is not given away: the daemon's time still ends
// before the client's (CMD-16).
func TestTimeIsWhatIsLeftWhenTheConnectionIsThere(t *testing.T) {
	var got time.Duration
	inBubble(t, 3*time.Second, timeouts(t, &got), func(t *testing.T, c *client.Client) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := c.Do(ctx, client.Command{Action: "back"})
		require.NoError(t, err)
		require.Equal(t, 7*time.Second-250*time.Millisecond, got)
		_, err = c.Do(context.Background(), client.Command{Action: "back"})
		require.NoError(t, err)
		require.Equal(t, 30*time.Second, got, "the kept connection costs nothing")
	})
}

// silent reads a command and answers it after a time.
func silent(after time.Duration) http.Handler {
	return proving(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-time.After(after):
			_, _ = w.Write(protocol.AppendError(nil, "1", protocol.Unknown(protocol.DeliveredUnknown, "the daemon says so")))
		case <-r.Context().Done():
		}
	})
}

// The client is last: it waits beyond the daemon's deadline for what the daemon
// has to say, and gives up at its own (CMD-16).
func TestClientGivesUpLast(t *testing.T) {
	for name, tc := range map[string]struct {
		context, asked, answer time.Duration
		daemon                 bool
		after                  time.Duration
	}{
		"the daemon answers at its deadline":          {10 * time.Second, 0, 10*time.Second - 250*time.Millisecond, true, 10*time.Second - 250*time.Millisecond},
		"one nanosecond before the context's end":     {10 * time.Second, 0, 10*time.Second - 1, true, 10*time.Second - 1},
		"one nanosecond behind the context's end":     {10 * time.Second, 0, 10*time.Second + 1, false, 10 * time.Second},
		"without a context, before the grace is over": {0, 2 * time.Second, 7*time.Second - 1, true, 7*time.Second - 1},
		"without a context, when the grace is over":   {0, 2 * time.Second, 7*time.Second + 1, false, 7 * time.Second},
		"a far context, when the grace is over":       {time.Hour, 2 * time.Second, 7*time.Second + 1, false, 7 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 0, silent(tc.answer), func(t *testing.T, c *client.Client) {
				ctx, cancel := context.Background(), context.CancelFunc(func() {})
				if tc.context != 0 {
					ctx, cancel = context.WithTimeout(ctx, tc.context)
				}
				defer cancel()
				start := time.Now()
				_, err := c.Do(ctx, client.Command{Action: "back", Timeout: tc.asked})
				e := wire(t, err)
				require.Equal(t, protocol.OutcomeUnknown, e.Code)
				require.Equal(t, protocol.DeliveredUnknown, e.Delivered)
				require.Equal(t, tc.daemon, e.Message == "the daemon says so", e.Message)
				require.Equal(t, tc.after, time.Since(start))
				if !tc.daemon {
					require.ErrorIs(t, err, context.DeadlineExceeded)
				}
			})
		})
	}
}

// A cancelled context ends the wait at once. Whether the command may have run
// depends on whether it may have gone out.
func TestCancelledWhileWaiting(t *testing.T) {
	inBubble(t, 0, silent(time.Hour), func(t *testing.T, c *client.Client) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		start := time.Now()
		_, err := c.Do(ctx, client.Command{Action: "back"})
		require.Equal(t, 3*time.Second, time.Since(start))
		require.Equal(t, protocol.OutcomeUnknown, wire(t, err).Code)
		require.Equal(t, protocol.DeliveredUnknown, wire(t, err).Delivered)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestCancelledBeforeItWentOut(t *testing.T) {
	inBubble(t, 4*time.Second, timeouts(t, new(time.Duration)), func(t *testing.T, c *client.Client) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		start := time.Now()
		_, err := c.Do(ctx, client.Command{Action: "back"})
		require.Equal(t, 3*time.Second, time.Since(start))
		require.Equal(t, protocol.RequestTimeout, wire(t, err).Code)
		require.Equal(t, protocol.DeliveredNo, wire(t, err).Delivered)
		require.ErrorIs(t, err, context.Canceled)

		cancel()
		_, err = c.Do(ctx, client.Command{Action: "back"})
		require.Equal(t, protocol.DeliveredNo, wire(t, err).Delivered)
		require.ErrorIs(t, err, context.Canceled)
		_, err = c.Ping(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, protocol.DeliveredNo, wire(t, err).Delivered)
	})
}

// A peer that takes the connection and says nothing is given up after 5 s.
func TestSilentPeerIsGivenUp(t *testing.T) {
	for name, tc := range map[string]struct {
		answer time.Duration
		ok     bool
		after  time.Duration
	}{
		"it answers just in time": {5*time.Second - 1, true, 5*time.Second - 1},
		"it answers too late":     {5*time.Second + 1, false, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				select {
				case <-time.After(tc.answer):
					_, _ = w.Write(pong(token, r))
				case <-r.Context().Done():
				}
			})
			inBubble(t, 0, h, func(t *testing.T, c *client.Client) {
				start := time.Now()
				_, err := c.Ping(context.Background())
				require.Equal(t, tc.after, time.Since(start))
				if tc.ok {
					require.NoError(t, err)
					return
				}
				require.Equal(t, protocol.NotConnected, wire(t, err).Code)
				require.Contains(t, err.Error(), "does not answer GET /ping")
			})
		})
	}
}

// The daemon's own affairs have ten seconds.
func TestAdminCallsEnd(t *testing.T) {
	inBubble(t, 0, silent(10*time.Second-1), func(t *testing.T, c *client.Client) {
		_, err := c.Status(context.Background())
		require.NoError(t, err)
	})
	inBubble(t, 0, silent(10*time.Second+1), func(t *testing.T, c *client.Client) {
		start := time.Now()
		_, err := c.Status(context.Background())
		require.Equal(t, protocol.OutcomeUnknown, wire(t, err).Code)
		require.Equal(t, 10*time.Second, time.Since(start))
	})
}
