package sim

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const minute = time.Minute

func TestOneRunsAnd32Wait(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		b.Hold(ByID("0"))
		for i := range 33 {
			l.command(fmt.Sprint(i), "s", "click", `{"ref":"e1"}`, minute)
		}
		l.nothing(t)
		require.Equal(t, 1, b.StartsOf(nil))
		l.command("33", "s", "click", `{"ref":"e1"}`, minute)
		require.Equal(t, "33 busy", l.code(t))
		l.command("34", "other", "click", `{"ref":"e1"}`, minute)
		require.Equal(t, "34 ok", l.code(t), "another session goes on")

		first, err := b.Await(t.Context(), ByID("0"))
		require.NoError(t, err)
		require.True(t, b.Release(first, Data(`{}`)))
		for i := range 33 {
			require.Equal(t, fmt.Sprintf("%d ok", i), l.code(t), "in order")
		}
		require.Equal(t, 34, b.StartsOf(ByAction("click")))
		require.Equal(t, 35, len(b.Received()))
		require.Zero(t, b.StartsOf(ByID("33")))
	})
}

func TestOneOfASessionAtATime(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{Respond: func(context.Context, Start) Reply { return After(time.Second, Data(`{}`)) }})
		began := time.Now()
		for i := range 3 {
			l.command(fmt.Sprint("a", i), "a", "click", `{}`, minute)
			l.command(fmt.Sprint("b", i), "b", "click", `{}`, minute)
		}
		var at []time.Duration
		for range 6 {
			at = append(at, l.next(t).at.Sub(began))
		}
		require.Equal(t, []time.Duration{time.Second, time.Second, 2 * time.Second, 2 * time.Second, 3 * time.Second, 3 * time.Second}, at)
		for i, s := range b.Starts() {
			require.Equal(t, i+1, s.Seq)
			require.Equal(t, time.Duration(i/2)*time.Second, s.At.Sub(began))
		}
	})
}

func TestSomeRunBesideTheQueue(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		b.Hold(ByAction("evaluate"))
		for i := range 33 {
			l.command(fmt.Sprint(i), "s", "evaluate", `{"code":"alert(1)"}`, minute)
		}
		for _, action := range []string{"dialog", "cdp_detach", "artifact_close"} {
			l.command(action, "s", action, `{"accept":true,"artifact":"x"}`, minute)
			want := action + " ok"
			if action == "artifact_close" {
				want = action + " not_found"
			}
			require.Equal(t, want, l.code(t))
		}
		require.Equal(t, 1, b.StartsOf(ByAction("evaluate")))
		require.Zero(t, b.StartsOf(ByAction("artifact_close")), "the daemon's own commands start nothing")
	})
}

func TestCloseSessionAnswersInOrder(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{PersonTabs: []string{"https://person.example/"}})
		l.command("n", "s", "navigate", `{"url":"https://a.example/"}`, minute)
		l.command("b", "s", "borrow", `{"tab":1}`, minute)
		require.Equal(t, "n ok", l.code(t))
		require.Equal(t, "b ok", l.code(t))
		b.Hold(ByAction("click"))
		for _, id := range []string{"running", "first", "second"} {
			l.command(id, "s", "click", `{"ref":"e1"}`, minute)
		}
		l.command("other", "t", "click", `{"ref":"e1"}`, minute)
		l.command("close", "s", "close_session", `{}`, minute)
		require.Equal(t, "first session_closed", l.code(t))
		require.Equal(t, "second session_closed", l.code(t))
		require.Equal(t, "running outcome_unknown", l.code(t))
		r := l.result(t)
		require.Equal(t, "close", r.ID)
		require.JSONEq(t, `{"closed":[2],"released":[1]}`, string(r.Data))
		l.nothing(t)
		require.Equal(t, []string{"t"}, b.Sessions())
		require.Zero(t, b.StartsOf(ByID("first"))+b.StartsOf(ByID("second")), "none runs later")

		l.command("again", "s", "hover", `{"ref":"e1"}`, minute)
		require.Equal(t, "again ok", l.code(t), "the name may be used again")
	})
}

func TestACloseSessionThatFailsClosesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{Sessions: []string{"s"}})
		b.Hold(ByAction("click"))
		l.command("1", "s", "click", `{}`, minute)
		b.SetRespond(func(context.Context, Start) Reply { return Fail(protocol.Internal, "it broke") })
		l.command("2", "s", "close_session", `{}`, minute)
		require.Equal(t, "2 internal", l.code(t))
		require.Equal(t, []string{"s"}, b.Sessions())
		running, err := b.Await(t.Context(), ByID("1"))
		require.NoError(t, err)
		require.True(t, b.Release(running, Default()))
		require.Equal(t, "1 ok", l.code(t))
	})
}

func TestTheExtensionsOwnDeadline(t *testing.T) {
	for _, tc := range []struct{ left, own time.Duration }{
		{30 * time.Second, 29750 * time.Millisecond},
		{time.Second, 750 * time.Millisecond},
		{1004 * time.Millisecond, 754 * time.Millisecond},
		{100 * time.Millisecond, 75 * time.Millisecond},
		{time.Millisecond, 750 * time.Microsecond},
	} {
		inBubble(t, func(t *testing.T, d *fakeDaemon) {
			b, l := d.connected(t, Config{})
			b.Hold(nil)
			began := time.Now()
			l.command("runs", "s", "click", `{}`, tc.left)
			l.command("waits", "s", "click", `{}`, tc.left+4*time.Millisecond)
			f := l.next(t)
			require.Equal(t, tc.own, f.at.Sub(began))
			require.Contains(t, f.frame, `"runs"`)
			require.Contains(t, f.frame, `outcome_unknown`)
			started, err := b.Await(t.Context(), ByID("waits"))
			require.NoError(t, err)
			require.Equal(t, tc.own, started.At.Sub(began), "the session goes on")
		})
	}
}

