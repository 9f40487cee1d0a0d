package main

import (
	"slices"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// pairingEnd is how a pairing ends; empty while it goes on.
type pairingEnd string

const (
	pairingRedeemed pairingEnd = "redeemed"
	pairingExpired  pairingEnd = "expired"
	// pairingSpent: every attempt was wrong.
	pairingSpent pairingEnd = "spent"
	// pairingVoided: another code took its place, or the daemon started anew.
	pairingVoided pairingEnd = "voided"
	// pairingLeft: the person does not want to wait for it. The code stays open.
	pairingLeft pairingEnd = "left"
)

// pairingWatch follows one code through the daemon's statuses. Moments are on
// the daemon's clock, in milliseconds since it began, so that it does not matter
// how long a status was under way.
type pairingWatch struct {
	// expires is by the wall clock, which goes on while the machine sleeps.
	expires time.Time
	// ends is when the code that the first status had is no longer valid.
	ends  int64
	seen  []seenAttempt
	wrong int
	done  bool // it was redeemed
}

type seenAttempt struct {
	origin, outcome string
	at              int64
}

func newPairingWatch(p client.Pairing, now time.Time) *pairingWatch {
	return &pairingWatch{expires: now.Round(0).Add(time.Duration(p.ExpiresMS) * time.Millisecond)}
}

// slackMS is how far two statuses may differ about one moment: each reads the
// daemon's clock twice.
const slackMS = 100

func same(a, b int64) bool { return max(a-b, b-a) <= slackMS }

// news returns the attempts that no earlier status had.
func (w *pairingWatch) news(s client.DaemonStatus) []client.PairingAttempt {
	if w.ends == 0 && s.Pairing.Open {
		w.ends = s.UptimeMS + s.Pairing.ExpiresMS
	}
	if w.replaced(s) {
		return nil
	}
	var out []client.PairingAttempt
	var all []seenAttempt
	for _, a := range s.Pairing.Attempts {
		now := seenAttempt{a.Origin, a.Outcome, s.UptimeMS - a.AgoMS}
		all = append(all, now)
		if w.take(now) {
			continue
		}
		switch a.Outcome {
		case "wrong":
			w.wrong++
		case "redeemed":
			w.done = true
		}
		out = append(out, a)
	}
	w.seen = all
	return out
}

// take removes the attempt from those seen and reports whether it was there.
func (w *pairingWatch) take(a seenAttempt) bool {
	i := slices.IndexFunc(w.seen, func(s seenAttempt) bool {
		return s.origin == a.origin && s.outcome == a.outcome && same(s.at, a.at)
	})
	if i < 0 {
		return false
	}
	w.seen = slices.Delete(w.seen, i, i+1)
	return true
}

// replaced reports whether the code that is open is not ours.
func (w *pairingWatch) replaced(s client.DaemonStatus) bool {
	return s.Pairing.Open && !same(w.ends, s.UptimeMS+s.Pairing.ExpiresMS)
}

// end returns how the pairing ended, if it did.
func (w *pairingWatch) end(s client.DaemonStatus, now time.Time) pairingEnd {
	switch {
	case w.done:
		return pairingRedeemed
	case w.replaced(s):
		return pairingVoided
	case s.Pairing.Open:
		return ""
	case w.wrong >= protocol.DefaultLimits().PairAttempts:
		return pairingSpent
	case now.Round(0).After(w.expires.Add(-pollEvery)):
		// The daemon's time for the code began a little before ours.
		return pairingExpired
	}
	return pairingVoided
}
