package artifact

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// chunk is how much is read between two looks at the context, in bytes.
const chunk = 256 << 10

// Batch is the files of one upload command. It is not safe for concurrent use.
type Batch struct {
	uploads *Uploads
	files   []upload
	size    int64 // what is counted in uploads.held
}

type upload struct {
	name string
	data []byte
}

// Size returns how many bytes the files have together.
func (b *Batch) Size() int64 { return b.size }

// AppendFiles appends the files as the link carries them: a JSON array of
// {"name":"…","base64":"…"}. A name is the last element of its path.
func (b *Batch) AppendFiles(dst []byte) []byte {
	dst = slices.Grow(dst, b.encoded())
	dst = append(dst, '[')
	for i, f := range b.files {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"name":`...)
		// A name that is not UTF-8 is appended mended, with an error to say so.
		dst, _ = jsontext.AppendQuote(dst, f.name)
		dst = append(dst, `,"base64":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, f.data)
		dst = append(dst, `"}`...)
	}
	return append(dst, ']')
}

// encoded returns about how many bytes AppendFiles appends.
func (b *Batch) encoded() int {
	n := 2
	for _, f := range b.files {
		n += base64.StdEncoding.EncodedLen(len(f.data)) + len(f.name) + 32
	}
	return n
}

// Free lets the files go and gives their bytes back to the others. It may be
// called again, to no effect.
func (b *Batch) Free() {
	b.uploads.give(b.size)
	b.size, b.files = 0, nil
}

// read adds the file at path.
func (b *Batch) read(ctx context.Context, path string) error {
	f, size, err := openUpload(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return b.readFrom(ctx, f, path, size)
}

// readFrom adds what r holds, which is the file at path and had size bytes when
// it was opened. A file may be written to while it is read: what decides is
// what was read, and each byte is counted before it is kept.
func (b *Batch) readFrom(ctx context.Context, r io.Reader, path string, size int64) error {
	if err := b.take(size); err != nil {
		return err
	}
	counted, data := size, make([]byte, 0, size+1)
	for {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		data = slices.Grow(data, 1)
		n, err := r.Read(data[len(data):min(cap(data), len(data)+chunk)])
		data = data[:len(data)+n]
		if more := int64(len(data)) - counted; more > 0 {
			if err := b.take(more); err != nil {
				return err
			}
			counted += more
		}
		switch {
		case errors.Is(err, io.EOF):
			b.give(counted - int64(len(data)))
			b.files = append(b.files, upload{filepath.Base(path), data})
			return nil
		case err != nil:
			return failed("read", path, err, protocol.DeliveredNo)
		}
	}
}

// take counts n more bytes for this batch, within both limits.
func (b *Batch) take(n int64) error {
	if most := b.uploads.command; n > most-b.size {
		return protocol.Errorf(protocol.TooLarge, "the files of one upload may have %d bytes together, and these have more", most)
	}
	if !b.uploads.take(n) {
		return protocol.Errorf(protocol.Busy, "the uploads in flight would hold more than %d bytes; try again when one has ended", b.uploads.total)
	}
	b.size += n
	return nil
}

func (b *Batch) give(n int64) {
	b.uploads.give(n)
	b.size -= n
}
