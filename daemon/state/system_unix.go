//go:build unix

package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// nonblock keeps an open from waiting for the other end of a pipe.
const nonblock = unix.O_NONBLOCK

// lock takes the lock on the directory itself, so that there is no lock file to
// create, to leave behind or to delete under somebody. It ends with the
// descriptor, that is with the process at the latest.
func lock(root *os.Root) (*os.File, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return dir, nil
		}
		if err == unix.EINTR {
			continue
		}
		_ = dir.Close()
		if err == unix.EWOULDBLOCK {
			return nil, ErrLocked
		}
		return nil, fmt.Errorf("lock it: %w", err)
	}
}

// unlock gives the lock up and closes its descriptor. The lock belongs to the
// open directory, not to the descriptor: a child process that is just being
// started holds a copy until it executes, and closing ours would leave the
// directory locked so long.
func unlock(dir *os.File) error {
	err := unix.Flock(int(dir.Fd()), unix.LOCK_UN)
	return errors.Join(err, dir.Close())
}

// ours reports whether the file belongs to the user that this process acts as.
func ours(info fs.FileInfo) bool {
	sys, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}

// wide reports whether anybody but the owner may use the file.
func wide(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// syncDir brings a directory's entries to the disk, where its file system can.
func syncDir(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}

// lacking marks the errors of a way that is not offered.
func lacking(err error) error {
	offered := !slices.ContainsFunc([]error{unix.ENOSYS, unix.EINVAL, unix.ENOTSUP, unix.EOPNOTSUPP, unix.EPERM, unix.EMLINK},
		func(not error) bool { return errors.Is(err, not) })
	if offered {
		return err
	}
	return fmt.Errorf("%w: %w", errLacking, err)
}
