package sim

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// pings takes pings for d and returns when each came, counted from began.
func pings(l *fakeLink, began time.Time, d time.Duration) []time.Duration {
	time.Sleep(d)
	synctest.Wait()
	var out []time.Duration
	for {
		select {
		case f := <-l.frames:
			if f.frame == string(protocol.PingFrame) {
				out = append(out, f.at.Sub(began))
			}
		default:
			return out
		}
	}
}

func TestAPingEvery20Seconds(t *testing.T) {
	for _, p := range []Profile{Chrome, Firefox} {
		inBubble(t, func(t *testing.T, d *fakeDaemon) {
			b, l := d.connected(t, Config{Profile: p})
			defer b.Close()
			// A long command runs meanwhile.
			b.Hold(nil)
			l.command("1", "s", "click", `{}`, 100*time.Second)
			began := time.Now()
			require.Equal(t, []time.Duration{20 * time.Second, 40 * time.Second, 60 * time.Second, 80 * time.Second},
				pings(l, began, 100*time.Second-1))
		})
	}
}

func TestSilenceClosesAt45Seconds(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		defer b.Close()
		d.mute = true
		time.Sleep(7 * time.Second)
		l.send(`{"type":"something new"}`) // Whatever is received counts.
		synctest.Wait()
		began := time.Now()
		time.Sleep(45*time.Second - 1)
		synctest.Wait()
		require.True(t, b.Connected())
		<-b.Done()
		require.Equal(t, 45*time.Second, time.Since(began))
		require.Equal(t, 3008, l.closeCode())
		require.Equal(t, 45*time.Second, time.Since(began), "the daemon hears of it at once")
	})
}

// A peer that is gone without a word can be sent nothing; the extension gives
// up all the same.
func TestSilenceOfADeadPeer(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		p := Chrome
		p.SendStall = 0
		b, l := d.connected(t, Config{Profile: p})
		defer b.Close()
		b.NetOut(memnet.Stall{})
		began := time.Now()
		<-b.Done()
		require.Equal(t, 50*time.Second, time.Since(began), "45 s and the wait for a closing handshake")
		require.Equal(t, -1, l.closeCode())
	})
}

func TestNeverSilentNeverPinging(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		p := Chrome
		p.Limits.Ping, p.Limits.Silence = 0, 0
		b, l := d.connected(t, Config{Profile: p})
		defer b.Close()
		require.Empty(t, pings(l, time.Now(), time.Hour))
		require.True(t, b.Connected())
	})
}

func TestAFrozenBackgroundDoesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		defer b.Close()
		b.Freeze()
		l.command("1", "s", "click", `{}`, time.Hour)
		require.Empty(t, pings(l, time.Now(), 10*time.Minute))
		require.Empty(t, b.Received())
		require.True(t, b.Connected())
		b.Thaw()
		require.Empty(t, pings(l, time.Now(), 0), "no ping was kept for later")
		synctest.Wait()
		require.Len(t, b.Starts(), 1)
	})
}

func TestStopReadingIsFelt(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		defer b.Close()
		b.StopReading()
		l.command("1", "s", "click", `{}`, time.Hour)
		time.Sleep(44 * time.Second)
		require.Empty(t, b.Received())
		b.ResumeReading()
		require.Equal(t, "1 ok", l.code(t))
	})
}

// retries runs a Browser against a daemon that is not there and returns the
// times between its tries.
func retries(d *fakeDaemon, b *Browser, n int) []time.Duration {
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan struct{})
	go func() {
		_ = b.Run(ctx)
		close(ran)
	}()
	for len(b.Attempts()) <= n {
		time.Sleep(time.Second)
	}
	cancel()
	<-ran
	var out []time.Duration
	at := b.Attempts()
	for i := range n {
		out = append(out, at[i+1].At.Sub(at[i].At))
	}
	return out
}

func TestRunBacksOff(t *testing.T) {
	for _, status := range []int{0, 409} {
		inBubble(t, func(t *testing.T, d *fakeDaemon) {
			cfg := Config{Addr: "127.0.0.1:1", Seed: 7}
			if d.refuse = status; status != 0 {
				cfg.Addr = ""
			}
			b := d.browser(cfg)
			defer b.Close()
			want := NewBackoff(500*time.Millisecond, 30*time.Second, 7)
			least := 500 * time.Millisecond
			for n, got := range retries(d, b, 20) {
				require.Equal(t, want.Next(), got)
				most := min(30*time.Second, 500*time.Millisecond<<n)
				require.GreaterOrEqual(t, got, max(least, most/2))
				require.LessOrEqual(t, got, most)
			}
		})
	}
}

func TestAWelcomeStartsTheBackoffAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b := d.browser(Config{})
		defer b.Close()
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- b.Run(ctx) }()
		for range 5 {
			l := <-d.links
			l.next(t)
			synctest.Wait()
			ended := time.Now()
			require.NoError(t, l.ws.CloseNow())
			<-b.Done()
			next := <-d.links
			require.Equal(t, 500*time.Millisecond, time.Since(ended))
			d.links <- next
		}
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-ran, context.Canceled)
		require.Equal(t, 1001, (<-d.links).closeCode())
	})
}

func TestASuspendedBackgroundWaitsForItsAlarm(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b := d.browser(Config{Sessions: []string{"shop"}})
		defer b.Close()
		began := time.Now()
		go func() { _ = b.Run(t.Context()) }()
		l := <-d.links
		l.next(t)
		b.Hold(nil)
		l.command("1", "s", "click", `{}`, time.Hour)
		time.Sleep(40 * time.Second)
		b.Suspend()
		require.Equal(t, 1001, l.closeCode())
		require.Equal(t, 40*time.Second, time.Since(began))
		l = <-d.links
		require.Equal(t, 60*time.Second, time.Since(began))
		require.Contains(t, l.next(t).frame, `"sessions":["s","shop"]`, "sessions are not in the worker")
		l.nothing(t)
		require.Len(t, b.Starts(), 1)
	})
}
