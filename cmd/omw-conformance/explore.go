package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/oh-my-webbridge/omw/conformance/explore"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/sim/tape"
	"github.com/oh-my-webbridge/omw/sim/tape/examples"
)

// exploreFlags are the flags of explore.
type exploreFlags struct {
	seed      uint64
	schedules int
	shard     string
	tapes     []string
	jobs      int
	out       string
	planted   bool
	json      bool
	by        suite
}

func exploreCommand(by suite) *cobra.Command {
	f := &exploreFlags{by: by}
	cmd := &cobra.Command{
		Use:   "explore",
		Short: "put faults into tapes, one and two at a time, and see that nothing breaks",
		Long: `explore plays tapes with faults put into them: every fault at every step, one at a time, and then pairs of them by chance,
in virtual time against the daemon in this process. What a tape expects is left out; what is judged holds in every
schedule: nobody is told something else than browsers did, no browser is given a command twice or one that nobody sent, the
commands of a session keep their order, every request is answered within its time, every slot and byte is given back,
nothing is left behind, and there is an end.

A schedule that breaks one of these is shrunk to the shortest tape that still does, which is written to --out, with the
command that plays it. One that does not end within half a minute by the clock on the wall ends the search. An interrupt
ends it at once: what was found until then is told. The faults:

` + faultList() + `
Exit codes: 0 nothing broke, 1 something did, 2 usage, 5 it was interrupted and nothing had broken until then, 6 the suite is
at fault.`,
		Example: `  omw-conformance explore --seed 1 --schedules 10000
  omw-conformance explore --tape bug.tape --schedules 2000
  omw-conformance explore --shard 2/4`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.OutOrStdout(), cmd.ErrOrStderr()) },
	}
	fl := cmd.Flags()
	fl.Uint64Var(&f.seed, "seed", 1, "decides which pairs of faults")
	fl.IntVar(&f.schedules, "schedules", 10_000, "how many schedules: every fault alone, and pairs for the rest")
	fl.StringVar(&f.shard, "shard", "", "play the i-th of n parts, as `i/n`")
	fl.StringArrayVar(&f.tapes, "tape", nil, "a tape's file, or the name of an example; may be given again (default: every example)")
	fl.IntVarP(&f.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "schedules at a time")
	fl.StringVar(&f.out, "out", "out/explore", "where the tapes of what broke are written")
	fl.BoolVar(&f.planted, "planted", false, "look for the faults that were planted on purpose, each in a daemon of its own; needs the source and the go command")
	fl.BoolVar(&f.json, "json", false, "print what was found as JSON")
	return cmd
}

func faultList() string {
	var b strings.Builder
	for _, f := range explore.Faults {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.Doc)
	}
	return b.String()
}

func (f *exploreFlags) run(stdout, stderr io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if f.planted {
		return f.unplant(ctx, stdout)
	}
	e, err := f.exploration(stderr)
	if err != nil {
		return err
	}
	// A play that is left to itself does not put away what it has.
	dir, err := os.MkdirTemp(memory(), "explore-")
	if err != nil {
		return fault(fmt.Errorf("make room for the daemons: %w", err))
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b, err := lane.InProcess()
	if err != nil {
		return fault(err)
	}
	e.Play = performer(player.Options{Lane: lane.NewVirtual(b), Target: &target.InProcess{New: f.by.daemon}, Scratch: dir, Patience: scheduleTime})
	found, err := e.Do(ctx)
	if err != nil {
		return fault(err)
	}
	files, err := f.keep(found)
	if err != nil {
		return fault(err)
	}
	if f.json {
		err = json.NewEncoder(stdout).Encode(found)
	} else {
		err = explore.Print(stdout, found, files)
	}
	if err != nil {
		return fault(err)
	}
	code := verdict.Conformant
	switch {
	case len(found.Violations) > 0:
		code = verdict.Nonconformant
	case found.Interrupted:
		code = verdict.NotRun
	}
	if found.Interrupted {
		return &exitError{code, errInterrupted}
	}
	return exit(code)
}

var errInterrupted = errors.New("the search was interrupted")

func (f *exploreFlags) exploration(stderr io.Writer) (*explore.Exploration, error) {
	switch {
	case f.schedules < 1:
		return nil, fmt.Errorf("--schedules %d: it must be at least 1", f.schedules)
	case f.jobs < 1:
		return nil, fmt.Errorf("--jobs %d: it must be at least 1", f.jobs)
	}
	tapes, err := f.readTapes()
	if err != nil {
		return nil, err
	}
	e := &explore.Exploration{Tapes: tapes, Schedules: f.schedules, Seed: f.seed, Jobs: f.jobs, Progress: f.progress(stderr)}
	if f.shard != "" {
		part, err := verdict.ParseShard(f.shard)
		if err != nil {
			return nil, fmt.Errorf("--shard %w", err)
		}
		e.Part = part
	}
	return e, nil
}

// scheduleTime is how long a schedule may take by the clock on the wall. It takes
// milliseconds, but for a machine that is busy with something else.
const scheduleTime = 30 * time.Second

// performer plays tapes as o says.
func performer(o player.Options) explore.Play {
	return func(ctx context.Context, t *tape.Tape, strict bool) (explore.Played, error) {
		o := o
		o.Lenient = !strict
		tr, err := player.Play(ctx, t, o)
		if leak, ok := errors.AsType[*lane.Leak](err); ok {
			return explore.Played{Broken: "left behind: " + leak.Reason}, nil
		}
		if hang, ok := errors.AsType[*lane.Hang](err); ok {
			return explore.Played{Broken: fmt.Sprintf("hangs: it did not end within %s", hang.Patience), Hangs: true}, nil
		}
		if err != nil {
			return explore.Played{}, err
		}
		played := explore.Played{Broken: tr.Broken()}
		for i := range t.Lines {
			for _, c := range tr.Checks {
				if c.Outcome == player.Failed && c.Index == i {
					played.Missed = append(played.Missed, i)
				}
			}
		}
		return played, nil
	}
}

func (f *exploreFlags) readTapes() ([]*tape.Tape, error) {
	if len(f.tapes) == 0 {
		f.tapes = examples.Names()
	}
	var all []*tape.Tape
	for _, name := range f.tapes {
		if t, ok := examples.Find(name); ok {
			all = append(all, t)
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("--tape: %w", err)
		}
		t, err := tape.Parse(name, text)
		if err != nil {
			return nil, fmt.Errorf("--tape: %w", err)
		}
		all = append(all, t)
	}
	return all, nil
}

// keep writes the tapes of what broke, and returns their files.
func (f *exploreFlags) keep(found *explore.Found) ([]string, error) {
	if len(found.Violations) == 0 {
		return nil, nil
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	var files []string
	for i, v := range found.Violations {
		file := filepath.Join(f.out, fmt.Sprintf("%d-%s.tape", i+1, strings.ReplaceAll(explore.Kind(v.Broken), " ", "-")))
		if err := os.WriteFile(file, []byte(v.Text), 0o644); err != nil {
			return nil, fmt.Errorf("--out: %w", err)
		}
		files = append(files, file)
	}
	return files, nil
}

// progress shows on a terminal how far the search is.
func (f *exploreFlags) progress(stderr io.Writer) func(done, planned int) {
	file, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	var shown time.Time
	return func(done, planned int) {
		if time.Since(shown) < 100*time.Millisecond && done < planned {
			return
		}
		shown = time.Now()
		_, _ = fmt.Fprintf(stderr, "\r%d of %d schedules", done, planned)
		if done == planned {
			_, _ = fmt.Fprint(stderr, "\r\033[K")
		}
	}
}
