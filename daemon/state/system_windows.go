package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

const nonblock = 0

// lockName is the file that stands for the directory: Windows locks files alone.
const lockName = ".omw.lock"

// lock takes the lock of the directory. It ends with the handle, that is with
// the process at the latest.
func lock(root *os.Root) (*os.File, error) {
	f, err := root.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return nil, ErrLocked
	}
	return nil, fmt.Errorf("lock it: %w", err)
}

// unlock gives the lock up with its handle, which no child inherits.
func unlock(f *os.File) error { return f.Close() }

// ours and wide answer for the access lists of Windows, where what stands below
// %AppData% is the user's own and private by inheritance.
func ours(fs.FileInfo) bool { return true }
func wide(fs.FileInfo) bool { return false }

// syncDir has nothing to do: NTFS journals its directories.
func syncDir(*os.Root) error { return nil }
