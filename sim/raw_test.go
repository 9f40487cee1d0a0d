package sim

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

func TestVerbsNeedAConnection(t *testing.T) {
	b := New(Config{Dial: memnet.New().DialContext})
	defer b.Close()
	require.ErrorIs(t, b.SendText(nil), ErrNotConnected)
	require.ErrorIs(t, b.SendRaw(nil), ErrNotConnected)
	require.ErrorIs(t, b.SendBinary(nil), ErrNotConnected)
	require.ErrorIs(t, b.WriteRaw(nil), ErrNotConnected)
	require.ErrorIs(t, b.CloseWith(1000, ""), ErrNotConnected)
	_, err := b.Request(t.Context(), []byte(`{}`))
	require.ErrorIs(t, err, ErrNotConnected)
	require.False(t, b.Release(Start{}, Default()))
	require.False(t, b.Connected())
	require.Zero(t, b.Artifacts())
	_, ok := b.Welcome()
	require.False(t, ok)
	<-b.Done()
	// These do nothing then.
	b.Drop()
	b.Reset()
	b.Freeze()
	b.Thaw()
	b.StopReading()
	b.ResumeReading()
	b.NetIn()
	b.NetOut()
	b.Suspend()
}

func TestMessagesGoAsTheyAre(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		for _, m := range []string{"", "{", `{"type":"hello"`[:5], strings.Repeat("x", 300<<10)} {
			require.NoError(t, b.SendText([]byte(m)))
			require.Equal(t, m, l.next(t).frame)
		}
		require.NoError(t, b.SendBinary([]byte{0xff, 0}))
		require.Equal(t, "\xff\x00", l.next(t).frame)
	})
}

func TestBytesUnderTheWebSocket(t *testing.T) {
	frames := func(fs ...RawFrame) (p []byte) {
		for _, f := range fs {
			p = f.AppendTo(p)
		}
		return p
	}
	big := uint64(1) << 63
	for name, tc := range map[string]struct {
		bytes []byte
		// frame is what arrives, or fails what the daemon's library then says.
		frame, fails string
	}{
		"a good frame":        {frames(RawFrame{Opcode: OpText, Payload: []byte("good")}), "good", ""},
		"126 bytes":           {frames(RawFrame{Opcode: OpText, Payload: []byte(strings.Repeat("a", 126))}), strings.Repeat("a", 126), ""},
		"65536 bytes":         {frames(RawFrame{Opcode: OpText, Payload: []byte(strings.Repeat("a", 65536))}), strings.Repeat("a", 65536), ""},
		"a ping in a message": {frames(RawFrame{Opcode: OpText, NotFinal: true, Payload: []byte("a")}, RawFrame{Opcode: OpPing, Payload: []byte("p")}, RawFrame{Opcode: OpContinuation, Payload: []byte("b")}), "ab", ""},
		"split UTF-8":         {frames(RawFrame{Opcode: OpText, NotFinal: true, Payload: []byte("\xc3")}, RawFrame{Opcode: OpContinuation, Payload: []byte("\xa9")}), "é", ""},
		"unmasked":            {frames(RawFrame{Opcode: OpText, Unmasked: true, Payload: []byte("x")}), "", "unmasked"},
		"RSV1":                {frames(RawFrame{Opcode: OpText, RSV: 4}), "", "rsv"},
		"RSV3":                {frames(RawFrame{Opcode: OpText, RSV: 1}), "", "rsv"},
		"a reserved opcode":   {frames(RawFrame{Opcode: 3}), "", "opcode"},
		"a stray fragment":    {frames(RawFrame{Opcode: OpContinuation}), "", "continuation"},
		"a length of 2^63":    {frames(RawFrame{Opcode: OpText, Length: &big}), "", "length"},
		"a ping in fragments": {frames(RawFrame{Opcode: OpPing, NotFinal: true}), "", "fragmented"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *fakeDaemon) {
				b, l := d.connected(t, Config{})
				require.NoError(t, b.WriteRaw(tc.bytes))
				if tc.fails == "" {
					require.Equal(t, tc.frame, l.next(t).frame)
					goesOn(t, l)
					return
				}
				<-l.over
				require.ErrorContains(t, l.err, tc.fails)
			})
		})
	}
}

