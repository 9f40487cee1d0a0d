//go:build unix

package artifact

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// tried runs Check and Create on a path and requires that both say the same,
// each from its side of the browser.
func tried(t *testing.T, path string, code protocol.Code, says ...string) {
	t.Helper()
	refused(t, Check(path, limits), code, protocol.DeliveredNo, says...)
	f, err := Create(path, limits)
	require.Nil(t, f)
	refused(t, err, code, protocol.DeliveredUnknown, says...)
}

// C32: what is not an absolute path to a new file leaves no file anywhere.
func TestPathThatIsNone(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	for path, says := range map[string]string{
		"/":                     "names a directory",
		dir + "/new/.":          "names a directory",
		dir + "/new/..":         "names a directory",
		"":                      "absolute",
		"shot.png":              "absolute",
		"./a.png":               "absolute",
		"../a.png":              "absolute",
		"~/a.png":               "absolute",
		"file:///tmp/a.png":     "absolute",
		"C:\\a.png":             "absolute",
		"C:/a.png":              "absolute",
		" " + dir + "/a.png":    "absolute",
		dir + "/":               "names a directory",
		dir + "/new/":           "names a directory",
		dir + "/a\x00.png":      "NUL",
		dir + "/x/a.png":        "does not exist",
		dir + "/x/../y/a.png":   "does not exist",
		dir + "/\n/a.png":       `\n`,
		dir + "/\x1b[31m/a.png": `\x1b`,
	} {
		tried(t, path, protocol.FileError, says)
	}
	require.Empty(t, names(t, dir))
}

func TestPathThatStands(t *testing.T) {
	dir := t.TempDir()
	for name, put := range taken {
		require.NoError(t, put(filepath.Join(dir, name)))
	}
	before := names(t, dir)
	for name := range taken {
		tried(t, filepath.Join(dir, name), protocol.FileExists, name)
	}
	for _, path := range []string{"/dev/null", "/dev/stdout", dir, dir + "/./x/../file"} {
		tried(t, path, protocol.FileExists)
	}
	require.Equal(t, before, names(t, dir))
	require.Equal(t, "kept", read(t, filepath.Join(dir, "file")))
}

// taken are the things that may stand where a file should go (FILE-02).
var taken = map[string]func(path string) error{
	"file":          func(path string) error { return os.WriteFile(path, []byte("kept"), 0o600) },
	"empty file":    func(path string) error { return os.WriteFile(path, nil, 0o600) },
	"directory":     func(path string) error { return os.Mkdir(path, 0o700) },
	"pipe":          fifo,
	"dangling link": func(path string) error { return os.Symlink("nowhere", path) },
	"link to a file": func(path string) error {
		return os.Symlink("/dev/null", path)
	},
}

func TestParentThatIsNoDirectory(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "kept")
	require.NoError(t, fifo(filepath.Join(dir, "pipe")))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	require.NoError(t, os.Symlink("circle", filepath.Join(dir, "circle")))
	tried(t, dir+"/file/a.png", protocol.FileError, "no directory", dir+"/file")
	tried(t, dir+"/file/x/a.png", protocol.FileError, "no directory")
	tried(t, dir+"/pipe/a.png", protocol.FileError, "no directory")
	tried(t, dir+"/dangling/a.png", protocol.FileError, "does not exist")
	tried(t, dir+"/circle/a.png", protocol.FileError, "circle")
	tried(t, filepath.Join(dir, strings.Repeat("d", 256), "a.png"), protocol.FileError, "longer than the file system takes")
	require.Equal(t, "kept", read(t, dir+"/file"))
}

// C31: the limit is on the name, in bytes, and the temporary name has no part in it.
func TestLengthOfAName(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"a", strings.Repeat("n", 254), strings.Repeat("n", 255), strings.Repeat("語", 85), strings.Repeat("n", 251) + ".png",
	} {
		publish(t, filepath.Join(dir, name), "x")
		require.FileExists(t, filepath.Join(dir, name))
	}
	before := names(t, dir)
	for _, name := range []string{strings.Repeat("n", 256), strings.Repeat("語", 85) + "n", strings.Repeat("n", 4000)} {
		tried(t, filepath.Join(dir, name), protocol.FileError, "255 is the most")
	}
	require.Equal(t, before, names(t, dir))
}

func TestDirectoryWithoutPermission(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"r-x": 0o555, "r--": 0o444, "none": 0} {
		parent := filepath.Join(dir, name)
		require.NoError(t, os.Mkdir(parent, mode))
		path := filepath.Join(parent, "a.png")
		refused(t, unprivileged(func() error { return Check(path, limits) }), protocol.FileError, protocol.DeliveredNo, "permission denied", parent)
		refused(t, unprivileged(func() error {
			f, err := Create(path, limits)
			if err == nil {
				f.Discard()
			}
			return err
		}), protocol.FileError, protocol.DeliveredUnknown, "permission denied", parent)
		require.NoError(t, os.Chmod(parent, 0o700))
		require.Empty(t, names(t, parent))
	}
	require.NoError(t, unprivileged(func() error { return Check(filepath.Join(dir, "r-x", "a.png"), limits) }), "it was the mode that was in the way")
}

func TestCheckLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	before, err := os.Stat(dir)
	require.NoError(t, err)
	require.NoError(t, Check(filepath.Join(dir, "a.png"), limits))
	after, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime())
	require.Empty(t, names(t, dir))
}

func TestLongPathsAreCutInErrors(t *testing.T) {
	err := Check("/"+strings.Repeat("d/", 100_000)+"a", limits)
	refused(t, err, protocol.FileError, protocol.DeliveredNo)
	require.Less(t, len(err.Error()), 1024)
}
