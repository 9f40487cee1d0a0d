package state

import (
	"errors"
	"io"
	"os"
)

// errLacking is in the error of a placer whose way this file system or kernel
// does not offer.
var errLacking = errors.New("not offered here")

// placer moves a file of the directory to a name at which nothing stands. It
// fails with fs.ErrExist where something does and then has changed nothing.
type placer func(root *os.Root, from, to string) error

// place tries one way after the other until one is offered.
func place(root *os.Root, from, to string, ways []placer) error {
	err := errLacking
	for _, way := range ways {
		if err = way(root, from, to); !errors.Is(err, errLacking) {
			return err
		}
	}
	return err
}

// link gives the file its second name, which fails where one stands, and takes
// the first away.
func link(root *os.Root, from, to string) error {
	if err := root.Link(from, to); err != nil {
		return lacking(err)
	}
	// The file stands where it should; there is nobody to tell about the rest.
	_ = root.Remove(from)
	return nil
}

// copyNew creates the file exclusively and copies into it, for file systems
// that can neither rename without replacing nor link. Readers may see a part of
// it, and a crash may leave one, which is why it comes last.
func copyNew(root *os.Root, from, to string) error {
	src, err := root.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Chmod(0o600), dst.Sync(), dst.Close()); err != nil {
		_ = root.Remove(to)
		return err
	}
	_ = root.Remove(from)
	return nil
}
