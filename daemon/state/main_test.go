//go:build unix

package state

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// childVerb makes the test binary run as a child that does one thing and ends.
const childVerb = "OMW_STATE_TEST_CHILD"

// children are what a child may be asked to do, with its arguments.
var children = map[string]func(args []string) error{}

func TestMain(m *testing.M) {
	verb := os.Getenv(childVerb)
	if verb == "" {
		goleak.VerifyTestMain(m)
		return
	}
	if err := children[verb](os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child returns a command that runs a child of this test binary.
func child(t *testing.T, verb string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), childVerb+"="+verb)
	return cmd
}

// newDir returns the path of a config directory that does not exist yet.
func newDir(t *testing.T) string { return filepath.Join(t.TempDir(), "omw") }

// open opens a directory and closes it at the end of the test; what is logged
// stands in the buffer.
func open(t *testing.T, path string) (*Dir, *bytes.Buffer) {
	t.Helper()
	d, log, err := tryOpen(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	require.NotContains(t, log.String(), d.Token())
	return d, log
}

func tryOpen(path string) (*Dir, *bytes.Buffer, error) {
	log := &bytes.Buffer{}
	d, err := Open(path, slog.New(slog.NewTextHandler(log, nil)))
	return d, log, err
}

func write(t *testing.T, path, data string, mode os.FileMode) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
	require.NoError(t, os.Chmod(path, mode))
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func modeOf(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}

// names returns what a directory holds.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	found := make([]string, 0, len(entries))
	for _, e := range entries {
		found = append(found, e.Name())
	}
	slices.Sort(found)
	return found
}

// goodToken and goodConfig are a config.json that somebody wrote by hand.
const (
	goodToken  = "abcdefghijklmnopqrstuvwxyz-_0123"
	goodConfig = `{"version":1,"token":"` + goodToken + `"}`
)
