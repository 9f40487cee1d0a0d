package sim

import (
	"context"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestHelloSaysWhoAndWhichSessions(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		yes := true
		b := d.browser(Config{Profile: Firefox, Sessions: []string{"shop", "bank"}, FileAccess: &yes})
		defer b.Close()
		require.False(t, b.Connected())
		require.NoError(t, b.Connect(t.Context()))
		require.True(t, b.Connected())
		require.True(t, b.Profile().FileAccess)
		l := <-d.links
		frame, err := protocol.DecodeFrame([]byte(l.next(t).frame))
		require.NoError(t, err)
		require.Equal(t, &protocol.Hello{
			Browser: protocol.Firefox, BrowserVersion: "153.0.1", ExtensionVersion: "1.0.0",
			Sessions: []string{"bank", "shop"}, FileAccess: true,
		}, frame)
		require.Equal(t, Firefox.Origin, l.header.Get("Origin"))
		require.Equal(t, "omw.v1,omw-token."+testToken, l.header.Get("Sec-WebSocket-Protocol"))
		w, ok := b.Welcome()
		require.True(t, ok)
		require.Equal(t, "1", w.DaemonVersion)
		require.ErrorIs(t, b.Connect(t.Context()), ErrConnected)
	})
}

func TestTheProfilesAskInTheirOrder(t *testing.T) {
	for _, tc := range []struct {
		profile        Profile
		welcome, after []string
	}{
		{Chrome, []string{"GET /ping", "GET /extension"}, []string{"GET /ping", "GET /extension", "OPTIONS /extension", "POST /extension"}},
		{Firefox, []string{"GET /ping", "POST /extension", "GET /extension"}, []string{"GET /ping", "POST /extension"}},
	} {
		inBubble(t, func(t *testing.T, d *fakeDaemon) {
			b := d.browser(Config{Profile: tc.profile})
			defer b.Close()
			require.NoError(t, b.Connect(t.Context()))
			require.Equal(t, tc.welcome, d.asked())
			b.Drop()

			d.refuse = 409
			var refused *Refused
			require.ErrorAs(t, b.Connect(t.Context()), &refused)
			require.Equal(t, tc.after, d.asked())
			require.Equal(t, 409, refused.Status)
			require.Equal(t, protocol.Conflict, refused.Code)
			require.ErrorContains(t, refused, "409 conflict: another one is connected")
			if !tc.profile.AskFirst {
				require.Equal(t, 409, refused.Asked)
			}
		})
	}
}

func TestTheSocketAlone(t *testing.T) {
	for _, p := range []Profile{Chrome, Firefox} {
		inBubble(t, func(t *testing.T, d *fakeDaemon) {
			b := d.browser(Config{Profile: p, SocketOnly: true})
			require.NoError(t, b.Connect(t.Context()))
			b.Drop()
			d.refuse = 409
			require.Error(t, b.Connect(t.Context()))
			require.Equal(t, []string{"GET /extension", "GET /extension"}, d.asked())
		})
	}
}

func TestNoTokenForAStranger(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		d.token = "another token"
		for _, p := range []Profile{Chrome, Firefox} {
			b := d.browser(Config{Profile: p})
			require.ErrorIs(t, b.Connect(t.Context()), ErrImpostor)
			require.Equal(t, []string{"GET /ping"}, d.asked())
			require.NoError(t, b.Close())
		}
	})
}

func TestNobodyIsThere(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b := d.browser(Config{Addr: "127.0.0.1:1"})
		defer b.Close()
		require.ErrorIs(t, b.Connect(t.Context()), syscall.ECONNREFUSED)
		require.Len(t, b.Attempts(), 1)
		require.Error(t, b.Attempts()[0].Err)
	})
}

func TestClosedBeforeTheWelcome(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		d.mute = true
		hello := `{"type":"hello","browser":"opera"}`
		b := d.browser(Config{Hello: &hello})
		defer b.Close()
		go func() {
			l := <-d.links
			<-l.frames
			_ = l.ws.Close(1008, "no such browser")
		}()
		var closed *Closed
		require.ErrorAs(t, b.Connect(t.Context()), &closed)
		require.Equal(t, Closed{Code: 1008, Reason: "no such browser"}, *closed)
		require.ErrorContains(t, closed, "1008 no such browser")
		code, reason, ok := b.Closed()
		require.True(t, ok)
		require.Equal(t, 1008, code)
		require.Equal(t, "no such browser", reason)

		go func() { _ = (<-d.links).ws.CloseNow() }()
		require.ErrorAs(t, b.Connect(t.Context()), &closed)
		require.Equal(t, 1006, closed.Code)
		_, _, ok = b.Closed()
		require.False(t, ok)
	})
}

func TestConnectEndsWithItsContext(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		d.mute = true
		b := d.browser(Config{})
		defer b.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		require.ErrorIs(t, b.Connect(ctx), context.DeadlineExceeded)
		require.Equal(t, time.Second, time.Since(began))
		require.Equal(t, -1, (<-d.links).closeCode())
	})
}

// A context that ends after the welcome does not end the connection.
func TestTheConnectionOutlivesItsContext(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b := d.browser(Config{})
		defer b.Close()
		ctx, cancel := context.WithCancel(t.Context())
		require.NoError(t, b.Connect(ctx))
		cancel()
		time.Sleep(time.Minute)
		require.True(t, b.Connected())
	})
}

func TestNoHello(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		none := ""
		b := d.browser(Config{Hello: &none})
		defer b.Close()
		require.NoError(t, b.Connect(t.Context()))
		require.False(t, b.Connected())
		(<-d.links).nothing(t)
	})
}

func TestCloseWaitsForEverything(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		b.Hold(nil)
		l.command("1", "s", "click", `{}`, 30*time.Second)
		synctest.Wait()
		ran := make(chan error, 1)
		go func() { ran <- b.Run(t.Context()) }()
		synctest.Wait()
		require.NoError(t, b.Close())
		require.ErrorIs(t, <-ran, ErrClosed)
		<-b.Done()
		require.ErrorIs(t, b.Connect(t.Context()), ErrClosed)
		require.NoError(t, b.Close())
		require.Equal(t, -1, l.closeCode())
	})
}
