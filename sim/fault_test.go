package sim

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// with runs test with a Browser that has these faults for clicks.
func with(t *testing.T, test func(t *testing.T, d *fakeDaemon, b *Browser, l *fakeLink), faults ...Fault) {
	t.Helper()
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		var rules []Rule
		for _, f := range faults {
			rules = append(rules, Rule{Fault: f, On: ByAction("click")})
		}
		b, l := d.connected(t, Config{Faults: rules})
		test(t, d, b, l)
	})
}

// goesOn says that the link is as good as before for other commands.
func goesOn(t *testing.T, l *fakeLink) {
	t.Helper()
	l.command("probe", "probe", "hover", `{}`, minute)
	require.Equal(t, "probe ok", l.code(t))
}

func click(l *fakeLink, id string) { l.command(id, "s", "click", `{"ref":"e1"}`, 30*time.Second) }

func TestNeverReply(t *testing.T) {
	with(t, func(t *testing.T, _ *fakeDaemon, b *Browser, l *fakeLink) {
		click(l, "1")
		time.Sleep(10 * minute)
		goesOn(t, l)
		require.Equal(t, 1, b.StartsOf(ByID("1")), "it has started")
	}, NeverReply{})
}

func TestNeverReplyHoldsItsTongueAtTheDeadlineToo(t *testing.T) {
	with(t, func(t *testing.T, _ *fakeDaemon, b *Browser, l *fakeLink) {
		b.Hold(ByAction("click"))
		click(l, "1")
		time.Sleep(10 * minute)
		goesOn(t, l)
	}, NeverReply{})
}

func TestLate(t *testing.T) {
	with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
		began := time.Now()
		click(l, "1")
		goesOn(t, l)
		f := l.next(t)
		require.Equal(t, 40*time.Second, f.at.Sub(began))
		require.Contains(t, f.frame, `"id":"1","ok":true`)
	}, Late{D: 40 * time.Second})
}

func TestTwice(t *testing.T) {
	with(t, func(t *testing.T, _ *fakeDaemon, b *Browser, l *fakeLink) {
		click(l, "1")
		require.Equal(t, "1 ok", l.code(t))
		require.Equal(t, "1 ok", l.code(t))
		goesOn(t, l)
		require.Equal(t, 1, b.StartsOf(ByID("1")))
	}, Twice{})
}

func TestWrongConnection(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		other, theirs := d.connected(t, Config{Profile: Firefox})
		_, l := d.connected(t, Config{Faults: []Rule{{Fault: WrongConnection{To: other}}}})
		click(l, "1")
		require.Equal(t, "1 ok", theirs.code(t))
		l.nothing(t)
		other.Drop()
		click(l, "2")
		l.nothing(t)
	})
}

func TestOutOfOrder(t *testing.T) {
	with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
		click(l, "1")
		l.nothing(t)
		click(l, "2")
		require.Equal(t, "2 ok", l.code(t))
		require.Equal(t, "1 ok", l.code(t))
		click(l, "3")
		l.nothing(t)
	}, &OutOfOrder{})
}

func TestCuts(t *testing.T) {
	for _, tc := range []struct {
		fault            Fault
		received, starts int
	}{
		{CutBeforeReading{}, 0, 0},
		{CutBeforeReading{RST: true}, 0, 0},
		{CutAfterReading{}, 1, 1},
		{CutAfterReading{RST: true}, 1, 1},
		{Reset{}, 1, 1},
	} {
		with(t, func(t *testing.T, _ *fakeDaemon, b *Browser, l *fakeLink) {
			click(l, "1")
			require.Equal(t, -1, l.closeCode())
			<-b.Done()
			require.Len(t, b.Received(), tc.received, "%#v", tc.fault)
			require.Len(t, b.Starts(), tc.starts, "%#v", tc.fault)
			l.nothing(t)
			require.NoError(t, b.Connect(t.Context()))
		}, tc.fault)
	}
}

func TestACutIsFINOrRST(t *testing.T) {
	for fault, rst := range map[Fault]bool{
		CutBeforeReading{}: false, CutBeforeReading{RST: true}: true,
		CutAfterReading{}: false, CutAfterReading{RST: true}: true, Reset{}: true,
	} {
		with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
			click(l, "1")
			<-l.over
			require.Equal(t, rst, strings.Contains(l.err.Error(), "reset"), "%#v: %v", fault, l.err)
		}, fault)
	}
}

func TestSplitAnswersArriveWhole(t *testing.T) {
	for _, n := range []int{0, 1, 7, 1 << 20} {
		with(t, func(t *testing.T, _ *fakeDaemon, b *Browser, l *fakeLink) {
			long := `{"value":"` + strings.Repeat("é", 4_000) + `"}`
			b.SetRespond(func(context.Context, Start) Reply { return Data(long) })
			click(l, "1")
			require.Equal(t, long, string(l.result(t).Data))
			goesOn(t, l)
		}, Split{Bytes: n})
	}
}

