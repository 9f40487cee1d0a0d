package state

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// mostBytes is how large a file of ours may be; 256 sessions with the longest
// names need less than a tenth.
const mostBytes = 1 << 20

// openPlain opens a plain file of the directory to read it. A symbolic link is
// refused: the file is replaced as a whole when it is written, which would
// leave the link's target behind with an old token in it. Anything else that is
// no plain file is refused too, before it is opened, since it may block.
func openPlain(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&os.ModeSymlink != 0:
		return nil, errors.New("it is a symbolic link; put the file itself in its place")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no plain file")
	}
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	now, err := f.Stat()
	if err == nil && !os.SameFile(info, now) {
		err = errors.New("it was exchanged while it was opened")
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// readPlain returns the bytes of a plain file of the directory.
func readPlain(root *os.Root, name string) ([]byte, error) {
	f, err := openPlain(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > mostBytes:
		return nil, fmt.Errorf("it is larger than %d bytes", mostBytes)
	}
	return data, nil
}