// What waits past its own deadline is answered then, and never started.
func TestTooLateToStart(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		b.Hold(ByID("runs"))
		began := time.Now()
		l.command("runs", "s", "click", `{}`, minute)
		l.command("waits", "s", "click", `{}`, time.Second)
		l.command("then", "s", "click", `{}`, minute)
		f := l.next(t)
		require.Equal(t, 750*time.Millisecond, f.at.Sub(began))
		require.Contains(t, f.frame, `"waits"`)
		require.Contains(t, f.frame, `outcome_unknown`)
		running, err := b.Await(t.Context(), ByID("runs"))
		require.NoError(t, err)
		b.Release(running, Default())
		require.Equal(t, "runs ok", l.code(t))
		require.Equal(t, "then ok", l.code(t))
		require.Zero(t, b.StartsOf(ByID("waits")))

		l.command("past", "s", "click", `{}`, 0)
		require.Equal(t, "past outcome_unknown", l.code(t))
		l.command("negative", "s", "click", `{}`, -time.Second)
		require.Equal(t, "negative outcome_unknown", l.code(t))
		require.Zero(t, b.StartsOf(ByID("past"))+b.StartsOf(ByID("negative")))
		require.Len(t, b.Received(), 5)
	})
}

func TestTwoJobsAtATime(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		b.Hold(ByAction("screenshot", "pdf"))
		l.command("1", "a", "screenshot", `{}`, minute)
		l.command("2", "b", "pdf", `{}`, minute)
		synctest.Wait()
		l.command("3", "c", "screenshot", `{}`, minute)
		l.command("behind", "c", "click", `{}`, minute)
		l.command("4", "d", "click", `{}`, minute)
		require.Equal(t, "4 ok", l.code(t), "other work goes on")
		require.Equal(t, 2, b.StartsOf(ByAction("screenshot", "pdf")))
		first, err := b.Await(t.Context(), ByID("1"))
		require.NoError(t, err)
		b.Release(first, Default())
		require.Equal(t, "1 ok", l.code(t))
		third, err := b.Await(t.Context(), ByID("3"))
		require.NoError(t, err)
		require.Zero(t, b.StartsOf(ByID("behind")), "it keeps its place in its session")
		b.Release(third, Default())
		require.Equal(t, "3 ok", l.code(t))
		require.Equal(t, "behind ok", l.code(t))
	})
}

// A job that gives up waiting leaves its place to the next.
func TestAJobsPlaceIsFreedAtItsDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		b.Hold(nil)
		for i, left := range []time.Duration{time.Second, minute, minute, time.Second} {
			l.command(fmt.Sprint(i), fmt.Sprint("s", i), "pdf", `{}`, left)
			synctest.Wait()
		}
		got := []string{l.code(t), l.code(t)}
		require.ElementsMatch(t, []string{"0 outcome_unknown", "3 outcome_unknown"}, got)
		_, err := b.Await(t.Context(), ByID("2"))
		require.NoError(t, err)
		require.Zero(t, b.StartsOf(ByID("3")))
	})
}

func TestUnsupportedIsAnsweredAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{Profile: Firefox})
		b.Hold(ByAction("click"))
		l.command("1", "s", "click", `{}`, minute)
		_, err := b.Await(t.Context(), ByID("1"))
		require.NoError(t, err)
		for action, missing := range Firefox.Unsupported {
			l.command(action, "s", action, `{}`, minute)
			r := l.result(t)
			require.Equal(t, action, r.ID)
			require.Equal(t, protocol.Unsupported, r.Error.Code)
			require.Contains(t, r.Error.Message, missing)
		}
		require.Equal(t, 1, b.StartsOf(nil))
	})
}

// A link's end forgets what waited and ran; nothing of it is started or
// answered on the next link.
func TestADropForgetsTheQueue(t *testing.T) {
	for name, drop := range map[string]func(*Browser){"FIN": (*Browser).Drop, "RST": (*Browser).Reset} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *fakeDaemon) {
				b, l := d.connected(t, Config{Respond: func(_ context.Context, s Start) Reply {
					if s.ID == "0" {
						return Artifact(nil, "")
					}
					return Default()
				}})
				b.Hold(ByID("1"))
				l.command("0", "a", "evaluate", `{"code":"1"}`, minute)
				require.Equal(t, "0 ok", l.code(t))
				l.command("1", "s", "click", `{}`, 10*time.Second)
				l.command("2", "s", "click", `{}`, 2*minute)
				running, err := b.Await(t.Context(), ByID("1"))
				require.NoError(t, err)
				old := b.current()
				require.Equal(t, 1, old.artifacts.count())
				drop(b)
				require.Zero(t, old.artifacts.count())
				require.Equal(t, -1, l.closeCode())
				require.NoError(t, b.Connect(t.Context()))
				l = <-d.links
				l.next(t)
				time.Sleep(minute)
				l.nothing(t)
				require.Len(t, b.Starts(), 2)
				l.command("1", "s", "click", `{}`, minute)
				again, err := b.Await(t.Context(), ByID("1"))
				require.NoError(t, err)
				require.Equal(t, 2, again.Conn)
				require.False(t, b.Release(running, Default()), "the same id on another connection is another command")
				require.True(t, b.Release(again, Default()))
				require.Equal(t, "1 ok", l.code(t))
			})
		})
	}
}
