//go:build unix

package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func init() {
	// limited: a process whose files may have 64 KiB writes a picture of 1 MiB.
	children["limited"] = func(args []string) error {
		signal.Ignore(syscall.SIGXFSZ)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 64 << 10, Max: 64 << 10}); err != nil {
			return err
		}
		return fillUp(args[0], "larger than the system lets")
	}
}

// fillUp writes a picture that finds no room, requires that the error says why
// and that nothing of it is left, and that a small one can be written after it.
func fillUp(dir, says string) error {
	f, err := Create(filepath.Join(dir, "large.png"), limits)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 1<<20))
	f.Discard()
	e, ok := errors.AsType[*protocol.Error](err)
	if !ok || e.Code != protocol.FileError || e.Delivered != protocol.DeliveredUnknown {
		return fmt.Errorf("the error of the full disk is %v", err)
	}
	fmt.Println(e.Message)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		return fmt.Errorf("the directory holds %v, %v", entries, err)
	}
	if f, err = Create(filepath.Join(dir, "small.png"), limits); err != nil {
		return err
	}
	if _, err := f.Write([]byte("small")); err != nil {
		return err
	}
	return f.Publish()
}

// FILE-04, on every system and for every user: the system refuses to write on.
func TestWriteThatFails(t *testing.T) {
	dir := t.TempDir()
	out, err := child(t, "limited", dir).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "larger than the system lets a file be")
	require.Contains(t, string(out), filepath.Join(dir, "large.png"))
	require.Equal(t, []string{"small.png"}, names(t, dir))
}

func TestCauses(t *testing.T) {
	for err, says := range map[error]string{
		syscall.ENOSPC:       "the disk is full",
		syscall.EDQUOT:       "quota",
		syscall.EROFS:        "read-only",
		syscall.EFBIG:        "larger than the system lets",
		syscall.ENAMETOOLONG: "longer than the file system takes",
		syscall.ENOTDIR:      "no directory",
		syscall.ELOOP:        "circle",
		syscall.EMFILE:       "too many files open",
		syscall.EIO:          "the disk failed",
		syscall.ENOENT:       "does not exist",
		syscall.EACCES:       "permission denied",
		syscall.EPERM:        "permission denied",
		syscall.ETXTBSY:      syscall.ETXTBSY.Error(),
		os.ErrClosed:         "closed",
	} {
		for _, wrapped := range []error{err, &fs.PathError{Op: "openat", Path: ".omw-ABCDEFGH.tmp", Err: err}, fmt.Errorf("x: %w", errors.Join(err))} {
			got := failed("write", "/tmp/a", wrapped, protocol.DeliveredUnknown)
			require.Contains(t, got.Message, says)
			require.Contains(t, got.Message, `"/tmp/a"`)
			require.Equal(t, protocol.FileError, got.Code)
			require.Equal(t, protocol.DeliveredUnknown, got.Delivered)
		}
		got := failed("write", "/tmp/a", &fs.PathError{Op: "openat", Path: ".omw-ABCDEFGH.tmp", Err: err}, protocol.DeliveredNo)
		require.NotContains(t, got.Message, ".omw-", "the temporary name is nobody's business")
	}
}
