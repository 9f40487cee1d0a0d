//go:build unix

package state

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func init() {
	// open: opens the directory under a umask, saves bindings and rotates.
	children["open"] = func(args []string) error {
		mask, err := strconv.ParseUint(args[0], 8, 32)
		if err != nil {
			return err
		}
		unix.Umask(int(mask))
		d, err := Open(args[1], nil)
		if err != nil {
			return err
		}
		if err := d.SaveBindings(map[string]protocol.Browser{"shop": protocol.Firefox}); err != nil {
			return err
		}
		if _, err := d.Rotate(); err != nil {
			return err
		}
		return d.Close()
	}
}

func TestFirstStart(t *testing.T) {
	path := newDir(t)
	d, log := open(t, path)
	require.Empty(t, log.String())
	require.Equal(t, path, d.Path())
	require.Regexp(t, `^[A-Za-z0-9_-]{43}$`, d.Token())
	require.Equal(t, fmt.Sprintf("{\"version\":1,\"token\":%q}\n", d.Token()), read(t, filepath.Join(path, "config.json")))
	require.Equal(t, []string{"config.json"}, names(t, path))
	require.Empty(t, d.Bindings())
	require.NotNil(t, d.Bindings())
}

func TestEveryDirectoryHasItsOwnToken(t *testing.T) {
	a, _ := open(t, newDir(t))
	b, _ := open(t, newDir(t))
	require.NotEqual(t, a.Token(), b.Token())
}

// AUTH-16, AUTH-17: the umask widens nothing and takes nothing away.
func TestModesWhateverTheUmask(t *testing.T) {
	for _, mask := range []string{"000", "022", "077", "277", "777"} {
		t.Run(mask, func(t *testing.T) {
			parent := filepath.Join(t.TempDir(), "config")
			path := filepath.Join(parent, "omw")
			out, err := child(t, "open", mask, path).CombinedOutput()
			require.NoError(t, err, string(out))
			require.Equal(t, os.FileMode(0o700), modeOf(t, parent))
			require.Equal(t, os.FileMode(0o700), modeOf(t, path))
			require.Equal(t, os.FileMode(0o600), modeOf(t, filepath.Join(path, "config.json")))
			require.Equal(t, os.FileMode(0o600), modeOf(t, filepath.Join(path, "bindings.json")))
			require.Equal(t, []string{"bindings.json", "config.json"}, names(t, path))
		})
	}
}

func TestSecondStartFindsTheSameToken(t *testing.T) {
	path := newDir(t)
	first, _ := open(t, path)
	token := first.Token()
	require.NoError(t, first.Close())
	second, _ := open(t, path)
	require.Equal(t, token, second.Token())
}

func TestRotate(t *testing.T) {
	path := newDir(t)
	d, _ := open(t, path)
	old := d.Token()
	token, err := d.Rotate()
	require.NoError(t, err)
	require.NotEqual(t, old, token)
	require.Equal(t, token, d.Token())
	onDisk, err := ReadToken(path)
	require.NoError(t, err)
	require.Equal(t, token, onDisk)
	require.Equal(t, []string{"config.json"}, names(t, path))
}

// What the daemon holds and what stands on the disk must not part.
func TestConcurrentRotations(t *testing.T) {
	path := newDir(t)
	d, _ := open(t, path)
	for range 30 {
		var all sync.WaitGroup
		var failed atomic.Int64
		for range 8 {
			all.Go(func() {
				if _, err := d.Rotate(); err != nil {
					failed.Add(1)
				}
			})
		}
		all.Wait()
		require.Zero(t, failed.Load())
		onDisk, err := ReadToken(path)
		require.NoError(t, err)
		require.Equal(t, d.Token(), onDisk)
	}
}

func TestRotateThatFailsKeepsTheToken(t *testing.T) {
	path := newDir(t)
	d, _ := open(t, path)
	old := d.Token()
	require.NoError(t, os.RemoveAll(path))
	_, err := d.Rotate()
	require.ErrorContains(t, err, filepath.Join(path, "config.json"))
	require.Equal(t, old, d.Token())
	require.ErrorContains(t, d.SaveBindings(nil), filepath.Join(path, "bindings.json"))
}

func TestClosedDir(t *testing.T) {
	d, _ := open(t, newDir(t))
	require.NoError(t, d.Close())
	require.NoError(t, d.Close())
	_, err := d.Rotate()
	require.Error(t, err)
}

// C28: a second daemon finds the lock and touches nothing.
func TestSecondDaemon(t *testing.T) {
	path := newDir(t)
	first, _ := open(t, path)
	require.NoError(t, first.SaveBindings(map[string]protocol.Browser{"shop": protocol.Chrome}))
	draft := filepath.Join(path, ".omw-ABCDEFGH.tmp")
	write(t, draft, "being written", 0o600)
	require.NoError(t, os.Chmod(path, 0o755))
	before, err := os.Stat(path)
	require.NoError(t, err)

	_, log, err := tryOpen(path)
	require.ErrorIs(t, err, ErrLocked)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "another omw runs")
	require.Empty(t, log.String())
	after, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, before.Mode(), after.Mode())
	require.Equal(t, before.ModTime(), after.ModTime())
	require.FileExists(t, draft)

	out, err := child(t, "open", "022", path).CombinedOutput()
	require.Error(t, err, "another process is kept out as well")
	require.Contains(t, string(out), "another omw runs")

	require.NoError(t, first.Close())
	second, _ := open(t, path)
	require.Equal(t, first.Token(), second.Token())
	require.NoFileExists(t, draft)
}

func TestOfTwentyDaemonsOneLives(t *testing.T) {
	path := newDir(t)
	var mu sync.Mutex
	var living []*Dir
	var refusals []error
	var all sync.WaitGroup
	start := make(chan struct{})
	for range 20 {
		all.Go(func() {
			<-start
			d, _, err := tryOpen(path)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				refusals = append(refusals, err)
			} else {
				living = append(living, d)
			}
		})
	}
	close(start)
	all.Wait()
	require.Len(t, living, 1)
	for _, err := range refusals {
		require.ErrorIs(t, err, ErrLocked)
	}
	onDisk, err := ReadToken(path)
	require.NoError(t, err)
	require.Equal(t, living[0].Token(), onDisk)
	require.NoError(t, living[0].Close())
}

// Only names of our own pattern are ours to remove.
func TestLeftOversAreRemoved(t *testing.T) {
	path := newDir(t)
	require.NoError(t, os.Mkdir(path, 0o700))
	kept := []string{
		".omw-abcdefgh.tmp", ".omw-ABCDEFG.tmp", ".omw-ABCDEFGHI.tmp", ".omw-ABCDEFG1.tmp", "x.omw-ABCDEFGH.tmp",
		".omw-ABCDEFGH.tmp~", "omw-ABCDEFGH.tmp", ".omw-ABCDEFGH", "notes.tmp",
	}
	for _, name := range append(kept, ".omw-ABCDEFGH.tmp", ".omw-22222222.tmp", ".omw-ZZZZ7777.tmp") {
		write(t, filepath.Join(path, name), "x", 0o600)
	}
	require.NoError(t, os.Mkdir(filepath.Join(path, ".omw-DIRECTRY.tmp"), 0o700))
	require.NoError(t, os.Symlink("notes.tmp", filepath.Join(path, ".omw-SYMLINKS.tmp")))
	open(t, path)
	require.ElementsMatch(t, append(kept, "config.json", ".omw-DIRECTRY.tmp", ".omw-SYMLINKS.tmp"), names(t, path))
}
