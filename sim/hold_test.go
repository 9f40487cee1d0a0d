package sim

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestHoldAndRelease(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		end := b.Hold(AllOf(BySession("s"), ByArg("ref", "e1")))
		l.command("1", "s", "click", `{"ref":"e1"}`, minute)
		l.command("2", "t", "click", `{"ref":"e1"}`, minute)
		l.command("3", "u", "click", `{"ref":"e2"}`, minute)
		require.ElementsMatch(t, []string{"2 ok", "3 ok"}, []string{l.code(t), l.code(t)})
		held, err := b.Await(t.Context(), BySession("s"))
		require.NoError(t, err)
		require.Equal(t, Start{
			Seq: held.Seq, At: held.At, Conn: 1, ID: "1", Session: "s", Action: "click",
			Args: []byte(`{"ref":"e1"}`), DeadlineMS: 60_000,
		}, held)
		require.True(t, b.Release(held, Fail(protocol.StaleRef, "gone")))
		require.Equal(t, "1 stale_ref", l.code(t))
		require.False(t, b.Release(held, Default()), "it was answered")

		end()
		l.command("4", "s", "click", `{"ref":"e1"}`, minute)
		require.Equal(t, "4 ok", l.code(t))
	})
}

func TestAReleaseMayComeBeforeTheHold(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		wait := make(chan struct{})
		b, l := d.connected(t, Config{Respond: func(context.Context, Start) Reply {
			<-wait
			return Hold()
		}})
		l.command("1", "s", "click", `{}`, minute)
		s, err := b.Await(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, b.Release(s, Data(`{"dialog":{"type":"alert","message":"hi"}}`)))
		require.False(t, b.Release(s, Default()), "once")
		close(wait)
		require.JSONEq(t, `{"dialog":{"type":"alert","message":"hi"}}`, string(l.result(t).Data))
	})
}

func TestEachStartIsAwaitedOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{})
		l.command("1", "s", "click", `{}`, minute)
		l.command("2", "s", "click", `{}`, minute)
		l.command("3", "s", "hover", `{}`, minute)
		for _, want := range []string{"1", "2"} {
			s, err := b.Await(t.Context(), ByAction("click"))
			require.NoError(t, err)
			require.Equal(t, want, s.ID)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := b.Await(ctx, ByAction("click"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		r, err := b.AwaitReceived(t.Context(), ByAction("click"))
		require.NoError(t, err)
		require.Equal(t, "1", r.ID, "receipts are awaited apart from starts")
		require.Equal(t, 2, b.StartsOf(AllOf(ByAction("click"), ByArgs(`{}`))))
		require.Equal(t, 3, b.StartsOf(nil))
	})
}

func TestRespondIsToldWhenItsCommandIsOver(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		over := make(chan time.Time, 1)
		_, l := d.connected(t, Config{Respond: func(ctx context.Context, s Start) Reply {
			if s.Action == "close_session" {
				return Default()
			}
			<-ctx.Done()
			over <- time.Now()
			return Data(`{"late":true}`)
		}})
		began := time.Now()
		l.command("1", "s", "click", `{}`, time.Second)
		require.Equal(t, "1 outcome_unknown", l.code(t))
		require.Equal(t, 750*time.Millisecond, (<-over).Sub(began))
		l.nothing(t)

		l.command("2", "s", "click", `{}`, minute)
		synctest.Wait()
		l.command("3", "s", "close_session", `{}`, minute)
		require.Equal(t, "2 outcome_unknown", l.code(t))
		require.Equal(t, "3 ok", l.code(t))
		<-over
		l.nothing(t)
	})
}

func TestRepliesOfEveryKind(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		var reply Reply
		_, l := d.connected(t, Config{Respond: func(context.Context, Start) Reply { return reply }})
		began := time.Now()
		for _, tc := range []struct {
			reply Reply
			want  string
			after time.Duration
		}{
			{Reply{}, `{"type":"result","id":"1","ok":true,"data":{}}`, 0},
			{Data(`{"x":"\ud800"}`), `{"type":"result","id":"1","ok":true,"data":{"x":"\ud800"}}`, 0},
			{Fail(protocol.Busy, "no"), `{"type":"result","id":"1","ok":false,"error":{"code":"busy","message":"no"}}`, 0},
			{Frame(`nonsense`), `nonsense`, 0},
			{After(time.Second, After(time.Second, Fail(protocol.PageError, "threw"))), `{"type":"result","id":"1","ok":false,"error":{"code":"page_error","message":"threw"}}`, 2 * time.Second},
			{Artifact([]byte("abc"), `{"pages":3}`), `{"type":"result","id":"1","ok":true,"data":{"pages":3,"artifact":"artifact-1","bytes":3}}`, 2 * time.Second},
		} {
			reply = tc.reply
			l.command("1", "s", "click", `{}`, minute)
			f := l.next(t)
			require.Equal(t, tc.want, f.frame)
			require.Equal(t, tc.after, f.at.Sub(began))
		}
	})
}
