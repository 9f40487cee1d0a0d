package browser_test

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestBufferHasItsRoomAndNoMore(t *testing.T) {
	for _, tc := range []struct {
		name       string
		held, take int64
		fits       bool
	}{
		{"nothing into nothing", 0, 0, true},
		{"all of it", 0, 100, true},
		{"one more", 0, 101, false},
		{"what is left", 60, 40, true},
		{"one more than is left", 60, 41, false},
		{"nothing into a full one", 100, 0, true},
		{"a claim that overflows", 60, math.MaxInt64, false},
		{"a claim of 2^53", 0, 1 << 53, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := browser.NewBuffer(100)
			require.True(t, b.Take(tc.held))
			require.Equal(t, tc.fits, b.Take(tc.take))
			if tc.fits {
				b.Free(tc.take)
			}
			require.Equal(t, tc.held, b.Held())
		})
	}
}

// A claim that does not fit costs nobody else anything, at no moment.
func TestClaimThatDoesNotFitIsNoNuisance(t *testing.T) {
	b := browser.NewBuffer(100)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10_000 {
				if b.Take(1 << 53) {
					t.Error("a claim of 2^53 was taken")
				}
			}
		})
		all.Go(func() {
			for range 10_000 {
				if !b.Take(25) {
					t.Error("25 of 100 were not there, though 75 is the most that others have")
					return
				}
				b.Free(25)
			}
		})
	}
	all.Wait()
	require.Zero(t, b.Held())
}

func TestResultThatDoesNotFitIsUnknown(t *testing.T) {
	const most = 64 << 20
	value := func(n int) string { return `{"value":"` + strings.Repeat("x", n-len(`{"value":""}`)) + `"}` }
	for _, tc := range []struct {
		left int64
		fits bool
	}{{1000, true}, {999, false}} {
		t.Run(strconv.FormatInt(tc.left, 10), func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				require.True(t, s.buffer.Take(most-tc.left))
				c := s.send("evaluate", "shop")
				s.ext.Answer(s.ext.Command("evaluate"), value(1000))
				err := s.settled(waited(c))
				if tc.fits {
					require.Nil(t, err)
					require.Equal(t, int64(most), s.buffer.Held())
				} else {
					require.Equal(t, protocol.OutcomeUnknown, err.Code)
					require.Equal(t, protocol.DeliveredUnknown, err.Delivered)
					require.Equal(t, most-tc.left, s.buffer.Held())
				}
				c.Free()
				s.buffer.Free(most - tc.left)
			})
		})
	}
}
