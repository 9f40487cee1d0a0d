package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// For any seed and any bounds every delay lies in the envelope of LIFE-04.
func TestBackoffKeepsItsEnvelope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := time.Duration(rapid.Int64Range(1, int64(time.Minute)).Draw(t, "min"))
		most := least + time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "more"))
		b := NewBackoff(least, most, rapid.Uint64().Draw(t, "seed"))
		d := least
		for n := range 80 {
			got := b.Next()
			if got < max(least, d/2) || got > d {
				t.Fatalf("after %d failures: %v is not within %v and %v", n, got, max(least, d/2), d)
			}
			d = min(most, 2*d)
		}
		b.Reset()
		if got := b.Next(); got != least {
			t.Fatalf("after a reset: %v, want %v", got, least)
		}
	})
}

// The jitter reaches both ends of its range, and follows from the seed alone.
func TestBackoffJitter(t *testing.T) {
	lowest, highest := time.Hour, time.Duration(0)
	for seed := range uint64(2000) {
		a, b := NewBackoff(500*time.Millisecond, 30*time.Second, seed), NewBackoff(500*time.Millisecond, 30*time.Second, seed)
		for range 7 {
			require.Equal(t, a.Next(), b.Next())
		}
		last := a.Next()
		lowest, highest = min(lowest, last), max(highest, last)
	}
	require.Less(t, lowest, 15100*time.Millisecond)
	require.Greater(t, highest, 29900*time.Millisecond)
}
