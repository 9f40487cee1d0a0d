package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/report"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/watch"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/state"
)

// watchFlags are the flags of watch.
type watchFlags struct {
	listen, upstream, config, name, out, format string
	json                                        bool
}

func watchCommand() *cobra.Command {
	f := &watchFlags{}
	cmd := &cobra.Command{
		Use:   "watch [flags] [-- COMMAND ...]",
		Short: "judge an agent as it is, while it works",
		Long: `watch stands between an agent and a daemon, passes everything on, and judges what the agent sends: a token outside its
header, or before the daemon has shown that it knows it; an uncertain command sent again with nothing read in between; an
answer busy that is not heeded; an id that names two commands. The agent is not changed and need not help; point it at the
address that watch listens at. An agent that knows the default address alone is watched by having the daemon listen
elsewhere (omw serve --addr 127.0.0.1:17374) and watch at the default one.

What is found is told at once on standard error, and the report when it ends: at Ctrl-C, or with the command behind --,
which finds the address in OMW_ADDR. A rule that the agent had no occasion to break is named unobservable, and
never passed.

The token is read from the daemon's config directory, so that it can be recognised. It is shown nowhere.

Exit codes:
` + verdict.Exits,
		Example: `  omw-conformance watch --listen 127.0.0.1:17400 --upstream 127.0.0.1:17373
  omw-conformance watch --format html --out agent.html -- ./my-agent`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.listen, "listen", "127.0.0.1:0", "the `address` that the agent is pointed at")
	fl.StringVar(&f.upstream, "upstream", protocol.DefaultAddr, "the daemon's `address`")
	fl.StringVar(&f.config, "config-dir", "", "the daemon's config `directory` (default: $OMW_CONFIG_DIR, $XDG_CONFIG_HOME/omw or ~/.config/omw)")
	fl.StringVar(&f.name, "name", "", "what the report calls the agent (default: its command, or its address)")
	fl.StringVar(&f.out, "out", "", "write the event stream to this `file`")
	fl.StringVar(&f.format, "format", string(report.Console), "the report's format; omw-conformance report --help lists them")
	fl.BoolVar(&f.json, "json", false, "tell what is found as JSON lines, and report in JSON")
	return cmd
}

func (f *watchFlags) run(ctx context.Context, stdout, stderr io.Writer, command []string) error {
	if f.json {
		f.format = string(report.JSON)
	}
	format, err := report.Parse(f.format)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	tokens, err := f.tokens()
	if err != nil {
		return err
	}
	rules, err := ledger.Load()
	if err != nil {
		return fault(err)
	}
	ctx, stop := signal.NotifyContext(cmp.Or(ctx, context.Background()), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	w := &watched{flags: f, began: time.Now(), judge: watch.New(tokens), stderr: stderr, addr: ln.Addr().String()}
	if err := w.serve(ctx, ln, command, stdout); err != nil {
		return err
	}
	stream, err := w.judge.Stream(watch.Run{
		Ledger: rules, Suite: conformance.Version, Client: cmp.Or(f.name, w.name(command)), Command: f.again(command),
		Began: w.began, Ended: time.Now(), Transcript: w.lines,
	})
	if err != nil {
		return fault(err)
	}
	if err := f.keep(stream); err != nil {
		return err
	}
	v, err := report.Write(stdout, format, stream)
	if err != nil {
		return fault(err)
	}
	return exit(v.Exit)
}

// tokens returns a function that reads the daemon's token, which may change
// while the agent is watched.
func (f *watchFlags) tokens() (func() []string, error) {
	dir := f.config
	if dir == "" {
		var err error
		if dir, err = state.DefaultDir(); err != nil {
			return nil, fmt.Errorf("--config-dir: %w", err)
		}
	}
	first, err := state.ReadToken(dir)
	if err != nil {
		return nil, fmt.Errorf("--config-dir: the daemon's token is needed to recognise it: %w", err)
	}
	var mu sync.Mutex
	known := []string{first}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		if now, err := state.ReadToken(dir); err == nil && !slices.Contains(known, now) {
			known = append(known, now)
		}
		return slices.Clone(known)
	}, nil
}

// again is the command line that watches in the same way.
func (f *watchFlags) again(command []string) []string {
	args := []string{"omw-conformance", "watch", "--listen", f.listen, "--upstream", f.upstream}
	if len(command) > 0 {
		args = append(append(args, "--"), command...)
	}
	return args
}

// keep writes the event stream to --out.
func (f *watchFlags) keep(s *verdict.Stream) error {
	if f.out == "" {
		return nil
	}
	file, err := os.Create(f.out)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	for _, e := range s.Events() {
		if err == nil {
			err = verdict.Write(file, e)
		}
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// keptLines is how much of a transcript is kept.
const keptLines = 400

// watched is one agent that is watched.
type watched struct {
	flags  *watchFlags
	began  time.Time
	addr   string
	judge  *watch.Judge
	stderr io.Writer

	mu    sync.Mutex
	lines []world.Line
	said  int
}

func (w *watched) name(command []string) string {
	if len(command) > 0 {
		return command[0]
	}
	return "an agent at " + w.addr
}

// serve passes everything on until ctx ends, or the command does.
func (w *watched) serve(ctx context.Context, ln net.Listener, command []string, stdout io.Writer) error {
	srv := &http.Server{Handler: watch.NewProxy(w.flags.upstream, w.judge, w.exchanged), ReadHeaderTimeout: 30 * time.Second}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	w.announce()
	err := w.wait(ctx, command, stdout, served)
	_ = srv.Close()
	w.tell()
	return err
}

func (w *watched) wait(ctx context.Context, command []string, stdout io.Writer, served <-chan error) error {
	if len(command) == 0 {
		select {
		case <-ctx.Done():
			return nil
		case err := <-served:
			return fault(err)
		}
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "OMW_ADDR="+w.addr)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, w.stderr, w.stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); ended || err == nil || ctx.Err() != nil {
		// How the agent ends is its own affair.
		return nil
	}
	return fmt.Errorf("run %s: %w", command[0], err)
}

func (w *watched) announce() {
	if w.flags.json {
		w.line(map[string]string{"event": "watching", "addr": w.addr, "upstream": w.flags.upstream})
		return
	}
	_, _ = fmt.Fprintf(w.stderr, "watching http://%s, before the daemon at %s; Ctrl-C ends it\n", w.addr, w.flags.upstream)
}

// exchanged notes a request with its answer, and tells what was found.
func (w *watched) exchanged(a watch.Asked, answer watch.Answered) {
	w.mu.Lock()
	w.lines = append(w.lines, watch.Lines(w.began, a, answer)...)
	w.lines = w.lines[max(0, len(w.lines)-keptLines):]
	w.mu.Unlock()
	w.tell()
}

// tell tells what was found since it was last called.
func (w *watched) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := w.judge.Findings()
	for _, f := range found[min(w.said, len(found)):] {
		if w.flags.json {
			w.line(struct {
				Event string `json:"event"`
				watch.Finding
			}{"finding", f})
			continue
		}
		_, _ = fmt.Fprintf(w.stderr, "+%s %s: %s\n  a conformant client: %s\n", f.At.Sub(w.began).Round(time.Millisecond), f.Check, f.Reason, f.Right)
	}
	w.said = len(found)
}

func (w *watched) line(v any) {
	text, err := json.Marshal(v)
	if err == nil {
		_, _ = fmt.Fprintf(w.stderr, "%s\n", text)
	}
}
