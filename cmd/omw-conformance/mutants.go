package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/mutants"
	"github.com/oh-my-webbridge/omw/conformance/steps"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// mutantFlags are the flags of mutants.
type mutantFlags struct {
	rules []string
	role  string
	seed  uint64
	jobs  int
	out   string
	html  string
	own   bool
	every bool
	json  bool
}

func mutantsCommand() *cobra.Command {
	f := &mutantFlags{}
	cmd := &cobra.Command{
		Use:   "mutants",
		Short: "break what is judged rule by rule and see that the suite notices",
		Long: `mutants breaks what the suite judges, one rule at a time, and runs the scenarios of its role against each: the daemon,
and in the role of an extension the simulated one. A mutant must be killed by a check of
its own rule, and no other rule's scenario may fail with it unless the mutant says so and why. Of another rule's outline
the first row and the last stand for all, unless --every-row is given. It needs the source and the
go command, and is run in the module's directory.

The last line counts rules, mutants, killed and false kills.

Exit codes: 0 all killed by their own rule alone, 1 not so, 2 usage, 6 the suite is at fault.`,
		Example: `  omw-conformance mutants --out mutants.json
  omw-conformance mutants --rule 'AUTH-1*'
  omw-conformance mutants --role extension`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.OutOrStdout(), cmd.ErrOrStderr()) },
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.rules, "rule", nil, "a pattern for rules, as 'AUTH-*'; may be given again")
	fl.StringVar(&f.role, "role", "", "mutants of that role alone: daemon, extension, client or sim")
	fl.Uint64Var(&f.seed, "seed", 1, "decides every chance")
	fl.IntVarP(&f.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "mutants at a time")
	fl.BoolVar(&f.own, "own", false, "run the scenarios of each mutant's own rule alone: quicker, and blind for false kills")
	fl.BoolVar(&f.every, "every-row", false, "run every row of other rules' outlines, not the first alone")
	fl.StringVar(&f.out, "out", "", "write the kill matrix to this file, as JSON")
	fl.StringVar(&f.html, "html", "", "write the kill matrix to this file, as a page")
	fl.BoolVar(&f.json, "json", false, "print the kill matrix as JSON")
	return cmd
}

func (f *mutantFlags) run(stdout, stderr io.Writer) error {
	p, err := loadPlan()
	if err != nil {
		return err
	}
	if f.role != "" && !slices.Contains(mutants.Roles(), ledger.Role(f.role)) {
		return fmt.Errorf("--role %q has no mutants; these have: %v", f.role, mutants.Roles())
	}
	root, err := os.Getwd()
	if err != nil {
		return fault(err)
	}
	if _, err := os.Stat(filepath.Join(root, "daemon", "protocol")); err != nil {
		return errors.New("mutants is run in the directory of the module's source")
	}
	suite, err := os.Executable()
	if err != nil {
		return fault(err)
	}
	scratch, err := os.MkdirTemp(memory(), "omw-mutants-")
	if err != nil {
		return fault(err)
	}
	defer os.RemoveAll(scratch)
	virtual, err := openLane(ledger.Virtual, ledger.Virtual, "inproc")
	if err != nil {
		return err
	}
	lab := &mutants.Laboratory{
		Plan: p, Register: steps.Register, Virtual: virtual,
		InProcess: func(l protocol.Limits) target.Target {
			return &target.InProcess{New: newDaemon, Limits: l, Source: target.FindSource(root)}
		},
		Root: root, Suite: suite, Scratch: scratch, Seed: f.seed, Jobs: f.jobs, Rules: f.rules, Role: ledger.Role(f.role), Own: f.own, EveryRow: f.every,
		Progress: progressOfMutants(stderr),
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	matrix, err := lab.Do(ctx)
	if err != nil {
		return fault(err)
	}
	if err := f.report(stdout, matrix); err != nil {
		return fault(err)
	}
	if !matrix.Good() {
		return exit(verdict.Nonconformant)
	}
	return nil
}

// memory returns a directory in memory if the system has one: thousands of
// daemons write their config directories. Else it is that for temporary files.
func memory() string {
	const dir = "/dev/shm"
	probe, err := os.MkdirTemp(dir, "omw-probe-")
	if err != nil {
		return ""
	}
	_ = os.Remove(probe)
	return dir
}

func (f *mutantFlags) report(stdout io.Writer, m *mutants.Matrix) error {
	if f.out != "" {
		file, err := os.Create(f.out)
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if err := errors.Join(m.WriteJSON(file), file.Close()); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	if f.html != "" {
		var page bytes.Buffer
		if err := m.WriteHTML(&page); err != nil {
			return err
		}
		if err := writeWhole(f.html, page.Bytes()); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
	}
	if f.json {
		return m.WriteJSON(stdout)
	}
	return m.WriteText(stdout)
}

// progressOfMutants shows on a terminal which mutant was tried; in a pipe it is
// quiet.
func progressOfMutants(stderr io.Writer) func(*mutants.Trial, int, int) {
	file, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return func(t *mutants.Trial, done, of int) {
		end := ""
		if done == of {
			end = "\r\033[K"
		}
		_, _ = fmt.Fprintf(file, "\r\033[K%d/%d mutants, %s%s", done, of, t.Name, end)
	}
}
