package state

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// placers are the ways to place a file without replacing, the best first.
var placers = []placer{renameNew, link, copyNew}

// renameNew renames and fails where the new name stands (macOS 10.12, APFS and HFS+).
func renameNew(root *os.Root, from, to string) error {
	dir, err := root.Open(".")
	if err != nil {
		return fmt.Errorf("open directory: %w", err)
	}
	defer dir.Close()
	fd := int(dir.Fd())
	return lacking(unix.RenameatxNp(fd, from, fd, to, unix.RENAME_EXCL))
}
