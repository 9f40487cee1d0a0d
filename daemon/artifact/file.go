package artifact

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/state"
)

// File is an artifact that is being written. It stands under a temporary name
// beside its place, with mode 0600, until Publish or Discard ends it. It is not
// safe for concurrent use.
//
// The errors of a File are *protocol.Error, delivered "unknown": what it holds
// came from a browser that has done its part.
type File struct {
	path  string
	root  *os.Root
	draft *state.Draft
}

// Create begins the artifact that will stand at path. It fails as Check does.
// Its caller ends it by Publish or Discard; to Discard after Publish is no mistake.
func Create(path string, l protocol.Limits) (*File, error) {
	if err := check(path, l); err != nil {
		err.Delivered = protocol.DeliveredUnknown
		return nil, err
	}
	path = filepath.Clean(path)
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, failed("write", path, err, protocol.DeliveredUnknown)
	}
	draft, err := state.NewDraft(root)
	if err != nil {
		_ = root.Close()
		return nil, failed("write", path, err, protocol.DeliveredUnknown)
	}
	return &File{path: path, root: root, draft: draft}, nil
}

// Path returns where the file will stand: its path without "." and "..".
func (f *File) Path() string { return f.path }

// Write appends to the file. After an error the file can only be discarded.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.draft.Write(p)
	if err != nil {
		return n, failed("write", f.path, err, protocol.DeliveredUnknown)
	}
	return n, nil
}

// Publish puts the file in its place, unless something stands there by now,
// which is file_exists and left alone (FILE-02). Either way the file has ended,
// and after an error nothing of it is left.
func (f *File) Publish() error {
	defer f.Discard()
	switch err := f.draft.Publish(filepath.Base(f.path)); {
	case errors.Is(err, fs.ErrExist):
		return exists(f.path, protocol.DeliveredUnknown)
	case err != nil:
		return failed("write", f.path, err, protocol.DeliveredUnknown)
	}
	return nil
}

// Discard ends the file and removes what was written of it, unless it was published.
func (f *File) Discard() {
	f.draft.Discard()
	_ = f.root.Close()
}
