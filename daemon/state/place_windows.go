package state

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// placers are the ways to place a file without replacing, the best first.
var placers = []placer{renameNew, link, copyNew}

// renameNew renames; without MOVEFILE_REPLACE_EXISTING it fails where the new
// name stands.
func renameNew(root *os.Root, from, to string) error {
	old, err := windows.UTF16PtrFromString(filepath.Join(root.Name(), from))
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(filepath.Join(root.Name(), to))
	if err != nil {
		return err
	}
	return windows.MoveFileEx(old, name, windows.MOVEFILE_WRITE_THROUGH)
}

// lacking marks the errors of a way that is not offered.
func lacking(err error) error { return err }
