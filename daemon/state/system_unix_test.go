//go:build unix

package state

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A child process that is just being started holds a copy of every descriptor
// until it executes. The directory is free when it is closed, and not only then.
func TestClosedDirectoryIsFreeWhileACopyOfItsLockIsOpen(t *testing.T) {
	path := newDir(t)
	first, _ := open(t, path)
	duplicate, err := unix.Dup(int(first.lock.Fd()))
	require.NoError(t, err)
	t.Cleanup(func() { _ = unix.Close(duplicate) })
	_, _, err = tryOpen(path)
	require.ErrorIs(t, err, ErrLocked)

	require.NoError(t, first.Close())
	second, _ := open(t, path)
	require.Equal(t, first.Token(), second.Token())
}
