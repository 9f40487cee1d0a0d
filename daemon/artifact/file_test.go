//go:build unix

package artifact

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// create begins an artifact that holds text.
func create(t *testing.T, path, text string) *File {
	t.Helper()
	f, err := Create(path, limits)
	require.NoError(t, err)
	n, err := f.Write([]byte(text))
	require.NoError(t, err)
	require.Equal(t, len(text), n)
	return f
}

func publish(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, create(t, path, text).Publish())
}

// FILE-01, FILE-02.
func TestFile(t *testing.T) {
	old := unix.Umask(0)
	defer unix.Umask(old)
	dir := t.TempDir()
	path := filepath.Join(dir, "shot.png")
	f := create(t, path, "first ")
	_, err := f.Write([]byte("second"))
	require.NoError(t, err)
	require.Equal(t, path, f.Path())

	before := names(t, dir)
	require.Len(t, before, 1)
	require.NotEqual(t, "shot.png", before[0], "it stands nowhere until it is whole")
	info, err := os.Stat(filepath.Join(dir, before[0]))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())

	require.NoError(t, f.Publish())
	f.Discard()
	require.Equal(t, []string{"shot.png"}, names(t, dir))
	require.Equal(t, "first second", read(t, path))
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	tried(t, path, protocol.FileExists, path)
	require.Equal(t, "first second", read(t, path))
}

func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty")
	publish(t, path, "")
	require.Equal(t, "", read(t, path))
}

func TestPathIsCleaned(t *testing.T) {
	dir := t.TempDir()
	f := create(t, dir+"/./b/../c//../shot.png", "x")
	require.Equal(t, filepath.Join(dir, "shot.png"), f.Path())
	require.NoError(t, f.Publish())
	require.Equal(t, []string{"shot.png"}, names(t, dir))
}

func TestNamesThatOnlyLookOdd(t *testing.T) {
	dir := t.TempDir()
	odd := []string{"-rf", "a b", "~", "a\nb", "\xff\xfe", "...", "a\\b", "é", "\u202ex", "con", "*"}
	for _, name := range odd {
		publish(t, dir+"/"+name, name)
		require.Equal(t, name, read(t, dir+"/"+name))
	}
	require.Len(t, names(t, dir), len(odd))
}

func TestParentBehindALink(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "real"), 0o700))
	require.NoError(t, os.Symlink("real", filepath.Join(dir, "link")))
	publish(t, filepath.Join(dir, "link", "shot.png"), "x")
	require.Equal(t, "x", read(t, filepath.Join(dir, "real", "shot.png")))
}

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	f := create(t, filepath.Join(dir, "shot.png"), "page pixels")
	f.Discard()
	f.Discard()
	require.Empty(t, names(t, dir))
	_, err := f.Write([]byte("x"))
	refused(t, err, protocol.FileError, protocol.DeliveredUnknown)
	refused(t, f.Publish(), protocol.FileError, protocol.DeliveredUnknown)
	require.Empty(t, names(t, dir))
}

// Whatever comes to stand at the path while the browser works is left alone.
func TestPathTakenInTheMeantime(t *testing.T) {
	for name, put := range taken {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "shot.png")
			require.NoError(t, Check(path, limits))
			f := create(t, path, "new")
			require.NoError(t, put(path))
			before, err := os.Lstat(path)
			require.NoError(t, err)
			refused(t, f.Publish(), protocol.FileExists, protocol.DeliveredUnknown, path)
			after, err := os.Lstat(path)
			require.NoError(t, err)
			require.True(t, os.SameFile(before, after))
			require.Equal(t, before.Size(), after.Size())
			require.Equal(t, []string{"shot.png"}, names(t, dir))
		})
	}
}

func TestDirectoryGoneInTheMeantime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(dir, 0o700))
	f := create(t, filepath.Join(dir, "shot.png"), "x")
	require.NoError(t, os.RemoveAll(dir))
	refused(t, f.Publish(), protocol.FileError, protocol.DeliveredUnknown, "does not exist")
	require.NoDirExists(t, dir)
}

func TestPublishRace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shot.png")
	var won, lost atomic.Int64
	var winner atomic.Value
	var all sync.WaitGroup
	start := make(chan struct{})
	for n := range 32 {
		text := strings.Repeat(fmt.Sprintf("%02d", n), 8192)
		f := create(t, path, text)
		all.Go(func() {
			<-start
			switch err := f.Publish(); {
			case err == nil:
				won.Add(1)
				winner.Store(text)
			case protocol.AsError(err).Code == protocol.FileExists:
				lost.Add(1)
			}
		})
	}
	close(start)
	all.Wait()
	require.EqualValues(t, 1, won.Load())
	require.EqualValues(t, 31, lost.Load())
	require.Equal(t, winner.Load(), read(t, path))
	require.Equal(t, []string{"shot.png"}, names(t, filepath.Dir(path)))
}
