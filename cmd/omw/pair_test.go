package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// pairingGate is a daemon as far as pairing goes: the real one's gate, with the
// time that a call takes.
type pairingGate struct {
	*gate.Pairing
	began time.Time
	delay time.Duration
	fail  error
}

func newPairingGate() *pairingGate {
	return &pairingGate{Pairing: gate.NewPairing(protocol.DefaultLimits()), began: time.Now()}
}

func (g *pairingGate) OpenPairing(context.Context) (client.Pairing, error) {
	code, expires := g.Open()
	p := client.Pairing{Code: code, ExpiresMS: time.Until(expires).Milliseconds()}
	time.Sleep(g.delay)
	return p, g.fail
}

func (g *pairingGate) Status(ctx context.Context) (client.DaemonStatus, error) {
	var s client.DaemonStatus
	open, expires, left, attempts := g.Pairing.Status()
	s.UptimeMS = time.Since(g.began).Milliseconds()
	s.Pairing.Open = open
	if open {
		s.Pairing.ExpiresMS, s.Pairing.AttemptsLeft = time.Until(expires).Milliseconds(), left
	}
	for _, a := range attempts {
		s.Pairing.Attempts = append(s.Pairing.Attempts, client.PairingAttempt{Origin: a.Origin, Outcome: a.Outcome, AgoMS: time.Since(a.At).Milliseconds()})
	}
	time.Sleep(g.delay)
	return s, errors.Join(g.fail, ctx.Err())
}

// record is a view that remembers.
type record struct {
	shown chan string
	got   []string
	last  time.Duration
}

func newRecord() *record { return &record{shown: make(chan string, 1)} }

func (r *record) code(p client.Pairing) { r.shown <- p.Code }
func (r *record) attempt(a client.PairingAttempt) {
	r.got = append(r.got, a.Outcome+" "+a.Origin)
}
func (r *record) left(d time.Duration, _ int) { r.last = d }
func (r *record) end(e pairingEnd)            { r.got = append(r.got, string(e)) }

// inPairing runs pair in virtual time, beside what the extension does with the
// code that it shows.
func inPairing(t *testing.T, delay time.Duration, extension func(ctx context.Context, g *pairingGate, code string)) (r *record, took time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := newPairingGate()
		g.delay = delay
		r = newRecord()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		start := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			code := <-r.shown
			time.Sleep(time.Millisecond) // the first status is of before
			extension(ctx, g, code)
		}()
		err = pair(ctx, g, r)
		took = time.Since(start)
		<-done
	})
	return r, took, err
}

const origin, otherOrigin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop", "moz-extension://3f2504e0-4f89-41d3-9a0c-0305e82c3301"

func TestPairIsRedeemed(t *testing.T) {
	r, took, err := inPairing(t, 0, func(_ context.Context, g *pairingGate, code string) {
		_ = g.Redeem("000000"[:5]+"x", origin) // malformed: no attempt
		_ = g.Redeem(notThe(code), otherOrigin)
		for range 3 {
			_ = g.Redeem(code, otherOrigin) // too soon
		}
		time.Sleep(time.Second)
		_ = g.Redeem(code, origin)
	})
	require.NoError(t, err)
	require.Equal(t, []string{
		"wrong " + otherOrigin, "too_soon " + otherOrigin, "too_soon " + otherOrigin, "too_soon " + otherOrigin, "redeemed " + origin, "redeemed",
	}, r.got)
	require.Equal(t, 1500*time.Millisecond, took, "the poll behind the redemption")
}

