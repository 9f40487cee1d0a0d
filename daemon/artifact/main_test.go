//go:build unix

package artifact

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// childVerb makes the test binary run as a child that does one thing and ends.
const childVerb = "OMW_ARTIFACT_TEST_CHILD"

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

var limits = protocol.DefaultLimits()

// refused requires that err is an error of the wire with that code, and that its
// message says so much.
func refused(t *testing.T, err error, code protocol.Code, delivered protocol.Delivered, says ...string) {
	t.Helper()
	e, ok := errors.AsType[*protocol.Error](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, code, e.Code, e.Message)
	require.Equal(t, delivered, e.Delivered)
	for _, s := range says {
		require.Contains(t, e.Message, s)
	}
}

func write(t *testing.T, path, data string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
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
	return found
}

func fifo(path string) error { return unix.Mkfifo(path, 0o600) }
