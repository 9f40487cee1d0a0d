//go:build !unix

package main

import (
	"io"
	"os"
)

// supervise calls run. Here a daemon in the process that panics ends it with
// Go's own exit code 2.
func supervise(args []string, run func([]string, io.Writer, io.Writer) int) int {
	return run(args, os.Stdout, os.Stderr)
}
