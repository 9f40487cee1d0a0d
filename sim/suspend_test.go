package sim

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A background that its alarm has started tries again by its own timers: the
// alarm is not what it waits for.
func TestAnAlarmThatFindsNoDaemonIsFollowedByTheBackOff(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b := d.browser(Config{})
		began := time.Now()
		done := make(chan error, 1)
		go func() { done <- b.Run(t.Context()) }()
		synctest.Wait()
		<-d.links
		b.Suspend()
		d.mu.Lock()
		d.refuse = 503
		d.mu.Unlock()
		time.Sleep(30*time.Second + 499*time.Millisecond)
		require.Len(t, b.Attempts(), 2)
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		attempts := b.Attempts()
		require.Len(t, attempts, 3)
		require.Equal(t, 30*time.Second, attempts[1].At.Sub(began))
		require.Equal(t, 500*time.Millisecond, attempts[2].At.Sub(attempts[1].At))
		require.NoError(t, b.Close())
		require.ErrorIs(t, <-done, ErrClosed)
	})
}
