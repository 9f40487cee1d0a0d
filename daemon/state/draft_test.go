//go:build unix

package state

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func openRoot(t *testing.T) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	return root
}

// drafted returns a draft that holds text.
func drafted(t *testing.T, root *os.Root, text string) *Draft {
	t.Helper()
	d, err := NewDraft(root)
	require.NoError(t, err)
	_, err = d.Write([]byte(text))
	require.NoError(t, err)
	return d
}

func TestDraftIsPrivateAndShortlyNamed(t *testing.T) {
	old := unix.Umask(0)
	defer unix.Umask(old)
	root := openRoot(t)
	d, err := NewDraft(root)
	require.NoError(t, err)
	all := names(t, root.Name())
	require.Len(t, all, 1)
	require.Regexp(t, draftName, all[0])
	require.Equal(t, os.FileMode(0o600), modeOf(t, filepath.Join(root.Name(), all[0])), "before its first byte")
	d.Discard()
	d.Discard()
	require.Empty(t, names(t, root.Name()))
}

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, Replace(path, []byte("first")))
	require.Equal(t, "first", read(t, path))
	require.NoError(t, os.Chmod(path, 0o644))
	require.NoError(t, Replace(path, []byte("second")))
	require.Equal(t, "second", read(t, path))
	require.Equal(t, os.FileMode(0o600), modeOf(t, path), "a wide mode is not inherited")
	require.Equal(t, []string{"file"}, names(t, filepath.Dir(path)))
}

// A link is replaced and not followed.
func TestReplaceALink(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "target"), "kept", 0o600)
	require.NoError(t, os.Symlink("target", filepath.Join(dir, "link")))
	require.NoError(t, Replace(filepath.Join(dir, "link"), []byte("new")))
	require.Equal(t, "kept", read(t, filepath.Join(dir, "target")))
	require.Equal(t, "new", read(t, filepath.Join(dir, "link")))
}

func TestReplaceThatFailsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "taken"), 0o700))
	write(t, filepath.Join(dir, "taken", "x"), "x", 0o600)
	for _, name := range []string{"taken", strings.Repeat("n", 256)} {
		require.Error(t, Replace(filepath.Join(dir, name), []byte("new")))
		require.Equal(t, []string{"taken"}, names(t, dir))
	}
	require.ErrorIs(t, Replace(filepath.Join(dir, "missing", "x"), nil), fs.ErrNotExist)
}

// taken are the things at a name that no file may be published over.
var taken = map[string]func(path string) error{
	"file":          func(path string) error { return os.WriteFile(path, []byte("kept"), 0o600) },
	"empty file":    func(path string) error { return os.WriteFile(path, nil, 0o600) },
	"directory":     func(path string) error { return os.Mkdir(path, 0o700) },
	"pipe":          func(path string) error { return unix.Mkfifo(path, 0o600) },
	"dangling link": func(path string) error { return os.Symlink("nowhere", path) },
	"link to a file": func(path string) error {
		if err := os.WriteFile(path+".target", []byte("kept"), 0o600); err != nil {
			return err
		}
		return os.Symlink(filepath.Base(path)+".target", path)
	},
}

// Every way of placing keeps the same promise, the first as the last.
func TestPlacers(t *testing.T) {
	for i, way := range placers {
		t.Run(fmt.Sprint("free name ", i), func(t *testing.T) {
			root := openRoot(t)
			d := drafted(t, root, "new")
			require.NoError(t, d.finish())
			require.NoError(t, way(root, d.name, "file"))
			require.Equal(t, []string{"file"}, names(t, root.Name()))
			require.Equal(t, "new", read(t, filepath.Join(root.Name(), "file")))
			require.Equal(t, os.FileMode(0o600), modeOf(t, filepath.Join(root.Name(), "file")))
		})
		for name, put := range taken {
			t.Run(fmt.Sprint(name, " ", i), func(t *testing.T) {
				root := openRoot(t)
				path := filepath.Join(root.Name(), "file")
				require.NoError(t, put(path))
				before, err := os.Lstat(path)
				require.NoError(t, err)
				held := names(t, root.Name())
				d := drafted(t, root, "new")
				require.NoError(t, d.finish())
				require.ErrorIs(t, place(root, d.name, "file", placers[i:]), fs.ErrExist)
				after, err := os.Lstat(path)
				require.NoError(t, err)
				require.True(t, os.SameFile(before, after))
				require.Equal(t, before.Size(), after.Size())
				require.NoFileExists(t, filepath.Join(root.Name(), "nowhere"))
				d.Discard()
				require.Equal(t, held, names(t, root.Name()))
			})
		}
	}
}

