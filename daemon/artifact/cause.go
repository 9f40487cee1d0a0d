package artifact

import (
	"errors"
	"io/fs"
	"strconv"
	"syscall"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// shown is how much of a path an error repeats, in bytes.
const shown = 512

// show quotes a path for an error: it may hold anything but a slash and NUL.
func show(path string) string {
	if len(path) > shown {
		path = path[:shown] + "…"
	}
	return strconv.Quote(path)
}

func exists(path string, delivered protocol.Delivered) *protocol.Error {
	return fileError(protocol.FileExists, delivered, "something stands at %s already, and the daemon replaces nothing", show(path))
}

// failed is the file_error of an operation of the operating system.
func failed(verb, path string, err error, delivered protocol.Delivered) *protocol.Error {
	return fileError(protocol.FileError, delivered, "cannot %s %s: %s", verb, show(path), cause(err))
}

func fileError(code protocol.Code, delivered protocol.Delivered, format string, a ...any) *protocol.Error {
	e := protocol.Errorf(code, format, a...)
	e.Delivered = delivered
	return e
}

// causes are the failures that people can do something about (FILE-04).
var causes = []struct {
	err error
	say string
}{
	{syscall.ENOSPC, "the disk is full"},
	{syscall.EDQUOT, "your quota on this disk is used up"},
	{syscall.EROFS, "the disk is read-only"},
	{syscall.EFBIG, "the file would be larger than the system lets a file be"},
	{syscall.ENAMETOOLONG, "a name in it is longer than the file system takes"},
	{syscall.ENOTDIR, "a part of its path is no directory"},
	{syscall.ELOOP, "its symbolic links lead in a circle"},
	{syscall.EMFILE, "the daemon has too many files open"},
	{syscall.EIO, "the disk failed"},
	{fs.ErrNotExist, "it does not exist"},
	{fs.ErrPermission, "permission denied"},
}

// cause says in words what went wrong; the system's own for what is not listed.
func cause(err error) string {
	for _, c := range causes {
		if errors.Is(err, c.err) {
			return c.say
		}
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
