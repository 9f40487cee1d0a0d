//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// inner is the variable that tells the program that it is supervised.
const inner = "OMW_CONFORMANCE_SUPERVISED"

// crashFile is the number of the file that a supervised program's crash is
// written to.
const crashFile = 3

// supervise executes the command line in a child, which calls run, and returns
// its exit code. A daemon in the process that panics takes the process with it,
// and Go ends it with 2, which means something else here; so whoever runs the
// daemon must not be who says what became of it.
func supervise(args []string, run func([]string, io.Writer, io.Writer) int) int {
	if os.Getenv(inner) != "" {
		return supervised(args, run)
	}
	crash, err := runChild(args)
	switch ended := (*exec.ExitError)(nil); {
	case len(crash) > 0:
		code := blame(string(crash))
		_, _ = fmt.Fprintf(os.Stderr, "omw-conformance: the process crashed, exit code %d: %s\n", code, firstLine(string(crash)))
		return int(code)
	case err == nil:
		return 0
	case errors.As(err, &ended) && ended.Exited():
		return ended.ExitCode()
	default:
		_, _ = fmt.Fprintln(os.Stderr, "omw-conformance:", err)
		return int(verdict.Fault)
	}
}

// supervised calls run with the runtime's last words going to who supervises
// it.
func supervised(args []string, run func([]string, io.Writer, io.Writer) int) int {
	if err := os.Unsetenv(inner); err != nil {
		return int(verdict.Fault)
	}
	words := os.NewFile(crashFile, "crash")
	if err := debug.SetCrashOutput(words, debug.CrashOptions{}); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "omw-conformance:", err)
		return int(verdict.Fault)
	}
	if err := words.Close(); err != nil {
		return int(verdict.Fault)
	}
	return run(args, os.Stdout, os.Stderr)
}

// runChild executes this program once more and returns its last words, if it
// had any.
func runChild(args []string) (crash []byte, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	cmd := exec.Command(self, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), inner+"=1")
	cmd.ExtraFiles = []*os.File{w}
	// What is sent to this process is passed on. An interrupt at the terminal
	// reaches the child twice, which does no harm.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	err = errors.Join(cmd.Start(), w.Close())
	if err != nil {
		return nil, err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case sig := <-signals:
				_ = cmd.Process.Signal(sig)
			case <-done:
				return
			}
		}
	}()
	crash, readErr := io.ReadAll(io.LimitReader(r, 1<<20))
	// More than that is not needed to know whose fault it is.
	_, _ = io.Copy(io.Discard, r)
	return crash, errors.Join(cmd.Wait(), readErr)
}
