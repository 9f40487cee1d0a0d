package sim

import (
	"math/rand/v2"
	"time"
)

// Backoff counts the tries to connect that failed in a row and says how long
// to wait before the next: with d = min(Max, Min x 2^n) after the n-th, from 0,
// uniform in [max(Min, d/2), d] (LIFE-04).
type Backoff struct {
	Min, Max time.Duration
	rng      *rand.Rand
	failed   int
}

// NewBackoff returns a Backoff whose jitter follows from seed.
func NewBackoff(least, most time.Duration, seed uint64) *Backoff {
	return &Backoff{Min: least, Max: most, rng: rand.New(rand.NewPCG(seed, 0x6f6d77))}
}

// Next returns the delay before the next try and counts one more failure.
func (b *Backoff) Next() time.Duration {
	d := b.Max
	// Past 62 doublings the product has long passed Max, and would overflow.
	if n := b.failed; n < 62 && b.Min <= b.Max>>n {
		d = b.Min << n
	}
	b.failed++
	least := max(b.Min, d/2)
	if d <= least {
		return least
	}
	return least + time.Duration(b.rng.Int64N(int64(d-least)+1))
}

// Reset starts again at Min, as a welcome does.
func (b *Backoff) Reset() { b.failed = 0 }