func TestAHeaderInTwoHalves(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		frame := RawFrame{Opcode: OpText, Payload: []byte("late")}.AppendTo(nil)
		require.NoError(t, b.WriteRaw(frame[:3]))
		time.Sleep(time.Second)
		l.nothing(t)
		require.NoError(t, b.WriteRaw(frame[3:]))
		require.Equal(t, "late", l.next(t).frame)
	})
}

func TestAnRFC6455PingIsAnswered(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		_, l := d.connected(t, Config{})
		require.NoError(t, l.ws.Ping(t.Context()))
	})
}

func TestCloseWithWaitsForTheOtherSide(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		require.NoError(t, b.CloseWith(4321, "bye"))
		require.Equal(t, 4321, l.closeCode())
		code, reason, ok := b.Closed()
		require.Equal(t, []any{4321, "bye", true}, []any{code, reason, ok}, "the daemon says the same")
		require.False(t, b.Connected())
		require.ErrorIs(t, b.CloseWith(1000, ""), ErrNotConnected)
	})
}

func TestCloseWithGivesUpAfter5Seconds(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, _ := d.connected(t, Config{})
		b.NetIn(memnet.Stall{})
		began := time.Now()
		require.NoError(t, b.CloseWith(1000, ""))
		require.Equal(t, 5*time.Second, time.Since(began))
	})
}

func TestWhatTheDaemonSaysWhenItCloses(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		go func() { _ = l.ws.Close(websocket.StatusTryAgainLater, "busy") }()
		<-b.Done()
		code, reason, ok := b.Closed()
		require.Equal(t, []any{1013, "busy", true}, []any{code, reason, ok})
	})
}

// The daemon's reason is read also when a write was what failed first.
func TestTheDaemonsReasonSurvivesAFailedWrite(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		p := Chrome
		p.Limits.Ping = 0
		b, l := d.connected(t, Config{Profile: p})
		b.StopReading()
		_ = l.ws.Close(websocket.StatusMessageTooBig, "too big")
		<-l.over
		sent := make(chan error, 1)
		go func() { sent <- b.SendText([]byte("x")) }()
		synctest.Wait()
		b.ResumeReading()
		require.ErrorIs(t, <-sent, ErrNotConnected)
		code, reason, ok := b.Closed()
		require.Equal(t, []any{1009, "too big", true}, []any{code, reason, ok})
	})
}

func TestWhatTheExtensionIgnores(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		_, l := d.connected(t, Config{})
		for _, frame := range []string{`}{`, `[]`, `{"type":"later"}`, `{"type":"pong"}`, `{"type":"welcome","daemon_version":"2","limits":{}}`} {
			l.send(frame)
		}
		require.NoError(t, l.ws.Write(t.Context(), websocket.MessageBinary, []byte(`{"type":"ping"}`)))
		goesOn(t, l)
	})
}

func TestRequests(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		type outcome struct {
			res protocol.Result
			err error
		}
		ask := func(raw string) chan outcome {
			got := make(chan outcome, 1)
			go func() {
				res, err := b.Request(t.Context(), []byte(raw))
				got <- outcome{res, err}
			}()
			return got
		}
		first := ask(`{"id":"a","action":"status"}`)
		require.Equal(t, `{"type":"request","id":"a","action":"status"}`, l.next(t).frame)
		second := ask(` {"id":"b"}`)
		require.Equal(t, `{"type":"request","id":"b"}`, l.next(t).frame)
		unnamed := ask(`{}`)
		require.Equal(t, `{"type":"request"}`, l.next(t).frame)
		broken := ask(`[`)
		require.Equal(t, `{"type":"request",[`, l.next(t).frame)

		l.send(`{"type":"result","id":"b","ok":false,"error":{"code":"busy","message":"no"}}`)
		require.Equal(t, protocol.Busy, (<-second).res.Error.Code)
		l.send(`{"type":"result","id":"x","ok":true,"data":{"n":1}}`)
		require.JSONEq(t, `{"n":1}`, string((<-unnamed).res.Data))
		l.send(`{"type":"result","id":"y","ok":true,"data":{}}`)
		require.Equal(t, "y", (<-broken).res.ID)
		l.send(`{"type":"result","id":"z","ok":true,"data":{}}`)
		synctest.Wait()
		require.Empty(t, first)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := b.Request(ctx, []byte(`{"id":"c"}`))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		b.Drop()
		require.ErrorIs(t, (<-first).err, ErrNotConnected)
	})
}

