//go:build unix

package state

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func init() {
	// rotate: rotates for ever and prints each token once it is published.
	children["rotate"] = func(args []string) error {
		unix.Umask(0)
		d, err := Open(args[0], nil)
		if err != nil {
			return err
		}
		for token := d.Token(); err == nil; token, err = d.Rotate() {
			if _, err := fmt.Println(token); err != nil {
				return err
			}
		}
		return err
	}
}

// AUTH-17: kill -9 at any moment leaves config.json whole, with the old token
// or the new one, and nothing that the next start does not remove. It goes on
// until fifty kills have hit a rotation in its middle.
func TestKillDuringRotation(t *testing.T) {
	const wanted, most = 50, 2000
	path := newDir(t)
	leftOvers, kills := 0, 0
	for ; leftOvers < wanted; kills++ {
		require.Less(t, kills, most, "only %d of %d kills left a temporary file", leftOvers, kills)
		printed := killed(t, path)

		onDisk, err := ReadToken(path)
		require.NoError(t, err, "kill %d", kills)
		require.NotContains(t, printed[:len(printed)-1], onDisk, "neither the last token nor the one after it")
		require.Equal(t, os.FileMode(0o600), modeOf(t, filepath.Join(path, "config.json")))
		left := 0
		for _, name := range names(t, path) {
			if name == "config.json" {
				continue
			}
			require.Regexp(t, draftName, name)
			require.Equal(t, os.FileMode(0o600), modeOf(t, filepath.Join(path, name)))
			left++
		}
		require.LessOrEqual(t, left, 1)
		leftOvers += left

		d, log, err := tryOpen(path)
		require.NoError(t, err)
		require.Empty(t, log.String())
		require.Equal(t, onDisk, d.Token())
		require.Equal(t, []string{"config.json"}, names(t, path))
		require.NoError(t, d.Close())
	}
	t.Logf("%d kills, %d of them in the middle of a rotation", kills, leftOvers)
}

// killed runs a child that rotates, kills it at a random moment after its first
// few tokens, and returns the tokens that it printed.
func killed(t *testing.T, path string) []string {
	t.Helper()
	cmd := child(t, "rotate", path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	var printed []string
	for range 1 + rand.IntN(4) {
		require.True(t, lines.Scan(), "the child ended by itself")
		printed = append(printed, lines.Text())
	}
	// The moment is random within about one rotation, so the wait is a spin.
	for start, wait := time.Now(), time.Duration(rand.Int64N(int64(2*time.Millisecond))); time.Since(start) < wait; {
	}
	require.NoError(t, cmd.Process.Kill())
	for lines.Scan() {
		if whole.MatchString(lines.Text()) {
			printed = append(printed, lines.Text())
		}
	}
	require.Error(t, cmd.Wait())
	return printed
}

var whole = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
