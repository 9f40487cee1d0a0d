package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/player"
	daemons "github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/tape"
	"github.com/oh-my-webbridge/omw/sim/tape/examples"
)

// playFlags are what omw sim play is told.
type playFlags struct {
	real    bool
	against string
	diagram bool
	svg     string
	seed    uint64
	seeded  bool
}

func (p *program) simPlayVerb() *cobra.Command {
	var f playFlags
	cmd := &cobra.Command{
		Use:   "play [FILE|NAME]…",
		Short: "Play tapes: daemon, browsers and agents as a text file says",
		Long: `play performs tapes. Each has a daemon, browsers and agents of its own in this process, and
virtual time: it is over at once, whatever time it lets pass, and what it says about time holds
to the nanosecond. It prints who said what to whom, when, and whether each thing that the tape
expects was so.

A tape is a file, the name of an example, or - for standard input. Without one, play lists the
examples. sim/tape/TAPES.md is the reference of the language.

Exit codes of play:
  0  everything was as the tapes say
  1  something was not, or playing was interrupted
  2  the command line is wrong, or a tape is: each fault is told with its file and line
  3  the daemon of --against cannot be reached, or cannot do what a tape asks of it`,
		Example: `  omw sim play outcome-unknown-deadline --diagram
  omw sim play bug.tape --real
  omw sim play bug.tape --against http://127.0.0.1:17373`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return examples.Names(), cobra.ShellCompDirectiveDefault
		},
		RunE: p.verb(func(cmd *cobra.Command, args []string) error {
			f.seeded = cmd.Flags().Changed("seed")
			if err := f.check(args, p.json); err != nil {
				return err
			}
			if len(args) == 0 {
				return p.listExamples()
			}
			tapes, err := readTapes(args, cmd.InOrStdin())
			if err != nil {
				return err
			}
			return p.play(cmd.Context(), tapes, f)
		}),
	}
	cmd.Flags().BoolVar(&f.real, "real", false, "by the wall clock and over TCP, against a daemon that is started for it")
	cmd.Flags().StringVar(&f.against, "against", "", "the `URL` of a daemon that runs already, whose token is in the config directory")
	cmd.Flags().BoolVar(&f.diagram, "diagram", false, "draw a sequence diagram in place of the transcript")
	cmd.Flags().StringVar(&f.svg, "svg", "", "draw a sequence diagram into this `file`")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "decides every chance, in place of the tape's own")
	_ = cmd.MarkFlagFilename("svg", "svg")
	return cmd
}

func (f *playFlags) check(args []string, asJSON bool) error {
	switch {
	case f.real && f.against != "":
		return usagef("--real starts a daemon, and --against has one; give one of the two")
	case f.diagram && asJSON:
		return usagef("--diagram is for people; --json has the whole transcript")
	case len(slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a != "-" })) > 1:
		return usagef("- stands there twice, and standard input can be read once")
	case f.svg != "" && len(args) != 1:
		return usagef("--svg draws one tape into its file, and %d are given", len(args))
	}
	return nil
}

// listExamples tells the examples, each with its sentence.
func (p *program) listExamples() error {
	for _, name := range examples.Names() {
		t, _ := examples.Find(name)
		var err error
		if p.json {
			err = writeJSON(p.out, map[string]string{"name": name, "title": t.Title()})
		} else {
			_, err = fmt.Fprintf(p.out, "%s\n    %s\n", name, t.Title())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readTapes reads what the command line names. Every fault of every tape is in
// the error.
func readTapes(args []string, stdin io.Reader) ([]*tape.Tape, error) {
	var all []*tape.Tape
	var wrong []string
	for _, arg := range args {
		t, err := readTape(arg, stdin)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		all = append(all, t)
	}
	if len(wrong) > 0 {
		return nil, usagef("%s", strings.Join(wrong, "\n"))
	}
	return all, nil
}

func readTape(arg string, stdin io.Reader) (*tape.Tape, error) {
	if arg == "-" {
		text, err := io.ReadAll(io.LimitReader(stdin, tape.MaxSize+1))
		if err != nil {
			return nil, fmt.Errorf("read the tape: %w", err)
		}
		return tape.Parse("-", text)
	}
	text, err := os.ReadFile(arg)
	if err == nil {
		return tape.Parse(arg, text)
	}
	if t, ok := examples.Find(arg); ok {
		return t, nil
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is neither a file nor the name of an example%s; the examples are %s",
			arg, didYouMean(arg, examples.Names()), strings.Join(examples.Names(), ", "))
	}
	return nil, fmt.Errorf("read the tape: %w", err)
}

// play plays tapes, one after the other.
func (p *program) play(ctx context.Context, tapes []*tape.Tape, f playFlags) error {
	o, err := p.stage(ctx, f)
	if err != nil {
		return err
	}
	failed := false
	for _, t := range tapes {
		show := newPlayView(p, t, o.Lane.Name())
		o.Observe = show.event
		tr, err := player.Play(ctx, t, o)
		show.clear()
		if err != nil {
			return p.unplayed(ctx, err)
		}
		if err := p.told(tr, f, len(tapes) > 1); err != nil {
			return err
		}
		failed = failed || !tr.OK()
	}
	if failed {
		return ended{exitFailed}
	}
	return nil
}

// unplayed is the error of a tape that could not be played.
func (p *program) unplayed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if _, ok := daemons.IsUnobservable(err); ok {
		what := strings.Replace(err.Error(), "unobservable: ", "", 1)
		return protocol.Errorf(protocol.NotConnected, "%s; play it without --against", what)
	}
	if _, ok := errors.AsType[*daemons.StartError](err); ok {
		return protocol.Errorf(protocol.NotConnected, "%s", err)
	}
	return err
}

// stage says where tapes are played.
func (p *program) stage(ctx context.Context, f playFlags) (player.Options, error) {
	o := player.Options{
		Lane: lane.NewReal(),
		Target: &daemons.InProcess{New: func(dir string, l protocol.Limits, log *slog.Logger) (daemons.Server, error) {
			return daemon.New(daemon.Config{Dir: dir, Version: version(), Limits: l, Log: log})
		}},
	}
	if f.seeded {
		o.Seed = &f.seed
	}
	var err error
	switch {
	case f.against != "":
		o.Target, err = p.running(ctx, f.against)
	case !f.real:
		var bubbles *lane.Bubbles
		if bubbles, err = lane.InProcess(); err == nil {
			o.Lane = lane.NewVirtual(bubbles)
		}
	}
	return o, err
}

// running is the daemon at a URL, which has shown that it knows the token before
// any browser or agent of a tape sends it there (AUTH-20).
func (p *program) running(ctx context.Context, at string) (daemons.Target, error) {
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, usagef("--against is the URL of a daemon, such as http://%s, not %q", protocol.DefaultAddr, at)
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Host, "17373")
	}
	there := place{addr: u.Host, configDir: p.place.configDir}
	c, err := there.client()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if _, err := c.Ping(ctx); err != nil {
		return nil, err
	}
	token, err := there.token()
	if err != nil {
		return nil, err
	}
	return daemons.URL(&daemons.File{Name: u.Host, URL: "http://" + u.Host, Token: daemons.Source{Value: token}})
}
