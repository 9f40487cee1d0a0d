package artifact

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// CheckFiles reports the first of these files that an upload could not read:
// for a browser that opens them itself and would take a missing file or a
// directory without a word (FILE-03). Its errors are those of Read.
func CheckFiles(paths []string) error {
	for _, path := range paths {
		f, _, err := openUpload(path)
		if err != nil {
			return err
		}
		_ = f.Close()
	}
	return nil
}

// openUpload opens a plain file to read it and returns its size. The path is
// looked at first, because to open a device may already do something.
func openUpload(path string) (*os.File, int64, error) {
	if strings.ContainsRune(path, 0) || !filepath.IsAbs(path) {
		return nil, 0, protocol.Errorf(protocol.FileError, "cannot upload %s: it is not an absolute path", show(path))
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, unreadable(path, err)
	}
	if err := plain(path, info); err != nil {
		return nil, 0, err
	}
	return openPlain(path)
}

// openPlain opens what stands at path, without waiting for the other end of a
// pipe say, and judges it by its descriptor, behind which nothing is exchanged.
func openPlain(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, 0, unreadable(path, err)
	}
	info, err := f.Stat()
	if err == nil {
		err = plain(path, info)
	} else {
		err = unreadable(path, err)
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

func unreadable(path string, err error) error {
	return failed("upload", path, err, protocol.DeliveredNo)
}

// plain refuses what is no plain file.
func plain(path string, info fs.FileInfo) error {
	what := "a device"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	}
	return protocol.Errorf(protocol.FileError, "cannot upload %s: it is %s and no plain file", show(path), what)
}
