package artifact

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Check reports why no artifact could be written to path, before a browser is
// troubled (FILE-01, FILE-02): file_exists where anything stands, a dangling
// symbolic link included, else file_error for a path that is not absolute, names
// no file or has too long a name, and for a parent that is missing, is no
// directory, or is not to be written to. Its errors are *protocol.Error,
// delivered "no". That it returns nil promises nothing: only Publish decides.
func Check(path string, l protocol.Limits) error {
	if err := check(path, l); err != nil {
		return err
	}
	return nil
}

func check(path string, l protocol.Limits) *protocol.Error {
	switch _, last := filepath.Split(path); {
	case strings.ContainsRune(path, 0):
		return protocol.Errorf(protocol.FileError, "the path holds a NUL byte")
	case !filepath.IsAbs(path):
		return protocol.Errorf(protocol.FileError, "%s is not an absolute path; the daemon knows no other directory of yours", show(path))
	case last == "" || last == "." || last == "..":
		return protocol.Errorf(protocol.FileError, "%s names a directory and no file", show(path))
	}
	path = filepath.Clean(path)
	if n := len(filepath.Base(path)); n > l.FileName {
		return protocol.Errorf(protocol.FileError, "the name of the file has %d bytes, and %d is the most", n, l.FileName)
	}
	parent := filepath.Dir(path)
	info, err := os.Stat(parent)
	switch {
	case err == nil && !info.IsDir():
		return protocol.Errorf(protocol.FileError, "%s is no directory", show(parent))
	case errors.Is(err, fs.ErrNotExist):
		return protocol.Errorf(protocol.FileError, "the directory %s does not exist", show(parent))
	case err != nil:
		return failed("write to the directory", parent, err, protocol.DeliveredNo)
	}
	switch _, err := os.Lstat(path); {
	case err == nil:
		return exists(path, protocol.DeliveredNo)
	case !errors.Is(err, fs.ErrNotExist):
		return failed("write", path, err, protocol.DeliveredNo)
	}
	if err := writable(parent); err != nil {
		return failed("write to the directory", parent, err, protocol.DeliveredNo)
	}
	return nil
}
