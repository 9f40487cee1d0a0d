package record

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.tape")
	require.NoError(t, Save(path, []byte("one"), false))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())

	require.ErrorIs(t, Save(path, []byte("two"), false), fs.ErrExist)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "one", string(b), "what was there is left alone")
	require.NoError(t, Save(path, []byte("two"), true))
	b, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two", string(b))

	// A symbolic link is something, even if it leads nowhere.
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(filepath.Join(dir, "nowhere"), link))
	require.ErrorIs(t, Save(link, []byte("three"), false), fs.ErrExist)
	require.NoFileExists(t, filepath.Join(dir, "nowhere"))

	require.ErrorIs(t, Save(filepath.Join(dir, "no", "a.tape"), nil, false), fs.ErrNotExist)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 2, "no temporary file is left")
}
