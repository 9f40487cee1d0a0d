package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/bundle"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// reproFlags are the flags of repro.
type reproFlags struct {
	target string
	bin    string
	json   bool
	by     suite
}

func reproCommand(by suite) *cobra.Command {
	f := &reproFlags{by: by}
	cmd := &cobra.Command{
		Use:   "repro BUNDLE",
		Short: "let a scenario that failed fail again",
		Long: `repro reads the bundle that a failing scenario left (run --out leaves them beside its file), runs that scenario again with
the same seed, and says whether it fails in the same way.

A bundle of a target in the suite's own process is run as it is. What it names beside that, a program of somebody's or an
address, is not started because a file says so: name it by --target.

Exit codes: 1 it fails in the same way, 0 it passes, 4 it fails in another way, 2 usage, 3 the target could not be started or
died, 5 it did not run, 6 the suite is at fault.`,
		Example: `  omw-conformance repro out/bundles/CMD-11-late.bundle
  omw-conformance repro bug.bundle --target exec:mine.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.OutOrStdout(), args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.target, "target", "", "the target, as for run (default: the bundle's, if it is in this process)")
	fl.StringVar(&f.bin, "bin", binDir(), "what {bin} stands for in a target file")
	fl.BoolVar(&f.json, "json", false, "print what came of it as JSON")
	return cmd
}

// Reproduced is what came of running a bundle's scenario again.
type Reproduced struct {
	Scenario string `json:"scenario"`
	Rule     string `json:"rule"`
	// Same is true if it failed in the same way: by the same check, or without
	// one for the same cause.
	Same    bool            `json:"same"`
	Outcome verdict.Outcome `json:"verdict"`
	Was     string          `json:"was"`
	Is      string          `json:"is,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Took    time.Duration   `json:"took_ns"`
}

func (f *reproFlags) run(stdout io.Writer, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	b, err := bundle.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r, err := f.prepare(b)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	began := time.Now()
	stream, err := r.Do(ctx)
	if err != nil {
		return fault(err)
	}
	i := slices.IndexFunc(stream.Finished, func(e *verdict.Finished) bool { return e.Scenario == b.Scenario })
	if i < 0 {
		v, err := verdict.Judge(stream)
		if err != nil {
			return fault(err)
		}
		return &exitError{v.Exit, fmt.Errorf("%q did not run: %s", b.Scenario, v.Why)}
	}
	e := stream.Finished[i]
	got := Reproduced{
		Scenario: b.Scenario, Rule: b.Rule, Outcome: e.Outcome, Was: wayOf(b.Cause, b.Check), Reason: e.Reason, Took: time.Since(began),
	}
	if e.Outcome == verdict.Failed {
		got.Is = wayOf(e.Cause, e.Check)
		got.Same = got.Is == got.Was
	}
	if err := f.tell(stdout, b, got); err != nil {
		return fault(err)
	}
	switch {
	case got.Same:
		return exit(verdict.Nonconformant)
	case e.Outcome == verdict.Failed:
		return exit(verdict.Stale)
	}
	return nil
}

// wayOf is the way in which a scenario failed.
func wayOf(cause verdict.Cause, check string) string {
	if check != "" {
		return check
	}
	return string(cause)
}

// prepare makes the run of one scenario that a bundle asks for.
func (f *reproFlags) prepare(b *bundle.Bundle) (*conformance.Run, error) {
	spec := f.target
	if spec == "" {
		spec = flagOf(b.Command, "--target")
		if kind, _, _ := strings.Cut(spec, ":"); kind == "exec" || kind == "url" || kind == "" {
			return nil, fmt.Errorf("the bundle is of the target %q, which is not started because a file says so; name it by --target", spec)
		}
	}
	run := &runFlags{
		role: string(b.Role), target: spec, lane: string(b.Lane), seed: b.Seed, scenarios: []string{b.Scenario},
		waits: string(plan.WaitsAll), jobs: 1, bin: f.bin, by: f.by,
	}
	return run.prepare()
}

// flagOf returns the value of a flag in a command line, "" if it is not there.
func flagOf(command []string, name string) string {
	if i := slices.Index(command, name); i >= 0 && i+1 < len(command) {
		return command[i+1]
	}
	return ""
}

func (f *reproFlags) tell(w io.Writer, b *bundle.Bundle, r Reproduced) error {
	if f.json {
		return json.NewEncoder(w).Encode(r)
	}
	how := "passes now; it failed by " + r.Was
	switch {
	case r.Same:
		how = "fails in the same way, by " + r.Was
	case r.Outcome == verdict.Failed:
		how = "fails in another way: by " + r.Is + ", and not by " + r.Was
	case r.Outcome != verdict.Passed:
		how = string(r.Outcome) + " now; it failed by " + r.Was
	}
	if b.Suite != conformance.Version {
		how += fmt.Sprintf(" (the bundle is of suite %s, this is %s)", b.Suite, conformance.Version)
	}
	reason := ""
	if r.Reason != "" {
		reason = "  " + r.Reason + "\n"
	}
	_, err := fmt.Fprintf(w, "%s: %s\n%s  %s\n", r.Scenario, how, reason, r.Took.Round(100*time.Microsecond))
	return err
}
