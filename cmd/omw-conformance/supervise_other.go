//go:build !unix

package main

import "os"

// supervise executes the command line. Here a daemon in the process that
// panics ends it with Go's own exit code 2.
func supervise(args []string) int { return execute(args, os.Stdout, os.Stderr) }
