package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

func (p *program) pairVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "pair",
		Short: "Open a pairing code and show what becomes of it",
		Long: `pair opens a code of six digits, which the extension's setup page asks for, and shows every
attempt to redeem it with the Origin that made it. It ends when the code was redeemed (0), or
when it expired, was spent or was replaced (1).`,
		Example: `  omw pair`,
		Args:    cobra.NoArgs,
		RunE: p.verb(func(cmd *cobra.Command, _ []string) error {
			c, err := p.place.client()
			if err != nil {
				return err
			}
			defer c.Close()
			var show pairingView = &pairingText{w: p.out, terminal: isTerminal(p.out)}
			if p.json {
				show = &pairingJSON{w: p.out}
			}
			return pair(cmd.Context(), c, show)
		}),
	}
}

// pairingDaemon is what pair asks a daemon; a client.Client.
type pairingDaemon interface {
	OpenPairing(ctx context.Context) (client.Pairing, error)
	Status(ctx context.Context) (client.DaemonStatus, error)
}

// pairingView shows how a pairing goes.
type pairingView interface {
	code(p client.Pairing)
	attempt(a client.PairingAttempt)
	left(d time.Duration, attempts int)
	end(e pairingEnd)
}

// pollEvery is the time between two looks at a pairing.
const pollEvery = 500 * time.Millisecond

// pair opens a code and shows what becomes of it until it is of no more use.
func pair(ctx context.Context, d pairingDaemon, show pairingView) error {
	code, err := d.OpenPairing(ctx)
	if err != nil {
		return err
	}
	w := newPairingWatch(code, time.Now())
	show.code(code)
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		status, err := d.Status(ctx)
		switch {
		case ctx.Err() != nil:
			show.end(pairingLeft)
			return ended{exitFailed}
		case err != nil:
			return err
		}
		for _, a := range w.news(status) {
			show.attempt(a)
		}
		if end := w.end(status, time.Now()); end != "" {
			show.end(end)
			if end == pairingRedeemed {
				return nil
			}
			return ended{exitFailed}
		}
		show.left(time.Duration(status.Pairing.ExpiresMS)*time.Millisecond, status.Pairing.AttemptsLeft)
		select {
		case <-tick.C:
		case <-ctx.Done(): // the next status says so
		}
	}
}
