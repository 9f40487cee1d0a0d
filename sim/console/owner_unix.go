//go:build unix

package console

import (
	"io/fs"
	"os"
	"syscall"
)

// private reports whether only the user of this process may enter a directory.
func private(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid() && info.IsDir() && info.Mode().Perm()&0o077 == 0
}
