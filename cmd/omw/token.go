package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (p *program) tokenVerb() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Show or replace the token",
		Long: `The token gives full control of the browser. It stands in config.json of the config directory
and is what an agent sends as "Authorization: Bearer TOKEN".`,
		Example: `  omw token show
  omw token rotate`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("%s needs show or rotate", cmd.CommandPath())
		},
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "show",
			Short: "Print the token; no daemon needs to run",
			Args:  cobra.NoArgs,
			RunE: p.verb(func(*cobra.Command, []string) error {
				token, err := p.place.token()
				if err != nil {
					return err
				}
				return p.printToken(token)
			}),
		},
		&cobra.Command{
			Use:   "rotate",
			Short: "Make the running daemon take a new token and print it",
			Long: `rotate makes the daemon take a new token and prints it. The old one is refused from then on:
extensions are disconnected and must be paired again, agents need the new token, and an open
pairing code is void.`,
			Args: cobra.NoArgs,
			RunE: p.verb(func(cmd *cobra.Command, _ []string) error {
				c, err := p.place.client()
				if err != nil {
					return err
				}
				defer c.Close()
				token, err := c.RotateToken(cmd.Context())
				if err != nil {
					return err
				}
				return p.printToken(token)
			}),
		},
	)
	return cmd
}

func (p *program) printToken(token string) error {
	if p.json {
		return writeJSON(p.out, map[string]string{"token": token})
	}
	_, err := fmt.Fprintln(p.out, token)
	return err
}
