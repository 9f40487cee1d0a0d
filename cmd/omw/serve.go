package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/client"
)

func (p *program) serveVerb() *cobra.Command {
	var level string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon until a signal ends it",
		Long: `serve runs the daemon until SIGINT or SIGTERM; a second signal ends it at once.

It listens on 127.0.0.1 alone; port 0 takes a free one. With --json its first line is
{"event":"listening","addr":"127.0.0.1:17373"}. The log goes to standard error and holds no
token, no pairing code and no text of a page.`,
		Example: `  omw serve
  omw serve --addr 127.0.0.1:18000 --config-dir ~/.config/omw-work`,
		Args: cobra.NoArgs,
		RunE: p.verb(func(cmd *cobra.Command, _ []string) error {
			log, err := p.logger(level)
			if err != nil {
				return err
			}
			if err := checkListenAddr(p.place.addr); err != nil {
				return err
			}
			err = p.serve(cmd.Context(), log)
			if err != nil && p.json {
				log.Error("omw cannot go on", "error", err.Error())
				return ended{exitFailed}
			}
			return err
		}),
	}
	cmd.Flags().StringVar(&level, "log-level", "info", "the least `level` that is logged: debug, info, warn or error")
	_ = cmd.RegisterFlagCompletionFunc("log-level", cobra.FixedCompletions([]string{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (p *program) logger(level string) (*slog.Logger, error) {
	var l slog.Level
	switch strings.ToLower(level) {
	case "debug", "info", "warn", "error":
		_ = l.UnmarshalText([]byte(level)) // it is one of its names
	default:
		return nil, usagef("--log-level is debug, info, warn or error, not %q", level)
	}
	o := &slog.HandlerOptions{Level: l}
	if p.json {
		return slog.New(slog.NewJSONHandler(p.err, o)), nil
	}
	return slog.New(slog.NewTextHandler(p.err, o)), nil
}

// checkListenAddr refuses every address that other machines could reach (AUTH-11).
func checkListenAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err == nil && host == "127.0.0.1" {
		if _, err := strconv.ParseUint(port, 10, 16); err == nil {
			return nil
		}
	}
	return usagef("cannot listen on %q: omw listens on 127.0.0.1 alone, so that no other machine reaches it; give --addr 127.0.0.1:PORT", addr)
}

// serve takes the port first and the config directory second, so that a daemon
// that comes too late touches no file.
func (p *program) serve(ctx context.Context, log *slog.Logger) error {
	dir, err := p.place.dir()
	if err != nil {
		return err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp4", p.place.addr)
	if err != nil {
		return p.cannotListen(ctx, err)
	}
	d, err := daemon.New(daemon.Config{Dir: dir, Version: version(), Log: log})
	if err != nil {
		_ = ln.Close()
		return err
	}
	if err := p.listening(ln.Addr().String()); err != nil {
		return errors.Join(err, ln.Close(), d.Close())
	}
	return d.Serve(ctx, ln)
}

func (p *program) listening(addr string) error {
	if p.json {
		return writeJSON(p.out, struct {
			Event string `json:"event"`
			Addr  string `json:"addr"`
		}{"listening", addr})
	}
	hint := ""
	if isTerminal(p.out) {
		hint = "To let a browser in, run omw pair in another terminal.\n"
	}
	_, err := fmt.Fprintf(p.out, "omw %s listens on %s\n%s", version(), addr, hint)
	return err
}

// cannotListen says who has the port.
func (p *program) cannotListen(ctx context.Context, err error) error {
	if !errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("listen on %s: %w", p.place.addr, err)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if c, err := client.New(client.Options{Addr: p.place.addr}); err == nil {
		if pong, err := c.Ping(ctx); err == nil {
			return fmt.Errorf("omw %s is already running on %s", clean(pong.Version), p.place.addr)
		}
	}
	return fmt.Errorf("%s is taken by another program; give another port with --addr 127.0.0.1:PORT", p.place.addr)
}
