package gate_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestSlots(t *testing.T) {
	n := protocol.DefaultLimits().Requests
	s := gate.NewSlots(n)
	for i := range n {
		require.Equal(t, i, s.InUse())
		require.True(t, s.Take(), "slot %d", i+1)
	}
	require.False(t, s.Take(), "the one past the last")
	require.Equal(t, n, s.InUse())
	s.Free()
	require.True(t, s.Take())
	require.False(t, s.Take())
	for range n {
		s.Free()
	}
	require.Zero(t, s.InUse())
	require.Panics(t, s.Free)
}

func TestSlotsUnderContention(t *testing.T) {
	const most, visitors, rounds = 4, 16, 500
	s := gate.NewSlots(most)
	var inside, tooMany, served atomic.Int64
	var all sync.WaitGroup
	for range visitors {
		all.Go(func() {
			for range rounds {
				if !s.Take() {
					continue
				}
				if inside.Add(1) > most {
					tooMany.Add(1)
				}
				served.Add(1)
				inside.Add(-1)
				s.Free()
			}
		})
	}
	all.Wait()
	require.Zero(t, tooMany.Load())
	require.Positive(t, served.Load())
	require.Zero(t, s.InUse())
}