// notThe returns a code that is not that one.
func notThe(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

func TestPairIsSpent(t *testing.T) {
	r, _, err := inPairing(t, 0, func(_ context.Context, g *pairingGate, code string) {
		for range 5 {
			_ = g.Redeem(notThe(code), origin)
			time.Sleep(time.Second)
		}
	})
	require.Equal(t, ended{exitFailed}, err)
	require.Len(t, r.got, 6)
	require.Equal(t, "spent", r.got[5])
}

// Nothing happens for five minutes. A slow daemon changes nothing about how it ends.
func TestPairExpires(t *testing.T) {
	for _, delay := range []time.Duration{0, 700 * time.Millisecond, 3 * time.Second} {
		t.Run(delay.String(), func(t *testing.T) {
			r, took, err := inPairing(t, delay, func(context.Context, *pairingGate, string) {})
			require.Equal(t, ended{exitFailed}, err)
			require.Equal(t, []string{"expired"}, r.got)
			require.GreaterOrEqual(t, took, 5*time.Minute)
			require.LessOrEqual(t, took, 5*time.Minute+2*(pollEvery+delay))
		})
	}
}

// Four wrong codes and then silence is an expiry, and no spent code.
func TestPairExpiresWithWrongCodes(t *testing.T) {
	r, _, err := inPairing(t, 0, func(_ context.Context, g *pairingGate, code string) {
		for range 4 {
			_ = g.Redeem(notThe(code), origin)
			time.Sleep(time.Second)
		}
	})
	require.Equal(t, ended{exitFailed}, err)
	require.Equal(t, "expired", r.got[4])
}

func TestPairIsVoided(t *testing.T) {
	for name, void := range map[string]func(g *pairingGate){
		"by another code": func(g *pairingGate) { g.Open() },
		"by a rotation":   func(g *pairingGate) { g.Void() },
	} {
		t.Run(name, func(t *testing.T) {
			r, took, err := inPairing(t, 0, func(_ context.Context, g *pairingGate, _ string) {
				time.Sleep(time.Minute)
				void(g)
			})
			require.Equal(t, ended{exitFailed}, err)
			require.Equal(t, []string{"voided"}, r.got)
			require.Less(t, took, time.Minute+2*pollEvery)
		})
	}
}

// What the next code is tried with is not ours to show.
func TestPairShowsNothingOfTheNextCode(t *testing.T) {
	r, _, _ := inPairing(t, 0, func(_ context.Context, g *pairingGate, _ string) {
		time.Sleep(time.Minute)
		next, _ := g.Open()
		_ = g.Redeem(notThe(next), otherOrigin)
	})
	require.Equal(t, []string{"voided"}, r.got)
}

func TestPairIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, r := newPairingGate(), newRecord()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second+pollEvery/2, cancel)
		err := pair(ctx, g, r)
		require.Equal(t, ended{exitFailed}, err)
		require.Equal(t, []string{"left"}, r.got)
		open, _, _, _ := g.Pairing.Status()
		require.True(t, open)
		require.Equal(t, 4*time.Minute+50*time.Second, r.last, "the countdown")
	})
}

func TestPairWithoutADaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, r := newPairingGate(), newRecord()
		g.fail = protocol.Errorf(protocol.NotConnected, "gone")
		require.ErrorIs(t, pair(t.Context(), g, r), g.fail)
		require.Empty(t, r.got)
	})
}

func TestPairingForPeople(t *testing.T) {
	var b bytes.Buffer
	v := &pairingText{w: &b}
	v.code(client.Pairing{Code: "012345", ExpiresMS: 300000})
	v.left(4*time.Minute+58*time.Second, 5)
	v.attempt(client.PairingAttempt{Origin: sim.Firefox.Origin, Outcome: "wrong"})
	v.attempt(client.PairingAttempt{Origin: "x\x1b[2J", Outcome: "too_soon"})
	v.end(pairingSpent)
	require.Equal(t, "Pairing code: 012345\nType it into the setup page of the extension. It is valid for 5m0s.\n"+
		sim.Firefox.Origin+" sent a wrong code\nx\ufffd[2J tried again too soon\n"+
		"The code is void: every attempt was wrong. Run omw pair again.\n", b.String())

	b.Reset()
	v.terminal = true
	v.left(4*time.Minute+57600*time.Millisecond, 5)
	v.end(pairingRedeemed)
	require.Equal(t, clearLine+"4:58 left, 5 attempts "+clearLine+"Paired.\n", b.String())

	for _, e := range []pairingEnd{pairingRedeemed, pairingExpired, pairingSpent, pairingVoided, pairingLeft} {
		b.Reset()
		v.end(e)
		require.True(t, strings.HasSuffix(b.String(), ".\n"), e)
		var j bytes.Buffer
		(&pairingJSON{w: &j}).end(e)
		require.Equal(t, fmt.Sprintf("{\"event\":%q}\n", e), j.String())
	}
}
