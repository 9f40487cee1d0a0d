package artifact

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func init() {
	// mounted: in a mount namespace of its own, a picture of 1 MiB for a disk of
	// 64 KiB, and then for one that is read-only.
	children["mounted"] = func(args []string) error {
		dir := args[0]
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			return err
		}
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
			return err
		}
		if err := fillUp(dir, "the disk is full"); err != nil {
			return err
		}
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			return err
		}
		err := Check(filepath.Join(dir, "late.png"), limits)
		if e, ok := errors.AsType[*protocol.Error](err); !ok || e.Code != protocol.FileError {
			return fmt.Errorf("the error of the read-only disk is %v", err)
		}
		fmt.Println(err)
		return nil
	}
}

// C31, FILE-04 with a disk that is really full and really read-only, where this
// user may mount one; where not, TestWriteThatFails and TestCauses have shown
// the same two halves apart.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	cmd := child(t, "mounted", dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}},
	}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL) {
		t.Logf("no mount namespace for this user: %v", err)
		return
	}
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "the disk is full")
	require.Contains(t, string(out), "the disk is read-only")
	require.Empty(t, names(t, dir), "the mount was the child's own")
}
