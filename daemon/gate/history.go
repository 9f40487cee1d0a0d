package gate

import (
	"slices"
	"time"
)

// Outcome says what became of a guess.
type Outcome = string

// The outcomes. A guess is Wrong also when no code was open.
const (
	Wrong    Outcome = "wrong"
	Redeemed Outcome = "redeemed"
	TooSoon  Outcome = "too_soon"
)

// Attempt is one well-formed guess at a pairing code, without the guess.
type Attempt struct {
	// Origin is the Origin of the extension that guessed.
	Origin string
	// Outcome is Wrong, Redeemed or TooSoon.
	Outcome Outcome
	// At is when it was made.
	At time.Time
}

// remembered is how many attempts are kept.
const remembered = 20

// history holds the last attempts, the oldest first. Guesses that came too soon
// make room first: whoever floods must not wash away what omw pair has to show.
type history []Attempt

func (h *history) add(a Attempt) {
	if len(*h) == remembered {
		oldest := max(0, slices.IndexFunc(*h, func(a Attempt) bool { return a.Outcome == TooSoon }))
		*h = slices.Delete(*h, oldest, oldest+1)
	}
	*h = append(*h, a)
}

func (h history) copy() []Attempt { return slices.Clone(h) }
