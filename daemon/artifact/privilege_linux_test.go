package artifact

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// unprivileged runs f as a user whom the modes of files bind. For root that is a
// thread without the capabilities that overrule them, which ends with f.
func unprivileged(f func() error) error {
	if unix.Geteuid() != 0 {
		return f()
	}
	done := make(chan error)
	go func() {
		// Never unlocked, so that no other goroutine inherits the thread.
		runtime.LockOSThread()
		if err := dropOverrides(); err != nil {
			done <- err
			return
		}
		done <- f()
	}()
	return <-done
}

func dropOverrides() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	if err := unix.Capget(&header, &caps[0]); err != nil {
		return err
	}
	for _, c := range []int{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER} {
		caps[0].Effective &^= 1 << c
	}
	return unix.Capset(&header, &caps[0])
}
