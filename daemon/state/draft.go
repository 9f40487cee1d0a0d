package state

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Draft is a file that is written under a temporary name in the directory in
// which it will stand, with mode 0600 from its first byte. It ends by Replace,
// Publish or Discard; a Draft that has ended may be discarded again, to no
// effect. It is not safe for concurrent use.
//
// The temporary name is short and of one length whatever the final name, so
// that every name that the file system takes can be published.
type Draft struct {
	root *os.Root
	file *os.File
	name string // empty: nothing of it is left
}

// draftName is the pattern of the temporary names, of which alone left-overs
// are ever removed.
var draftName = regexp.MustCompile(`^\.omw-[A-Z2-7]{8}\.tmp$`)

// NewDraft begins a file in the directory root, which stays the caller's and
// must be open until the draft has ended.
func NewDraft(root *os.Root) (*Draft, error) {
	for {
		name := ".omw-" + rand.Text()[:8] + ".tmp"
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return nil, err
		}
		d := &Draft{root: root, file: f, name: name}
		// The umask may have taken rights of the owner's.
		if err := f.Chmod(0o600); err != nil {
			d.Discard()
			return nil, err
		}
		return d, nil
	}
}

// Write appends to the file.
func (d *Draft) Write(p []byte) (int, error) { return d.file.Write(p) }

// Replace puts the file in the place of name, whatever stands there. placed
// says whether it did: an error after that means only that the directory's new
// entry may not outlive a power failure.
func (d *Draft) Replace(name string) (placed bool, err error) {
	defer d.Discard()
	if err := d.finish(); err != nil {
		return false, err
	}
	if err := d.root.Rename(d.name, name); err != nil {
		return false, err
	}
	d.name = ""
	return true, syncDir(d.root)
}

// Publish puts the file in place under a name at which nothing stands, not even
// a dangling link; else the error wraps fs.ErrExist and what stands there is
// untouched. There is no moment between looking and placing (FILE-02).
func (d *Draft) Publish(name string) error {
	defer d.Discard()
	if err := d.finish(); err != nil {
		return err
	}
	if err := place(d.root, d.name, name, placers); err != nil {
		return err
	}
	d.name = ""
	return nil
}

// Discard removes the file, unless it was placed.
func (d *Draft) Discard() {
	if d.file != nil {
		_ = d.file.Close()
		d.file = nil
	}
	if d.name != "" {
		_ = d.root.Remove(d.name)
		d.name = ""
	}
}

// finish brings what was written to the disk. Errors of a full disk may come as
// late as here.
func (d *Draft) finish() error {
	err := errors.Join(d.file.Sync(), d.file.Close())
	d.file = nil
	return err
}

// Replace writes a file with mode 0600 in the place of what stands at path,
// whole or not at all.
func Replace(path string, data []byte) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer root.Close()
	if _, err := replace(root, filepath.Base(path), data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func replace(root *os.Root, name string, data []byte) (placed bool, err error) {
	d, err := NewDraft(root)
	if err != nil {
		return false, err
	}
	if _, err := d.Write(data); err != nil {
		d.Discard()
		return false, err
	}
	return d.Replace(name)
}

// removeDrafts removes the drafts that a crash left in the directory.
func removeDrafts(root *os.Root) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !draftName.MatchString(e.Name()) {
			continue
		}
		if err := root.Remove(e.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
