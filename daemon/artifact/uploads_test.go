//go:build unix

package artifact

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// sized makes a file of n bytes, which takes no room on the disk.
func sized(t *testing.T, dir, name string, n int64) string {
	t.Helper()
	path := filepath.Join(dir, name)
	write(t, path, "")
	require.NoError(t, os.Truncate(path, n))
	return path
}

func TestUpload(t *testing.T) {
	dir := t.TempDir()
	contents := map[string]string{
		"cv.pdf": "%PDF\x00\xff", "empty": "", `quo"te\`: "x", "語.txt": "語", "a\nb": "\n", "long": strings.Repeat("0123456789", 100_000),
	}
	var paths []string
	var total int64
	for name, data := range contents {
		write(t, filepath.Join(dir, name), data)
		paths = append(paths, filepath.Join(dir, name))
		total += int64(len(data))
	}
	u := NewUploads(limits)
	b, err := u.Read(t.Context(), paths)
	require.NoError(t, err)
	require.Equal(t, total, b.Size())
	require.Equal(t, total, u.InUse())

	out := b.AppendFiles([]byte("before"))
	require.Equal(t, "before", string(out[:6]))
	var files []struct{ Name, Base64 string }
	require.NoError(t, json.Unmarshal(out[6:], &files))
	require.Len(t, files, len(paths))
	for i, f := range files {
		require.Equal(t, filepath.Base(paths[i]), f.Name, "in their order")
		data, err := base64.StdEncoding.DecodeString(f.Base64)
		require.NoError(t, err)
		require.Equal(t, contents[f.Name], string(data))
	}
	b.Free()
	b.Free()
	require.Zero(t, u.InUse())
	require.Zero(t, b.Size())
}

func TestUploadOfNothing(t *testing.T) {
	b, err := NewUploads(limits).Read(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, "[]", string(b.AppendFiles(nil)))
	b.Free()
}

func TestNameThatIsNotUTF8(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a\xffb")
	write(t, path, "x")
	b, err := NewUploads(limits).Read(t.Context(), []string{path})
	require.NoError(t, err)
	defer b.Free()
	require.Equal(t, "[{\"name\":\"a\ufffdb\",\"base64\":\"eA==\"}]", string(b.AppendFiles(nil)))
}

func TestUploadThroughALink(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "real"), "x")
	require.NoError(t, os.Symlink("real", filepath.Join(dir, "link")))
	require.NoError(t, CheckFiles([]string{filepath.Join(dir, "link")}))
	b, err := NewUploads(limits).Read(t.Context(), []string{filepath.Join(dir, "link")})
	require.NoError(t, err)
	defer b.Free()
	require.Equal(t, `[{"name":"link","base64":"eA=="}]`, string(b.AppendFiles(nil)))
}

// FILE-03: what is no plain, readable file is named before a page is touched,
// whichever browser is to open it, and nobody waits for it.
func TestFilesThatCannotBeUploaded(t *testing.T) {
	// A socket's path has 107 bytes at most, so the directory has a short one.
	dir, err := os.MkdirTemp("", "up")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	write(t, filepath.Join(dir, "good"), "good")
	write(t, filepath.Join(dir, "secret"), "x")
	require.NoError(t, os.Chmod(filepath.Join(dir, "secret"), 0))
	require.NoError(t, fifo(filepath.Join(dir, "pipe")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "directory"), 0o700))
	for link, target := range map[string]string{"dangling": "nowhere", "circle": "circle", "to-pipe": "pipe", "to-zero": "/dev/zero"} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, link)))
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })

	u := NewUploads(limits)
	for path, says := range map[string]string{
		dir + "/missing":                     "does not exist",
		dir + "/missing/x":                   "does not exist",
		dir + "/good/x":                      "no directory",
		dir + "/good/":                       "no directory",
		dir + "/dangling":                    "does not exist",
		dir + "/circle":                      "circle",
		dir + "/secret":                      "permission denied",
		dir + "/pipe":                        "a pipe",
		dir + "/to-pipe":                     "a pipe",
		dir + "/directory":                   "a directory",
		dir + "/directory/":                  "a directory",
		dir + "/socket":                      "a socket",
		dir + "/to-zero":                     "a device",
		"/dev/zero":                          "a device",
		"/dev/null":                          "a device",
		"/dev/tty":                           "a device",
		dir + "/" + strings.Repeat("n", 256): "longer than the file system takes",
		"good":                               "absolute",
		"~/good":                             "absolute",
		"":                                   "absolute",
		dir + "/go\x00od":                    "absolute",
	} {
		t.Run(path, func(t *testing.T) {
			both := []string{filepath.Join(dir, "good"), path}
			err := unprivileged(func() error { return CheckFiles(both) })
			refused(t, err, protocol.FileError, protocol.DeliveredNo, says, show(path))
			err = unprivileged(func() error { _, err := u.Read(t.Context(), both); return err })
			refused(t, err, protocol.FileError, protocol.DeliveredNo, says, show(path))
			require.Zero(t, u.InUse(), "what was read before it is let go")
		})
	}
	require.NoError(t, CheckFiles([]string{filepath.Join(dir, "good")}))
	require.NoError(t, CheckFiles(nil))
}

// What was exchanged for a plain file since it was looked at is found out by
// its descriptor, and no pipe is waited for.
func TestFileThatIsExchanged(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, fifo(filepath.Join(dir, "pipe")))
	for path, says := range map[string]string{dir + "/pipe": "a pipe", dir: "a directory", "/dev/null": "a device", dir + "/gone": "does not exist"} {
		_, _, err := openPlain(path)
		refused(t, err, protocol.FileError, protocol.DeliveredNo, says)
	}
}

// LIMIT-15: 16 MiB a command.
func TestBytesOfOneUpload(t *testing.T) {
	dir := t.TempDir()
	const most = 16 << 20
	for name, c := range map[string]struct {
		sizes []int64
		code  protocol.Code
	}{
		"one less":            {[]int64{most - 1}, ""},
		"exactly":             {[]int64{most}, ""},
		"one more":            {[]int64{most + 1}, protocol.TooLarge},
		"exactly, in parts":   {[]int64{most / 2, most/2 - 1, 1, 0}, ""},
		"one more, in parts":  {[]int64{most / 2, most / 2, 1}, protocol.TooLarge},
		"much more":           {[]int64{1 << 40}, protocol.TooLarge},
		"more than all may":   {[]int64{64<<20 + 1}, protocol.TooLarge},
		"empty beside a full": {[]int64{most, 0}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var paths []string
			var total int64
			for _, n := range c.sizes {
				paths = append(paths, sized(t, t.TempDir(), "file", n))
				total += n
			}
			u := NewUploads(limits)
			b, err := u.Read(t.Context(), paths)
			if c.code != "" {
				refused(t, err, c.code, protocol.DeliveredNo, "16777216")
				require.Zero(t, u.InUse())
				return
			}
			require.NoError(t, err)
			require.Equal(t, total, u.InUse())
			require.Less(t, len(b.AppendFiles(nil)), 23<<20)
			b.Free()
			require.Zero(t, u.InUse())
		})
	}
	require.Empty(t, names(t, dir))
}

// LIMIT-15: 64 MiB across the commands in flight.
func TestBytesOfAllUploads(t *testing.T) {
	dir := t.TempDir()
	quarter, one, none := sized(t, dir, "quarter", 16<<20), sized(t, dir, "one", 1), sized(t, dir, "none", 0)
	u := NewUploads(limits)
	var held []*Batch
	for range 4 {
		b, err := u.Read(t.Context(), []string{quarter})
		require.NoError(t, err)
		held = append(held, b)
	}
	require.EqualValues(t, 64<<20, u.InUse())

	_, err := u.Read(t.Context(), []string{one})
	refused(t, err, protocol.Busy, protocol.DeliveredNo, "67108864")
	_, err = u.Read(t.Context(), []string{sized(t, dir, "large", 16<<20+1)})
	refused(t, err, protocol.TooLarge, protocol.DeliveredNo)
	b, err := u.Read(t.Context(), []string{none})
	require.NoError(t, err, "what has no bytes takes none")
	b.Free()
	require.EqualValues(t, 64<<20, u.InUse(), "refusals take nothing and give nothing")

	held[0].Free()
	held[0].Free()
	require.EqualValues(t, 48<<20, u.InUse())
	b, err = u.Read(t.Context(), []string{quarter})
	require.NoError(t, err)
	_, err = u.Read(t.Context(), []string{one})
	refused(t, err, protocol.Busy, protocol.DeliveredNo)
	for _, b := range append(held[1:], b) {
		b.Free()
	}
	require.Zero(t, u.InUse())
}

func TestConcurrentUploads(t *testing.T) {
	dir := t.TempDir()
	path := sized(t, dir, "file", 1000)
	l := limits
	l.UploadTotal = 3500
	u := NewUploads(l)
	var read, busy, over atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 50 {
				b, err := u.Read(t.Context(), []string{path})
				if err != nil {
					busy.Add(1)
					continue
				}
				read.Add(1)
				if u.InUse() > l.UploadTotal {
					over.Add(1)
				}
				b.Free()
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 800, read.Load()+busy.Load())
	require.Positive(t, read.Load())
	require.Zero(t, over.Load())
	require.Zero(t, u.InUse())
}

func TestUploadWhoseCommandHasEnded(t *testing.T) {
	path := sized(t, t.TempDir(), "file", 10)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(net.ErrClosed)
	u := NewUploads(limits)
	_, err := u.Read(ctx, []string{path})
	require.ErrorIs(t, err, net.ErrClosed)
	require.Zero(t, u.InUse())
}
