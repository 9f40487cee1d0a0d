//go:build unix

package target

import (
	"os/exec"
	"syscall"
)

// ownGroup has the command begin a process group of its own, so that an
// interrupt at the terminal reaches the suite alone and a wrapper's children
// can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills what is left of the command's group.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		// A group that has ended already is no error to anybody.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
