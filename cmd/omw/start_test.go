package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// initBytes is the most that a package of ours may allocate before main begins.
// All schemas together take more; who needs them compiles them then.
const initBytes = 500_000

// A process that sends one command must not pay at its start for what other verbs
// need. How long that takes depends on the machine, and make bench tells; how much
// is made does not.
func TestNothingIsPreparedThatAVerbMayNotNeed(t *testing.T) {
	cmd := exec.Command("omw", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	require.NoError(t, cmd.Run())
	ours := regexp.MustCompile(`(?m)^init (github\.com/oh-my-webbridge/omw/\S+) @.* clock, (\d+) bytes, \d+ allocs$`).FindAllStringSubmatch(trace.String(), -1)
	require.NotEmpty(t, ours, trace.String())
	for _, line := range ours {
		n, err := strconv.Atoi(line[2])
		require.NoError(t, err)
		require.LessOrEqual(t, n, initBytes, "%s makes %d bytes before main begins", line[1], n)
	}
}
