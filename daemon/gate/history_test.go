package gate_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestAttemptsAreShownWithoutTheirGuesses(t *testing.T) {
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		code, _ := p.Open()
		start := time.Now()
		require.NotNil(t, p.Redeem(wrong(code), chromeExt))
		time.Sleep(time.Millisecond)
		require.NotNil(t, p.Redeem(code, chromeExt))
		time.Sleep(time.Second)
		require.Nil(t, p.Redeem(code, mozExt))
		open, _, left, attempts := p.Status()
		require.False(t, open)
		require.Equal(t, 3, left)
		require.Equal(t, []gate.Attempt{
			{Origin: chromeExt, Outcome: "wrong", At: start},
			{Origin: chromeExt, Outcome: "too_soon", At: start.Add(time.Millisecond)},
			{Origin: mozExt, Outcome: "redeemed", At: start.Add(time.Second + time.Millisecond)},
		}, attempts)
		shown := fmt.Sprintf("%+v", attempts)
		for _, guess := range []string{code, wrong(code)} {
			require.NotContains(t, shown, guess)
		}
		attempts[0].Outcome = "changed"
		_, _, _, again := p.Status()
		require.Equal(t, "wrong", again[0].Outcome, "the caller's copy is its own")
	})
}

func TestTwentyAttemptsAreRemembered(t *testing.T) {
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		var first time.Time
		for i := range 25 {
			if i == 5 {
				first = time.Now()
			}
			require.Equal(t, protocol.Unauthorized, codeOf(p.Redeem("123456", chromeExt)))
			time.Sleep(time.Second)
			_, _, _, attempts := p.Status()
			require.Len(t, attempts, min(20, i+1))
		}
		_, _, _, attempts := p.Status()
		require.Equal(t, first, attempts[0].At)
	})
}

// What omw pair must show is not washed away by a flood.
func TestFloodIsForgottenFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		code, _ := p.Open()
		require.Nil(t, p.Redeem(code, mozExt))
		for range 100 {
			require.Equal(t, protocol.Busy, codeOf(p.Redeem(code, chromeExt)))
		}
		_, _, _, attempts := p.Status()
		require.Len(t, attempts, 20)
		require.Equal(t, gate.Attempt{Origin: mozExt, Outcome: gate.Redeemed, At: time.Now()}, attempts[0])
	})
}
