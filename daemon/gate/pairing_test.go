package gate_test

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

var limits = protocol.DefaultLimits()

// wrong returns a well-formed guess that is not the code.
func wrong(code string) string {
	n, _ := strconv.Atoi(code)
	return fmt.Sprintf("%06d", (n+1)%1_000_000)
}

func codeOf(err *protocol.Error) protocol.Code {
	if err == nil {
		return ""
	}
	return err.Code
}

// inBubble runs f in virtual time with a Pairing of the real limits.
func inBubble(t *testing.T, f func(t *testing.T, p *gate.Pairing)) {
	synctest.Test(t, func(t *testing.T) { f(t, gate.NewPairing(limits)) })
}

func TestCodeIsSixDigits(t *testing.T) {
	p, zeros := gate.NewPairing(limits), 0
	for range 500 {
		code, _ := p.Open()
		require.Regexp(t, `^[0-9]{6}$`, code)
		if code[0] == '0' {
			zeros++
		}
	}
	require.Positive(t, zeros, "leading zeros are kept")
	require.Less(t, zeros, 150, "and not all that there is")
}

func TestCodeIsRedeemedOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		code, _ := p.Open()
		require.Nil(t, p.Redeem(code, chromeExt))
		time.Sleep(limits.PairInterval)
		require.Equal(t, protocol.Unauthorized, codeOf(p.Redeem(code, chromeExt)))
	})
}

// AUTH-08: a code is valid while it is less than five minutes old.
func TestAgeOfACode(t *testing.T) {
	for age, want := range map[time.Duration]protocol.Code{
		0: "", 4*time.Minute + 59*time.Second: "", 5*time.Minute - 1: "",
		5 * time.Minute: protocol.Unauthorized, 5*time.Minute + 1: protocol.Unauthorized, 5*time.Minute + time.Second: protocol.Unauthorized,
	} {
		t.Run(age.String(), func(t *testing.T) {
			inBubble(t, func(t *testing.T, p *gate.Pairing) {
				code, expires := p.Open()
				require.Equal(t, time.Now().Add(5*time.Minute), expires)
				time.Sleep(age)
				open, until, left, _ := p.Status()
				require.Equal(t, want == "", open)
				require.Equal(t, expires, until)
				require.Equal(t, 5, left)
				require.Equal(t, want, codeOf(p.Redeem(code, chromeExt)))
			})
		})
	}
}

// AUTH-09: the fifth attempt still counts, the sixth does not.
func TestAttemptsOfACode(t *testing.T) {
	for misses, want := range map[int]protocol.Code{0: "", 1: "", 4: "", 5: protocol.Unauthorized, 6: protocol.Unauthorized} {
		t.Run(strconv.Itoa(misses), func(t *testing.T) {
			inBubble(t, func(t *testing.T, p *gate.Pairing) {
				code, _ := p.Open()
				for i := range misses {
					require.Equal(t, protocol.Unauthorized, codeOf(p.Redeem(wrong(code), chromeExt)))
					time.Sleep(limits.PairInterval)
					open, _, left, _ := p.Status()
					require.Equal(t, max(0, 4-i), left)
					require.Equal(t, i < 4, open)
				}
				require.Equal(t, want, codeOf(p.Redeem(code, chromeExt)))
			})
		})
	}
}

func TestNewCodeTakesTheOldOnesPlace(t *testing.T) {
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		old, _ := p.Open()
		for range 5 {
			require.NotNil(t, p.Redeem(wrong(old), chromeExt))
			time.Sleep(limits.PairInterval)
		}
		code, _ := p.Open()
		for code == old {
			code, _ = p.Open()
		}
		open, _, left, attempts := p.Status()
		require.True(t, open)
		require.Equal(t, 5, left)
		require.Empty(t, attempts)
		require.Equal(t, protocol.Unauthorized, codeOf(p.Redeem(old, chromeExt)))
		time.Sleep(limits.PairInterval)
		require.Nil(t, p.Redeem(code, chromeExt))
	})
}

// C02: what is not six ASCII digits can never match, so it costs nothing, not
// even the second that a guess costs.
func TestMalformedCodeCostsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		code, _ := p.Open()
		for _, s := range []string{
			"", "12345", "0012345", " 12345", "12345 ", "+12345", "-12345", "1234.5", "12345a", "0x1234", "1e5000",
			"０１２３４５", "٠١٢٣٤٥", "12345\x00", "\x0012345", "12345\n", "1_2345", code + " ", " " + code, code + code, code[1:],
		} {
			require.Equal(t, protocol.BadRequest, codeOf(p.Redeem(s, chromeExt)), "%q", s)
		}
		_, _, left, attempts := p.Status()
		require.Equal(t, 5, left)
		require.Empty(t, attempts)
		require.Nil(t, p.Redeem(code, chromeExt))
	})
}

