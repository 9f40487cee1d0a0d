//go:build unix

package state

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWideDirectoryThatIsOurs(t *testing.T) {
	for name, fill := range map[string]func(t *testing.T, path string){
		"empty":       nil,
		"with config": func(t *testing.T, path string) { write(t, filepath.Join(path, "config.json"), goodConfig, 0o600) },
		"with config and more": func(t *testing.T, path string) {
			write(t, filepath.Join(path, "config.json"), goodConfig, 0o600)
			write(t, filepath.Join(path, "notes"), "x", 0o644)
		},
	} {
		for _, mode := range []os.FileMode{0o755, 0o777, 0o701, 0o710, 0o720} {
			t.Run(name+" "+mode.String(), func(t *testing.T) {
				path := newDir(t)
				require.NoError(t, os.Mkdir(path, 0o700))
				if fill != nil {
					fill(t, path)
				}
				require.NoError(t, os.Chmod(path, mode))
				_, log := open(t, path)
				require.Equal(t, os.FileMode(0o700), modeOf(t, path))
				require.Contains(t, log.String(), "made private")
				require.Contains(t, log.String(), path)
			})
		}
	}
}

// A directory of other things was given its mode by somebody who wanted it.
func TestWideDirectoryOfOtherThings(t *testing.T) {
	for name, config := range map[string]string{
		"no config": "", "config of another program": `{"editor":"vi"}`, "broken config": `{`, "bindings alone": "",
	} {
		t.Run(name, func(t *testing.T) {
			path := newDir(t)
			require.NoError(t, os.Mkdir(path, 0o700))
			other := "notes"
			if name == "bindings alone" {
				other = "bindings.json"
			}
			write(t, filepath.Join(path, other), `{"version":1,"sessions":{}}`, 0o644)
			write(t, filepath.Join(path, ".omw-ABCDEFGH.tmp"), "x", 0o644)
			if config != "" {
				write(t, filepath.Join(path, "config.json"), config, 0o644)
			}
			require.NoError(t, os.Chmod(path, 0o755))
			before := names(t, path)
			_, _, err := tryOpen(path)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, "chmod 700")
			require.Equal(t, os.FileMode(0o755), modeOf(t, path))
			require.Equal(t, os.FileMode(0o644), modeOf(t, filepath.Join(path, other)))
			require.Equal(t, before, names(t, path))
		})
	}
}

func TestPrivateDirectoryOfOtherThings(t *testing.T) {
	path := newDir(t)
	require.NoError(t, os.Mkdir(path, 0o700))
	write(t, filepath.Join(path, "notes"), "x", 0o644)
	_, log := open(t, path)
	require.Empty(t, log.String())
	require.Equal(t, []string{"config.json", "notes"}, names(t, path))
	require.Equal(t, os.FileMode(0o644), modeOf(t, filepath.Join(path, "notes")))
}

// Whoever owns the directory could exchange the token. Root is told too, before
// it leaves files in a home that its user cannot read.
func TestDirectoryOfAnotherUser(t *testing.T) {
	path := "/"
	if os.Geteuid() == 0 {
		path = newDir(t)
		require.NoError(t, os.Mkdir(path, 0o700))
		require.NoError(t, os.Chown(path, 65534, 65534))
	}
	_, _, err := tryOpen(path)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "another user")
	require.NoFileExists(t, filepath.Join(path, "config.json"))
}

func TestWideFilesAreTightened(t *testing.T) {
	path := newDir(t)
	require.NoError(t, os.Mkdir(path, 0o700))
	write(t, filepath.Join(path, "config.json"), goodConfig, 0o644)
	write(t, filepath.Join(path, "bindings.json"), `{"version":1,"sessions":{"shop":"chrome"}}`, 0o666)
	d, log := open(t, path)
	require.Equal(t, goodToken, d.Token())
	require.Len(t, d.Bindings(), 1)
	require.Equal(t, os.FileMode(0o600), modeOf(t, filepath.Join(path, "config.json")))
	require.Equal(t, os.FileMode(0o600), modeOf(t, filepath.Join(path, "bindings.json")))
	require.Contains(t, log.String(), "omw token rotate")
	require.Contains(t, log.String(), "0644")
	require.Contains(t, log.String(), "0666")
}

func TestDirectoryBehindALink(t *testing.T) {
	path := newDir(t)
	require.NoError(t, os.Mkdir(path, 0o700))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(path, link))
	open(t, link)
	require.FileExists(t, filepath.Join(path, "config.json"))
	_, _, err := tryOpen(path)
	require.ErrorIs(t, err, ErrLocked, "it is one directory by whatever name")
}

func TestPathThatCannotBeADirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "x", 0o600)
	dangling := filepath.Join(t.TempDir(), "dangling")
	require.NoError(t, os.Symlink("nowhere", dangling))
	for _, path := range []string{file, filepath.Join(file, "omw"), dangling} {
		_, _, err := tryOpen(path)
		require.ErrorContains(t, err, "config directory")
		require.ErrorContains(t, err, filepath.Base(path))
	}
	require.Equal(t, "x", read(t, file))
}