func TestStallFreezes(t *testing.T) {
	with(t, func(t *testing.T, _ *fakeDaemon, b *Browser, l *fakeLink) {
		click(l, "1")
		require.Empty(t, pings(l, time.Now(), 10*minute))
		require.True(t, b.Connected())
		b.Thaw()
		goesOn(t, l)
	}, Stall{})
}

func TestGarbage(t *testing.T) {
	for _, message := range []string{"", "null"} {
		with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
			click(l, "1")
			f := l.next(t).frame
			_, err := protocol.DecodeFrame([]byte(f))
			require.Error(t, err)
			if message != "" {
				require.Equal(t, message, f)
			}
			goesOn(t, l)
		}, Garbage{Message: message})
	}
}

func TestOversizeIsExact(t *testing.T) {
	for _, n := range []int{1000, 1 << 20, 1<<20 + 1} {
		with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
			click(l, "1")
			require.Len(t, l.next(t).frame, n)
			goesOn(t, l)
		}, Oversize{Bytes: n})
	}
	with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
		click(l, "1")
		require.Equal(t, "1 ok", l.code(t))
	}, Oversize{})
}

func TestCloseCode(t *testing.T) {
	for _, code := range []int{1000, 1001, 1008, 1011, 3000, 4999} {
		with(t, func(t *testing.T, _ *fakeDaemon, b *Browser, l *fakeLink) {
			click(l, "1")
			require.Equal(t, code, l.closeCode())
			require.ErrorContains(t, l.err, "because")
			<-b.Done()
			require.Len(t, b.Starts(), 1)
		}, CloseCode{Code: code, Reason: "because"})
	}
	// Codes that must not be sent are sent all the same.
	for _, code := range []int{1004, 1005, 1006, 1015, 999, 5000} {
		with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
			click(l, "1")
			require.Equal(t, -1, l.closeCode())
			require.ErrorContains(t, l.err, "invalid status code")
		}, CloseCode{Code: code})
	}
	with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
		click(l, "1")
		require.Equal(t, int(websocket.StatusNoStatusRcvd), l.closeCode())
	}, CloseCode{})
}

func TestWrongID(t *testing.T) {
	for id, want := range map[string]string{"": "no-1 ok", "other": "other ok"} {
		with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
			click(l, "1")
			require.Equal(t, want, l.code(t))
			goesOn(t, l)
		}, WrongID{ID: id})
	}
}

func TestResultsThatBreakTheirSchema(t *testing.T) {
	for want, fault := range map[string]Fault{
		`"data"`:                   NoResult{},
		`"ok" is true and "error"`: ResultAndError{},
		`"error" must be an object, not a string`:      BadError{},
		`"error" must be an object, not a number`:      BadError{Error: "5"},
		`"error.code" is "odd", which is not of the c`: BadError{Error: `{"code":"odd","message":"m"}`},
	} {
		with(t, func(t *testing.T, _ *fakeDaemon, b *Browser, l *fakeLink) {
			click(l, "1")
			r := l.result(t)
			require.Equal(t, "1", r.ID)
			require.ErrorContains(t, r.Bad, want)
			goesOn(t, l)
			require.Equal(t, 1, b.StartsOf(ByID("1")))
		}, fault)
	}
}

func TestBusyStartsNothing(t *testing.T) {
	with(t, func(t *testing.T, _ *fakeDaemon, b *Browser, l *fakeLink) {
		click(l, "1")
		require.Equal(t, "1 busy", l.code(t))
		goesOn(t, l)
		require.Len(t, b.Received(), 2)
		require.Zero(t, b.StartsOf(ByID("1")))
	}, Busy{})
}

func TestFaultsCompose(t *testing.T) {
	with(t, func(t *testing.T, _ *fakeDaemon, _ *Browser, l *fakeLink) {
		began := time.Now()
		click(l, "1")
		for range 2 {
			f := l.next(t)
			require.Equal(t, 2*time.Second, f.at.Sub(began))
			require.Contains(t, f.frame, `"id":"no-1"`)
		}
		goesOn(t, l)
	}, Late{D: 2 * time.Second}, Twice{}, WrongID{})
}

func TestRulesAreLimitedAndHealed(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		b.Inject(Rule{Fault: Busy{}, On: BySession("s"), Times: 2})
		for _, want := range []string{"1 busy", "2 busy", "3 ok"} {
			click(l, want[:1])
			require.Equal(t, want, l.code(t))
		}
		b.Inject(Rule{Fault: Busy{}})
		click(l, "4")
		require.Equal(t, "4 busy", l.code(t))
		b.Heal()
		click(l, "5")
		require.Equal(t, "5 ok", l.code(t))
	})
}
