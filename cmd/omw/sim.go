package main

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/page"
)

func (p *program) simVerb() *cobra.Command {
	var browser string
	var seed uint64
	var pages []string
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Connect a simulated browser to the daemon",
		Long: `sim is a browser with the extension in it that needs no browser: it connects to the daemon as
the extension does, answers commands on its pages, and prints every message until a signal ends it.

--page gives it pages, so that an agent can be developed against them with no browser at all:
links, forms, dialogs, tabs and cookies have their true effects. A file is the page "/" of every
host, with what is beside it; a directory is every host's; URL=FILE is that page alone. Files are
read at each load. Without --page it makes up a page for every URL, which takes every action.`,
		Example: `  omw sim --page shop.html
  omw sim --page http://shop.test/=shop.html --page http://shop.test/order=order.html`,
		Args: cobra.NoArgs,
		RunE: p.verb(func(cmd *cobra.Command, _ []string) error {
			profile, ok := sim.ProfileOf(protocol.Browser(browser))
			if !ok {
				return usagef("--browser is chrome or firefox, not %q", browser)
			}
			site, err := openPages(pages)
			if err != nil {
				return err
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
				Keep: keptCommands, Site: site, SiteOnly: site != nil,
			})
		}),
	}
	cmd.Flags().StringVar(&browser, "browser", string(protocol.Chrome), "chrome or firefox")
	cmd.Flags().StringArrayVar(&pages, "page", nil, "a page to show: FILE, DIRECTORY or URL=FILE; may be repeated")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "decides everything that is random: the pauses between two tries to connect")
	_ = cmd.RegisterFlagCompletionFunc("browser", cobra.FixedCompletions([]string{"chrome", "firefox"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.AddCommand(p.simPlayVerb(), p.simRecordVerb(), p.simServeVerb())
	return cmd
}

// openPages returns the site that --page names; nil if it was not given.
func openPages(pages []string) (page.Site, error) {
	if len(pages) == 0 {
		return nil, nil
	}
	site, err := page.Open(pages...)
	if err != nil {
		return nil, usagef("--page %v", err)
	}
	return site, nil
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
