//go:build unix

package console

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// own returns a directory of its own whose name is short enough for a socket.
func own(t *testing.T) string {
	dir, err := os.MkdirTemp("", "omw")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestTheSocketIsItsOwners(t *testing.T) {
	path := filepath.Join(own(t), "new", "sim.sock")
	ln, err := Listen(context.Background(), path)
	require.NoError(t, err)
	defer ln.Close()
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	info, err = os.Stat(filepath.Dir(path))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())

	_, err = Listen(context.Background(), path)
	require.ErrorContains(t, err, "somebody listens there")
	c, err := net.Dial("unix", path)
	require.NoError(t, err, "who listened first still does")
	_ = c.Close()
}

func TestASocketThatWasLeftBehind(t *testing.T) {
	path := filepath.Join(own(t), "sim.sock")
	left, err := net.Listen("unix", path)
	require.NoError(t, err)
	left.(*net.UnixListener).SetUnlinkOnClose(false)
	require.NoError(t, left.Close())
	ln, err := Listen(context.Background(), path)
	require.NoError(t, err)
	require.NoError(t, ln.Close())
}

func TestWhatIsNoSocketStays(t *testing.T) {
	path := filepath.Join(own(t), "sim.sock")
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	_, err := Listen(context.Background(), path)
	require.ErrorContains(t, err, "no socket")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "mine", string(b))
}

func TestADirectoryThatOthersMayEnter(t *testing.T) {
	for mode, good := range map[os.FileMode]bool{0o700: true, 0o710: false, 0o701: false, 0o755: false} {
		dir := own(t)
		require.NoError(t, os.Chmod(dir, mode))
		ln, err := Listen(context.Background(), filepath.Join(dir, "sim.sock"))
		require.Equal(t, good, err == nil, "%o: %v", mode, err)
		if err == nil {
			require.NoError(t, ln.Close())
		} else {
			require.ErrorContains(t, err, "others may enter")
		}
	}
}
