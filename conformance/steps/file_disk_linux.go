package steps

import "golang.org/x/sys/unix"

// mountDisk mounts a tmpfs on dir and returns what takes it away again.
func mountDisk(dir, options string, readOnly bool) (func() error, error) {
	flags := uintptr(unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC)
	if readOnly {
		flags |= unix.MS_RDONLY
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		return nil, err
	}
	return func() error { return unix.Unmount(dir, unix.MNT_DETACH) }, nil
}