// AUTH-21: one well-formed guess a second, and the one too soon is not compared.
func TestGuessesAreASecondApart(t *testing.T) {
	for after, want := range map[time.Duration]protocol.Code{
		0: protocol.Busy, time.Second - 1: protocol.Busy, time.Second: "", time.Second + 1: "",
	} {
		t.Run(after.String(), func(t *testing.T) {
			inBubble(t, func(t *testing.T, p *gate.Pairing) {
				code, _ := p.Open()
				require.NotNil(t, p.Redeem(wrong(code), chromeExt))
				time.Sleep(after)
				require.Equal(t, want, codeOf(p.Redeem(code, mozExt)))
				_, _, left, _ := p.Status()
				if want == protocol.Busy {
					require.Equal(t, 4, left, "it spent nothing")
				} else {
					require.Equal(t, 3, left, "attempts are spent by right guesses too")
				}
			})
		})
	}
}

// A flood of guesses does not push the next possible one away.
func TestGuessesTooSoonDoNotProlongTheSecond(t *testing.T) {
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		code, _ := p.Open()
		require.NotNil(t, p.Redeem(wrong(code), chromeExt))
		for range 9 {
			time.Sleep(100 * time.Millisecond)
			require.Equal(t, protocol.Busy, codeOf(p.Redeem(code, chromeExt)))
		}
		time.Sleep(100 * time.Millisecond)
		require.Nil(t, p.Redeem(code, mozExt))
	})
}

// Whether a code is open cannot be told from the replies, nor from their pace.
func TestRepliesDoNotTellWhetherACodeIsOpen(t *testing.T) {
	replies := func(p *gate.Pairing, guess string) (all []*protocol.Error) {
		for _, pause := range []time.Duration{0, time.Second - 1, 1, time.Second, 1} {
			time.Sleep(pause)
			all = append(all, p.Redeem(guess, chromeExt))
		}
		return all
	}
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		closed := replies(p, "000000")
		time.Sleep(limits.PairInterval)
		code, _ := p.Open()
		require.Equal(t, closed, replies(p, wrong(code)))
		time.Sleep(limits.PairAge)
		require.Equal(t, closed, replies(p, code), "one that is too old")
		time.Sleep(limits.PairInterval)
		code, _ = p.Open()
		p.Void()
		require.Equal(t, closed, replies(p, code), "one that was voided")
		require.Equal(t, []protocol.Code{protocol.Unauthorized, protocol.Busy, protocol.Unauthorized, protocol.Unauthorized, protocol.Busy},
			[]protocol.Code{closed[0].Code, closed[1].Code, closed[2].Code, closed[3].Code, closed[4].Code})
	})
}

func TestVoid(t *testing.T) {
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		p.Void()
		code, _ := p.Open()
		p.Void()
		open, _, _, _ := p.Status()
		require.False(t, open)
		require.Equal(t, protocol.Unauthorized, codeOf(p.Redeem(code, chromeExt)))
	})
}

func TestStatusBeforeAnyCode(t *testing.T) {
	inBubble(t, func(t *testing.T, p *gate.Pairing) {
		require.Equal(t, protocol.Unauthorized, codeOf(p.Redeem("123456", chromeExt)))
		open, expires, left, attempts := p.Status()
		require.False(t, open)
		require.Zero(t, expires)
		require.Zero(t, left)
		require.Equal(t, []gate.Attempt{{Origin: chromeExt, Outcome: gate.Wrong, At: time.Now()}}, attempts)
	})
}

// All under one lock: of many who know the code one gets in, and no storm of
// guesses gets more than one compared.
func TestConcurrentGuesses(t *testing.T) {
	p := gate.NewPairing(limits)
	code, _ := p.Open()
	var redeemed, other atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			switch codeOf(p.Redeem(code, chromeExt)) {
			case "":
				redeemed.Add(1)
			case protocol.Busy:
				other.Add(1)
			}
			p.Status()
		})
	}
	all.Wait()
	require.EqualValues(t, 1, redeemed.Load())
	require.EqualValues(t, 63, other.Load())
}
