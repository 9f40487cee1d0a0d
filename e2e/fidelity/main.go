// Command fidelity compares the simulated pages with Debian's Chromium on pages
// that neither has been written for: their nodes, as loaded and after some steps of
// a person, and what their forms and links send.
//
//	fidelity [--pages 500] [--seed 0] [--json FILE]
//
// A disagreement names its seed: --seed N --pages 1 repeats it. The exit code is 0
// if at least 95 % agree, 1 if less do, 2 for a command line that is none, and 3 if
// there is no browser or it failed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/term"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	flags := flag.NewFlagSet("fidelity", flag.ContinueOnError)
	pages := flags.Int("pages", 500, "how many pages are compared")
	seed := flags.Uint64("seed", 0, "the seed of the first page")
	out := flags.String("json", "", "write the report as JSON to this file too")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil || flags.NArg() > 0 || *pages < 1 {
		fmt.Fprintln(os.Stderr, "fidelity: usage: fidelity [--pages N, at least 1] [--seed N] [--json FILE]")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	progress := func(int) {}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		progress = func(done int) { fmt.Fprintf(os.Stderr, "\r%d of %d pages", done, *pages) }
		defer fmt.Fprintln(os.Stderr)
	}
	report, err := compare(ctx, *seed, *pages, progress)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		return 3
	}
	report.Write(os.Stdout)
	if *out != "" {
		text, err := json.Marshal(report, jsontext.WithIndent("  "))
		if err == nil {
			err = os.WriteFile(*out, append(text, '\n'), 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "fidelity: write the report:", err)
			return 3
		}
	}
	if !report.Passed() {
		return 1
	}
	return 0
}
