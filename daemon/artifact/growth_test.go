//go:build unix

package artifact

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// growing is a file that gets n bytes longer when it is first read, as the file
// of a program that writes to it does.
type growing struct {
	*os.File
	by   int64
	read int64
}

func (g *growing) Read(p []byte) (int, error) {
	if by := g.by; by > 0 {
		g.by = 0
		info, err := g.Stat()
		if err != nil {
			return 0, err
		}
		if err := os.Truncate(g.Name(), info.Size()+by); err != nil {
			return 0, err
		}
	}
	n, err := g.File.Read(p)
	g.read += int64(n)
	return n, err
}

// FILE-03: what counts is what was read, not what the file had when it was opened.
func TestFileThatGrowsWhileItIsRead(t *testing.T) {
	const most = 16 << 20
	for name, c := range map[string]struct {
		size, by int64
		code     protocol.Code
	}{
		"a little":               {10, 10, ""},
		"from nothing":           {0, 1, ""},
		"up to the limit":        {10, most - 10, ""},
		"one past the limit":     {10, most - 9, protocol.TooLarge},
		"one past, from the top": {most, 1, protocol.TooLarge},
		"far past":               {most, 1 << 40, protocol.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			path := sized(t, t.TempDir(), "file", c.size)
			f, size, err := openUpload(path)
			require.NoError(t, err)
			defer f.Close()
			require.Equal(t, c.size, size)
			u := NewUploads(limits)
			b := &Batch{uploads: u}
			r := &growing{File: f, by: c.by}
			err = b.readFrom(t.Context(), r, path, size)
			if c.code != "" {
				refused(t, err, c.code, protocol.DeliveredNo)
				require.LessOrEqual(t, r.read, int64(most+chunk), "it is not read to its end")
				require.Empty(t, b.files)
			} else {
				require.NoError(t, err)
				require.Equal(t, c.size+c.by, b.Size())
				require.Len(t, b.files[0].data, int(c.size+c.by))
			}
			require.Equal(t, b.Size(), u.InUse())
			b.Free()
			require.Zero(t, u.InUse())
		})
	}
}

func TestFileThatGrowsPastAllUploads(t *testing.T) {
	l := limits
	l.UploadTotal = 100
	for by, code := range map[int64]protocol.Code{40: "", 41: protocol.Busy} {
		u := NewUploads(l)
		others := &Batch{uploads: u}
		require.NoError(t, others.take(50))
		path := sized(t, t.TempDir(), "file", 10)
		f, size, err := openUpload(path)
		require.NoError(t, err)
		b := &Batch{uploads: u}
		err = b.readFrom(t.Context(), &growing{File: f, by: by}, path, size)
		require.NoError(t, f.Close())
		if code == "" {
			require.NoError(t, err)
		} else {
			refused(t, err, code, protocol.DeliveredNo)
		}
		b.Free()
		require.EqualValues(t, 50, u.InUse())
	}
}

// A file that lost bytes takes no more room than it has.
func TestFileThatShrinksWhileItIsRead(t *testing.T) {
	u := NewUploads(limits)
	b := &Batch{uploads: u}
	require.NoError(t, b.readFrom(t.Context(), strings.NewReader("short"), "/tmp/file", 1000))
	require.EqualValues(t, 5, b.Size())
	require.EqualValues(t, 5, u.InUse())
	require.Equal(t, `[{"name":"file","base64":"c2hvcnQ="}]`, string(b.AppendFiles(nil)))
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestFileThatFailsWhileItIsRead(t *testing.T) {
	u := NewUploads(limits)
	b := &Batch{uploads: u}
	r := io.MultiReader(strings.NewReader("some"), failing{errors.New("bad sector")})
	refused(t, b.readFrom(t.Context(), r, "/tmp/file", 4), protocol.FileError, protocol.DeliveredNo, "/tmp/file", "bad sector")
	b.Free()
	require.Zero(t, u.InUse())
}

// endless cancels its command after some reads and never ends by itself.
type endless struct {
	reads  int
	cancel context.CancelFunc
}

func (e *endless) Read(p []byte) (int, error) {
	if e.reads++; e.reads == 3 {
		e.cancel()
	}
	return min(1, len(p)), nil
}

func TestCommandThatEndsWhileAFileIsRead(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	u := NewUploads(limits)
	b := &Batch{uploads: u}
	r := &endless{cancel: cancel}
	require.ErrorIs(t, b.readFrom(ctx, r, "/tmp/file", 0), context.Canceled)
	require.Equal(t, 3, r.reads)
	b.Free()
	require.Zero(t, u.InUse())
}
