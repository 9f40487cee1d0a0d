package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/player"
	daemons "github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/sim/console"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

func (p *program) simServeVerb() *cobra.Command {
	var socket, listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Play tapes that tests in any language send over a local socket",
		Long: `serve plays simulated browsers and agents against the daemon that runs, as scripts say that come
over a local socket: POST a whole tape to /play, and the answer is its transcript and its
verdicts, one JSON object a line, when it has ended. The last line is
{"type":"verdict","ok":true,...}; a tape whose expectation failed has "ok":false and says which
line, and why. Tapes are played one after the other, in real time.

A tape with a mistake in it is refused whole, with status 400 and the file, the line and the
problem of each mistake; nothing of it was done. So is one that would stop or start the daemon.

It listens on a Unix socket that you alone can reach. With --listen it listens on 127.0.0.1
instead and asks for the daemon's token.`,
		Example: `  omw sim serve --socket ~/.omw/sim.sock
  curl --unix-socket ~/.omw/sim.sock --data-binary @bug.tape 'http://sim/play?name=bug.tape'

  omw sim serve --listen 127.0.0.1:17380
  curl -H "Authorization: Bearer $(omw token show)" --data-binary @bug.tape http://127.0.0.1:17380/play`,
		Args: cobra.NoArgs,
		RunE: p.verb(func(cmd *cobra.Command, _ []string) error {
			if listen != "" {
				if err := checkListenAddr(listen); err != nil {
					return usagef("cannot listen on %q: give --listen 127.0.0.1:PORT", listen)
				}
			}
			return p.simServe(cmd.Context(), socket, listen)
		}),
	}
	cmd.Flags().StringVar(&socket, "socket", "", "the Unix socket's `path` (default: $XDG_RUNTIME_DIR/omw/sim.sock, or omw-UID/sim.sock where temporary files are)")
	cmd.Flags().StringVar(&listen, "listen", "", "listen on this `address` of 127.0.0.1 instead; port 0 takes a free one")
	cmd.MarkFlagsMutuallyExclusive("socket", "listen")
	return cmd
}

// simServe serves tapes until ctx ends.
func (p *program) simServe(ctx context.Context, socket, listen string) error {
	c, err := p.place.client()
	if err != nil {
		return err
	}
	defer c.Close()
	// Whoever listens there has to show that he knows the token before a tape
	// sends it.
	if _, err := c.Status(ctx); err != nil {
		return err
	}
	cfg := console.Config{Play: p.playLive}
	var ln net.Listener
	if listen != "" {
		if cfg.Token, err = p.place.token(); err == nil {
			ln, err = new(net.ListenConfig).Listen(ctx, "tcp4", listen)
		}
	} else {
		if socket == "" {
			socket = defaultSocket()
		}
		ln, err = console.Listen(ctx, socket)
	}
	if err != nil {
		return err
	}
	if err := p.servesTapes(ln.Addr().String()); err != nil {
		_ = ln.Close()
		return err
	}
	return console.New(cfg).Serve(ctx, ln)
}

func defaultSocket() string {
	dir := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "omw")
	if os.Getenv("XDG_RUNTIME_DIR") == "" {
		dir = filepath.Join(os.TempDir(), "omw-"+strconv.Itoa(os.Getuid()))
	}
	return filepath.Join(dir, "sim.sock")
}

func (p *program) servesTapes(addr string) error {
	if p.json {
		return writeJSON(p.out, struct {
			Event  string `json:"event"`
			Addr   string `json:"addr"`
			Daemon string `json:"daemon"`
		}{"listening", addr, p.place.addr})
	}
	_, err := fmt.Fprintf(p.out, "playing tapes for %s; POST them to /play on %s\n", p.place.addr, addr)
	return err
}

// playLive plays a tape against the daemon that runs.
func (p *program) playLive(ctx context.Context, t *tape.Tape, emit func(any) error) error {
	if err := checkLive(t); err != nil {
		return err
	}
	token, err := p.trusted(ctx)
	if err != nil {
		return err
	}
	d, err := daemons.URL(&daemons.File{
		Name: "omw", Strict: true, URL: "http://" + p.place.addr, Token: daemons.Source{Value: token},
	})
	if err != nil {
		return err
	}
	transcript, err := player.Play(ctx, t, player.Options{Lane: lane.NewReal(), Target: d})
	if err != nil {
		return err
	}
	return emitTranscript(transcript, emit)
}

// trusted returns the token as it is now, after the daemon has shown that it
// knows it.
func (p *program) trusted(ctx context.Context) (string, error) {
	token, err := p.place.token()
	if err != nil {
		return "", err
	}
	c, err := client.New(client.Options{Addr: p.place.addr, Token: token})
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := c.Status(ctx); err != nil {
		return "", fmt.Errorf("ask the daemon: %w", err)
	}
	return token, nil
}

// checkLive refuses a tape that would do to the daemon what others still need it
// for.
func checkLive(t *tape.Tape) error {
	wrong := &tape.Error{Name: t.Name}
	for _, l := range t.Lines {
		if tape.RoleOf(l.Actor) == tape.Daemon {
			wrong.Faults = append(wrong.Faults, tape.Fault{Line: l.N, Problem: "the daemon runs already, and a tape cannot " + l.Verb + " it; play it with omw sim play"})
		}
	}
	if len(wrong.Faults) == 0 {
		return nil
	}
	return wrong
}

// The lines of an answer. Event and Check are those of the transcript.
type (
	eventLine struct {
		Type string `json:"type"`
		player.Event
	}
	checkLine struct {
		Type string `json:"type"`
		player.Check
	}
	verdictLine struct {
		Type      string `json:"type"`
		OK        bool   `json:"ok"`
		Tape      string `json:"tape"`
		Title     string `json:"title,omitempty"`
		Line      int    `json:"line,omitempty"`
		Reason    string `json:"reason,omitempty"`
		Dishonest string `json:"dishonest,omitempty"`
		ElapsedNS int64  `json:"elapsed_ns"`
	}
)

func emitTranscript(t *player.Transcript, emit func(any) error) error {
	for _, e := range t.Said() {
		if err := emit(eventLine{"event", e}); err != nil {
			return err
		}
	}
	for _, c := range t.Checks {
		if err := emit(checkLine{"check", c}); err != nil {
			return err
		}
	}
	v := verdictLine{
		Type: "verdict", OK: t.OK(), Tape: t.Tape, Title: t.Title, Dishonest: t.Dishonest, ElapsedNS: int64(t.Elapsed),
	}
	if f := t.Failed(); f != nil {
		v.Line, v.Reason = f.Line, f.Reason
	}
	return emit(v)
}
