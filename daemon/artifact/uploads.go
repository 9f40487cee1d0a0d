package artifact

import (
	"context"
	"sync"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Uploads reads the files that agents upload and keeps count of the bytes that
// all uploads in flight hold (LIMIT-15). It is safe for concurrent use.
type Uploads struct {
	command, total int64

	mu   sync.Mutex
	held int64
}

// NewUploads returns an Uploads that holds nothing. Of the limits it uses
// UploadCommand and UploadTotal, in bytes of the files as they are.
func NewUploads(l protocol.Limits) *Uploads {
	return &Uploads{command: l.UploadCommand, total: l.UploadTotal}
}

// Read reads the files at these absolute paths into memory, where the batch
// keeps them until it is freed. Its errors are *protocol.Error, delivered "no",
//   - file_error, which names the file, for one that is missing, unreadable or no
//     plain file once symbolic links are followed (FILE-03),
//   - too_large for files, or a file that grew, of more than UploadCommand together,
//   - busy when all uploads in flight would hold more than UploadTotal,
//
// or that of ctx, as it is, if it ends in the meantime. After an error nothing is held.
func (u *Uploads) Read(ctx context.Context, paths []string) (*Batch, error) {
	b := &Batch{uploads: u, files: make([]upload, 0, len(paths))}
	for _, path := range paths {
		if err := b.read(ctx, path); err != nil {
			b.Free()
			return nil, err
		}
	}
	return b, nil
}

// InUse returns how many bytes all uploads in flight hold.
func (u *Uploads) InUse() int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.held
}

// take counts n more bytes, or reports that they would pass the total.
func (u *Uploads) take(n int64) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n > u.total-u.held {
		return false
	}
	u.held += n
	return true
}

func (u *Uploads) give(n int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.held -= n
}
