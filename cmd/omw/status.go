package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func (p *program) statusVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show the daemon, its browsers and its sessions",
		Example: `  omw status
  omw status --json`,
		Args: cobra.NoArgs,
		RunE: p.verb(func(cmd *cobra.Command, _ []string) error {
			c, err := p.place.client()
			if err != nil {
				return err
			}
			defer c.Close()
			s, err := c.Status(cmd.Context())
			if err != nil {
				return err
			}
			if p.json {
				return writeJSON(p.out, s)
			}
			_, err = fmt.Fprint(p.out, clean(statusText(s)))
			return err
		}),
	}
}

func statusText(s client.DaemonStatus) string {
	var b strings.Builder
	up := (time.Duration(s.UptimeMS) * time.Millisecond).Round(time.Second)
	fmt.Fprintf(&b, "omw %s on %s, up %s\n", s.Version, s.Addr, up)
	for _, name := range protocol.Browsers {
		br := s.Browsers[name]
		if !br.Connected {
			fmt.Fprintf(&b, "%-8s not connected\n", name.Title())
			continue
		}
		fmt.Fprintf(&b, "%-8s %s, extension %s, %d of its commands in flight\n", name.Title(), br.BrowserVersion, br.ExtensionVersion, br.Commands+br.Reserved)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Sessions)) {
		fmt.Fprintf(&b, "session  %s in %s\n", name, s.Sessions[name].Title())
	}
	if s.Pairing.Open {
		left := (time.Duration(s.Pairing.ExpiresMS) * time.Millisecond).Round(time.Second)
		fmt.Fprintf(&b, "pairing  a code is open for %s, %d attempts left\n", left, s.Pairing.AttemptsLeft)
	}
	return b.String()
}
