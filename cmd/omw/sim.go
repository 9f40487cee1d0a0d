package main

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func (p *program) simVerb() *cobra.Command {
	var browser string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Connect a simulated browser to the daemon",
		Long: `sim is a browser with the extension in it that needs no browser: it connects to the daemon as
the extension does, answers commands on pages that it makes up, and prints every message until
a signal ends it.`,
		Args: cobra.NoArgs,
		RunE: p.verb(func(cmd *cobra.Command, _ []string) error {
			profile, ok := sim.ProfileOf(protocol.Browser(browser))
			if !ok {
				return usagef("--browser is chrome or firefox, not %q", browser)
			}
			if _, err := p.place.client(); err != nil {
				return err
			}
			token, err := p.place.token()
			if err != nil {
				return err
			}
			return p.sim(cmd.Context(), sim.Config{
				Dial: (&net.Dialer{}).DialContext, Addr: p.place.addr, Token: token, Profile: profile, Seed: seed,
				Keep: keptCommands,
			})
		}),
	}
	cmd.Flags().StringVar(&browser, "browser", string(protocol.Chrome), "chrome or firefox")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "decides everything that is random: the pauses between two tries to connect")
	_ = cmd.RegisterFlagCompletionFunc("browser", cobra.FixedCompletions([]string{"chrome", "firefox"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.AddCommand(p.simPlayVerb(), p.simRecordVerb(), p.simServeVerb())
	return cmd
}

// keptCommands is how many commands the simulated browser remembers: nobody asks
// it, and it may run for days.
const keptCommands = 100

// sim runs a simulated browser until ctx ends.
func (p *program) sim(ctx context.Context, cfg sim.Config) error {
	w := newSimPrinter(p.out, p.json, string(cfg.Profile.Browser))
	cfg.Trace = w.frame
	b := sim.New(cfg)
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			if errors.Is(err, context.Canceled) {
				err = nil
			}
			err = errors.Join(err, b.Close())
			w.attempts(b.Attempts())
			w.stop()
			return err
		case <-tick.C:
			w.attempts(b.Attempts())
		}
	}
}