func TestPlaceTakesTheNextWayWhereOneIsLacking(t *testing.T) {
	lacks := func(err error) placer {
		return func(*os.Root, string, string) error {
			return lacking(&os.LinkError{Op: "link", Old: "a", New: "b", Err: err})
		}
	}
	for _, err := range []error{unix.ENOSYS, unix.EINVAL, unix.ENOTSUP, unix.EOPNOTSUPP, unix.EPERM, unix.EMLINK} {
		for _, way := range []placer{link, copyNew} {
			root := openRoot(t)
			d := drafted(t, root, "new")
			require.NoError(t, d.finish())
			require.NoError(t, place(root, d.name, "file", []placer{lacks(err), lacks(err), way}), err)
			require.Equal(t, "new", read(t, filepath.Join(root.Name(), "file")))
			require.Equal(t, []string{"file"}, names(t, root.Name()))
		}
	}
	for _, err := range []error{unix.EEXIST, unix.ENOSPC, unix.EACCES, unix.EROFS, unix.ENAMETOOLONG, unix.ENOENT, unix.EIO} {
		root := openRoot(t)
		d := drafted(t, root, "new")
		require.NoError(t, d.finish())
		require.ErrorIs(t, place(root, d.name, "file", []placer{lacks(err), link}), err, "a failure is no lack")
		require.NoFileExists(t, filepath.Join(root.Name(), "file"))
	}
	require.ErrorIs(t, place(openRoot(t), "a", "b", []placer{lacks(unix.ENOSYS)}), unix.ENOSYS, "no way is left")
}

func TestCopyThatFailsLeavesNothing(t *testing.T) {
	root := openRoot(t)
	require.ErrorIs(t, copyNew(root, "missing", "file"), fs.ErrNotExist)
	require.NoError(t, root.Mkdir("from", 0o700))
	require.Error(t, copyNew(root, "from", "file"), "a directory has no bytes")
	require.Equal(t, []string{"from"}, names(t, root.Name()))
}

func TestPublish(t *testing.T) {
	root := openRoot(t)
	d := drafted(t, root, "new")
	name := strings.Repeat("n", 255)
	require.NoError(t, d.Publish(name))
	d.Discard()
	require.Equal(t, []string{name}, names(t, root.Name()))

	d = drafted(t, root, "other")
	require.ErrorIs(t, d.Publish(name), fs.ErrExist)
	require.Equal(t, "new", read(t, filepath.Join(root.Name(), name)))
	d = drafted(t, root, "long")
	require.Error(t, d.Publish(name+"n"))
	require.Equal(t, []string{name}, names(t, root.Name()))
}

// Of many who publish under one name at once exactly one does, by each way.
func TestPublishRace(t *testing.T) {
	for i := range placers {
		t.Run(fmt.Sprint("way ", i), func(t *testing.T) {
			root := openRoot(t)
			var won, lost atomic.Int64
			var winner atomic.Value
			var all sync.WaitGroup
			start := make(chan struct{})
			for n := range 32 {
				text := strings.Repeat(string(rune('A'+n)), 4096)
				d := drafted(t, root, text)
				require.NoError(t, d.finish())
				all.Go(func() {
					<-start
					switch err := place(root, d.name, "file", placers[i:]); {
					case err == nil:
						won.Add(1)
						winner.Store(text)
					case os.IsExist(err):
						lost.Add(1)
					}
					d.Discard()
				})
			}
			close(start)
			all.Wait()
			require.EqualValues(t, 1, won.Load())
			require.EqualValues(t, 31, lost.Load())
			require.Equal(t, winner.Load(), read(t, filepath.Join(root.Name(), "file")))
			require.Equal(t, []string{"file"}, names(t, root.Name()))
		})
	}
}
