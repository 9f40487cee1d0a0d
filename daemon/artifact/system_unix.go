//go:build unix

package artifact

import "golang.org/x/sys/unix"

const nonblock = unix.O_NONBLOCK | unix.O_NOCTTY

// writable asks the system whether this process may create a file in the
// directory, by its effective user; a read-only disk says no as well.
func writable(dir string) error {
	return unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}
