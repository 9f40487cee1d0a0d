package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Save writes a file whole, or not at all: under a temporary name beside its
// place, with mode 0600, and then into its place. What stands there is left
// alone, and the error is fs.ErrExist, unless replace says otherwise.
func Save(path string, content []byte, replace bool) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".omw-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	// After a rename there is nothing left to remove.
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if replace {
		err = os.Rename(f.Name(), path)
	} else {
		err = publish(f.Name(), path, content)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// publish puts a file into a place that is free (link(2) never replaces); on a
// file system without links it is written there again.
func publish(from, to string, content []byte) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(to)
	}
	return err
}
