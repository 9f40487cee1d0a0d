//go:build unix

package target

import (
	"os"
	"syscall"
)

// signals are those by which an extension's background can be stopped.
var signals = map[string]os.Signal{"USR1": syscall.SIGUSR1, "USR2": syscall.SIGUSR2}