// What goes out faster than the socket takes it is queued, up to its limit.
func TestTheSendQueueHasALimit(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		p := Chrome
		p.SendBuffer, p.SendQueue, p.SendStall = 1000, 9000, 0
		b, l := d.connected(t, Config{Profile: p})
		b.NetOut(memnet.Stall{})
		send := func(n int) { go func() { _ = b.SendText(make([]byte, n)) }(); synctest.Wait() }
		send(4000)
		send(6000)
		require.True(t, b.Connected())
		send(1)
		<-b.Done()
		require.Equal(t, -1, l.closeCode())
	})
}

func TestNothingGoesOutFor30Seconds(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		p := Chrome
		p.Limits.Ping = 0
		b, l := d.connected(t, Config{Profile: p})
		b.NetOut(memnet.Stall{})
		began := time.Now()
		go func() { _ = b.SendText([]byte("stuck")) }()
		time.Sleep(30*time.Second - 1)
		synctest.Wait()
		require.True(t, b.Connected())
		<-b.Done()
		require.Equal(t, 30*time.Second, time.Since(began))
		require.Equal(t, -1, l.closeCode())
	})
}

// A daemon that reads slowly is no stall as long as it reads.
func TestASlowReaderIsNoStall(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		p := Chrome
		p.Limits.Silence = 0
		b, l := d.connected(t, Config{Profile: p})
		b.NetOut(memnet.Delay{D: 29 * time.Second})
		long := strings.Repeat("x", 3*fragment)
		require.NoError(t, b.SendText([]byte(long)))
		require.Equal(t, long, l.next(t).frame)
	})
}

func TestTheTraceHoldsEverythingButTheToken(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		var mu sync.Mutex
		var got []string
		b, l := d.connected(t, Config{Trace: func(e TraceEvent) {
			mu.Lock()
			defer mu.Unlock()
			require.Equal(t, 1, e.Conn)
			got = append(got, string(e.Dir)+" "+e.Kind+" "+string(e.Frame))
		}})
		l.command("1", "s", "click", `{}`, minute)
		l.next(t)
		require.NoError(t, b.SendText([]byte("my "+testToken+"!")))
		require.NoError(t, b.SendBinary([]byte("b")))
		require.NoError(t, b.WriteRaw([]byte{0x8a, 0x80, 0, 0, 0, 0}))
		require.NoError(t, b.CloseWith(1000, "done"))
		mu.Lock()
		defer mu.Unlock()
		require.Equal(t, []string{
			"out open " + Chrome.Origin,
			`out text {"type":"hello","browser":"chrome","browser_version":"156.0.8078.114","extension_version":"1.0.0","sessions":[],"file_access":true}`,
			`in text {"type":"welcome","daemon_version":"1","limits":{}}`,
			`in text {"type":"command","id":"1","session":"s","action":"click","args":{},"deadline_ms":60000}`,
			`out text {"type":"result","id":"1","ok":true,"data":{}}`,
			"out text my <token>!",
			"out binary b",
			"out raw \x8a\x80\x00\x00\x00\x00",
			"out close 1000 done",
			"in close 1000 done",
		}, got[:10])
		require.Len(t, got, 11)
		require.True(t, strings.HasPrefix(got[10], "in end "))
	})
}

func TestRecordsCanBeLimited(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{Keep: 2})
		for range 9 {
			click(l, "1")
			l.next(t)
		}
		starts := b.Starts()
		require.LessOrEqual(t, len(starts), 4)
		require.Equal(t, 9, starts[len(starts)-1].Seq)
	})
}
