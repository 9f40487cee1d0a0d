//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"omw-conformance": main,
		"falls":           func() { os.Exit(supervise(os.Args[1:], falls)) },
		"liar":            func() { os.Exit(supervise(os.Args[1:], lies.execute)) },
		"tardy":           func() { os.Exit(supervise(os.Args[1:], tardy.execute)) },
		"frail":           frail,
	})
}

// falls is a program that crashes outside its main goroutine, is killed, or
// ends with the code that it is given.
func falls(args []string, stdout, _ io.Writer) int {
	_, _ = io.WriteString(stdout, "falling\n")
	switch args[0] {
	case "panic":
		go panic("the bottom fell out")
		select {}
	case "killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	code, err := strconv.Atoi(args[0])
	if err != nil {
		return 99
	}
	return code
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			// A program with the race detector in it otherwise sleeps for a second at its end.
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			root, err := filepath.Abs("../..")
			e.Setenv("ROOT", root)
			return errors.Join(err, jobScripts(e.WorkDir))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs the command and wants it to end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		ended, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = ended.ExitCode()
	}
	if got != want {
		ts.Fatalf("%v ended with %d, want %d", args[1:], got, want)
	}
}

func TestBlame(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile("testdata/crash/" + name)
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, verdict.Died, blame(read("daemon.txt")))
	require.Equal(t, verdict.Fault, blame(read("suite.txt")))
	require.Equal(t, verdict.Fault, blame("no stack at all"))
	require.Equal(t, "panic: oh no [recovered]", firstLine(read("suite.txt")))
}
