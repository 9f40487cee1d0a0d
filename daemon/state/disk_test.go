//go:build unix

package state

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func init() {
	// full: rotates and saves while the system lets no file have a byte, and
	// again once it does.
	children["full"] = func(args []string) error {
		d, err := Open(args[0], nil)
		if err != nil {
			return err
		}
		defer d.Close()
		signal.Ignore(syscall.SIGXFSZ)
		var limit unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		before := limit
		limit.Cur = 0
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		old := d.Token()
		if token, err := d.Rotate(); !errors.Is(err, syscall.EFBIG) || token != "" || d.Token() != old {
			return fmt.Errorf("a rotation that finds no room: %v", err)
		}
		bindings := map[string]protocol.Browser{"shop": protocol.Firefox}
		if err := d.SaveBindings(bindings); !errors.Is(err, syscall.EFBIG) {
			return fmt.Errorf("bindings that find no room: %v", err)
		}
		if entries, err := os.ReadDir(args[0]); err != nil || len(entries) != 1 {
			return fmt.Errorf("the directory holds %v, %v", entries, err)
		}
		if token, err := ReadToken(args[0]); err != nil || token != old {
			return fmt.Errorf("config.json has changed: %v", err)
		}
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
			return err
		}
		if _, err := d.Rotate(); err != nil {
			return err
		}
		return d.SaveBindings(bindings)
	}
}

// FILE-04: no room is an error, the old files stand, and the daemon goes on.
func TestNoRoom(t *testing.T) {
	path := newDir(t)
	out, err := child(t, "full", path).CombinedOutput()
	require.NoError(t, err, string(out))
	d, _ := open(t, path)
	require.Equal(t, map[string]protocol.Browser{"shop": protocol.Firefox}, d.Bindings())
	require.Equal(t, []string{"bindings.json", "config.json"}, names(t, path))
}
