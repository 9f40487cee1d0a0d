package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/report"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// runFlags are the flags of run.
type runFlags struct {
	role, target, lane, level, waits string
	rules, scenarios                 []string
	seed                             uint64
	jobs                             int
	out, tapes, format, bin, shard   string
	json                             bool
	expect                           expectFlags
	by                               suite
}

func runCommand(by suite) *cobra.Command {
	f := &runFlags{by: by}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "judge a target",
		Long: `run judges a target: every scenario of the rules of its role, or those that the flags select. A rule that the target
cannot show is named unobservable and never counts as passed.

The virtual lane (for targets in this process) lets five minutes pass in a millisecond and asserts durations to the
nanosecond. In the real lane the clock on the wall runs; with exec:FILE all scenarios that wait do so together, each with a
daemon of its own, with url:FILE one after the other.

Exit codes:
` + verdict.Exits,
		Example: `  omw-conformance run --target inproc
  omw-conformance run --target exec:conformance/targets/omw.json --waits=no --rule 'AUTH-*'
  omw-conformance run --target url:mine.json --out run.ndjson --format junit
  omw-conformance run --role extension --target sim:firefox`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.OutOrStdout(), cmd.ErrOrStderr()) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.role, "role", string(ledger.Daemon), "the role under test: daemon, extension or sim")
	fl.StringVar(&f.target, "target", "inproc", "inproc, exec:FILE, url:FILE, builtin:null, builtin:200 or builtin:403; of an extension sim:chrome, sim:firefox or exec:FILE")
	fl.StringVar(&f.lane, "lane", "", "virtual or real (default the one of the target)")
	fl.StringVar(&f.level, "level", "", "seed or omw.v1 (default both)")
	fl.StringArrayVar(&f.rules, "rule", nil, "a pattern for rules, as 'AUTH-*'; may be given again")
	fl.StringArrayVar(&f.scenarios, "scenario", nil, "a scenario's id, or a pattern; may be given again")
	fl.StringVar(&f.waits, "waits", string(plan.WaitsAll), "scenarios that let more than 10 s pass: all, no or only")
	fl.Uint64Var(&f.seed, "seed", 1, "decides every chance; 0 draws one")
	fl.IntVarP(&f.jobs, "jobs", "j", 0, "scenarios at a time (default two a processor, 4 in the real lane)")
	fl.StringVar(&f.out, "out", "", "write the event stream to this file as it happens")
	fl.StringVar(&f.tapes, "tapes", "", "leave a tape of every scenario that failed in this directory (default tapes beside the file of --out)")
	fl.StringVar(&f.shard, "shard", "", "run one of several equal parts, as 2/5; report --from merges their streams")
	f.expect.add(fl)
	fl.StringVar(&f.format, "format", string(report.Console), formats())
	fl.BoolVar(&f.json, "json", false, "the same as --format json")
	fl.StringVar(&f.bin, "bin", binDir(), "what {bin} stands for in a target file")
	return cmd
}

func (f *runFlags) run(stdout, stderr io.Writer) error {
	if f.json {
		f.format = string(report.JSON)
	}
	format, err := report.Parse(f.format)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	r, err := f.prepare()
	if err != nil {
		return err
	}
	closeOut := func() error { return nil }
	if f.out != "" {
		file, err := os.Create(f.out)
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		r.Out, closeOut = file, file.Close
	}
	f.announce(r, stderr)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	stream, err := r.Do(ctx)
	if closed := closeOut(); err == nil && closed != nil {
		return fault(closed)
	}
	if err != nil {
		return fault(err)
	}
	if f.tapes == "" {
		f.tapes = beside(f.out, "tapes")
	}
	if err := leaveTapes(f.tapes, stream, stderr); err != nil {
		return fault(err)
	}
	if err := leaveBundles(beside(f.out, "bundles"), stream, stderr); err != nil {
		return fault(err)
	}
	v, err := report.Write(stdout, format, stream)
	if err != nil {
		return fault(err)
	}
	return exit(v.Exit)
}

// prepare makes a run of the flags. Its errors are of usage but for those that
// say otherwise.
func (f *runFlags) prepare() (*conformance.Run, error) {
	p, err := f.by.plan()
	if err != nil {
		return nil, err
	}
	switch {
	case !slices.Contains([]string{"", string(ledger.Seed), string(ledger.OMW)}, f.level):
		return nil, fmt.Errorf("--level %q is neither seed nor omw.v1", f.level)
	case !slices.Contains([]plan.Waits{plan.WaitsAll, plan.WaitsNo, plan.WaitsOnly}, plan.Waits(f.waits)):
		return nil, fmt.Errorf("--waits %q is none of all, no, only", f.waits)
	case len(p.Ledger.For(ledger.Role(f.role))) == 0:
		return nil, fmt.Errorf("--role %q is no role of the ledger", f.role)
	}
	t, own, err := f.by.openTarget(ledger.Role(f.role), f.target, f.bin)
	if err != nil {
		return nil, fmt.Errorf("--target: %w", err)
	}
	l, err := openLane(ledger.Lane(f.lane), own, t.Info().Kind)
	if err != nil {
		return nil, err
	}
	r := &conformance.Run{
		Plan: p, Target: t, Lane: l, Register: f.by.register, Seed: f.seed, Jobs: f.jobs,
		Selection: plan.Selection{
			Role: ledger.Role(f.role), Lane: l.Name(), Level: ledger.Level(f.level),
			Rules: f.rules, Scenarios: f.scenarios, Waits: plan.Waits(f.waits),
		},
	}
	if f.shard != "" {
		if r.Shard, err = verdict.ParseShard(f.shard); err != nil {
			return nil, fmt.Errorf("--shard %w", err)
		}
	}
	if _, err := r.Chosen(); err != nil {
		return nil, err
	}
	if r.Seed == 0 {
		r.Seed = rand.Uint64()>>11 | 1
	}
	if r.Jobs == 0 {
		// Twice as many as there are processors, since a daemon that writes its
		// files waits for the disk.
		r.Jobs = 2 * runtime.GOMAXPROCS(0)
		if l.Name() == ledger.Real {
			r.Jobs = 4
		}
	}
	r.Command = []string{
		"omw-conformance", "run", "--role", f.role, "--target", f.target, "--lane", string(l.Name()),
		"--seed", strconv.FormatUint(r.Seed, 10),
	}
	if f.level != "" {
		r.Command = append(r.Command, "--level", f.level)
	}
	if f.bin != binDir() {
		r.Command = append(r.Command, "--bin", f.bin)
	}
	r.Expect, err = f.expect.read()
	return r, err
}

// announce tells how long the run will take, if that is long, and shows its
// progress on a terminal.
func (f *runFlags) announce(r *conformance.Run, stderr io.Writer) {
	chosen, err := r.Chosen()
	if err != nil {
		return
	}
	if d := conformance.Expected(chosen, r.Lane.Name(), r.Target.Info().Serial); d > ledger.Instant {
		_, _ = fmt.Fprintf(stderr, "%d scenarios, expected to take %s, until about %s\n",
			len(chosen), d, time.Now().Add(d).Format(time.TimeOnly))
	}
	file, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return
	}
	r.Progress = func(done, planned int) {
		end := ""
		if done == planned {
			end = "\r\033[K"
		}
		_, _ = fmt.Fprintf(file, "\r%d/%d scenarios%s", done, planned, end)
	}
}
