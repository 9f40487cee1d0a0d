// Command omw-conformance judges a daemon by the rules of omw.v1 and says for
// each whether it is kept.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

func main() {
	lessCollecting()
	os.Exit(supervise(os.Args[1:], execute))
}

// lessCollecting lets more garbage lie: a suite makes thousands of short-lived
// daemons and browsers, and a fifth of its time went into collecting them. The
// limit holds where scenarios move hundreds of megabytes. Who sets GOGC or
// GOMEMLIMIT knows better.
func lessCollecting() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
}

// execute runs the command line and returns the exit code.
func execute(args []string, stdout, stderr io.Writer) int { return ours.execute(args, stdout, stderr) }

// execute runs the command line with that suite.
func (by suite) execute(args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:   "omw-conformance",
		Short: "judge a daemon by the rules of omw.v1",
		Long: "omw-conformance judges a daemon by the numbered rules of omw.v1.\n\nExit codes:\n" +
			verdict.Exits + "\n",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(listCommand(), explainCommand(), runCommand(by), reportCommand(), mutantsCommand(), driveCommand(), watchCommand(), exploreCommand(by), reproCommand(by))
	err := root.Execute()
	if err == nil {
		return int(verdict.Conformant)
	}
	if judged, ok := errors.AsType[*exitError](err); ok {
		if judged.err != nil {
			_, _ = fmt.Fprintln(stderr, "omw-conformance:", judged.err)
		}
		return int(judged.code)
	}
	_, _ = fmt.Fprintln(stderr, "omw-conformance:", err)
	return int(verdict.Usage)
}

// exitError is the error of a command that ends with a code of its own. Any
// other error is one of usage.
type exitError struct {
	code verdict.Exit
	err  error
}

func (e *exitError) Error() string { return fmt.Sprintf("exit %d: %v", e.code, e.err) }

func (e *exitError) Unwrap() error { return e.err }

// exit returns the error that ends the program with that code, nil for 0.
func exit(code verdict.Exit) error {
	if code == verdict.Conformant {
		return nil
	}
	return &exitError{code: code}
}

// fault returns the error of a suite that cannot do its work.
func fault(err error) error { return &exitError{code: verdict.Fault, err: err} }
