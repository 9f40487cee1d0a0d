package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const doHelp = `do asks a browser for any action, also those that have no verb of their own, and prints what came of it.

Arguments are key=value. A value is taken as the type that the action's schema gives it:
  ref=@e5  tab=12  new_tab=true  scale=0.5
  modifiers=Shift,Control            a list, with commas
  files=a.pdf files=b.pdf            or with the key again, where a value has a comma
  margins={"top":1}                  an object, as JSON
  text:=null  values:=["a,b","c"]    any value, as JSON
Paths are taken from the present directory.`

const doExample = `  omw do navigate url=https://example.com -s shop
  omw do snapshot -s shop
  omw do click ref=@e5 -s shop
  omw do screenshot path=shot.png --json`

func (p *program) doVerb() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "do ACTION [key=value ...]",
		Short:             "Ask for any action by its name and arguments",
		Long:              doHelp,
		Example:           doExample,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeDo,
		RunE: p.verb(func(cmd *cobra.Command, args []string) error {
			action, err := lookUp(args[0])
			if err != nil {
				return err
			}
			all, err := group(args[1:])
			if err != nil {
				return err
			}
			c, err := p.asked.command(action.Name, action, all)
			if err != nil {
				return err
			}
			return p.do(cmd.Context(), c)
		}),
	}
	cmd.Flags().AddFlagSet(p.asked.flags)
	return cmd
}

// do sends a command and prints its answer.
func (p *program) do(ctx context.Context, cmd client.Command) error {
	c, err := p.place.client()
	if err != nil {
		return err
	}
	defer c.Close()
	answer, err := p.ask(ctx, c, cmd)
	if err != nil {
		return &answered{answer.ID, err}
	}
	return p.print(cmd.Action, answer)
}

// print prints the answer to an action: as it came, or for a model to read.
func (p *program) print(action string, answer client.Answer) error {
	if !p.json {
		return render(p.out, action, answer.Data, p.asked.again())
	}
	var line bytes.Buffer
	if err := json.Compact(&line, protocol.AppendAnswer(nil, answer.ID, []byte(answer.Data))); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	line.WriteByte('\n')
	if _, err := p.out.Write(line.Bytes()); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

func lookUp(name string) (*protocol.Action, error) {
	if a, ok := protocol.LookupAction(name); ok && !a.Internal {
		return a, nil
	}
	var names []string
	for _, a := range protocol.Actions() {
		names = append(append(names, a.Name), a.Aliases...)
	}
	return nil, usagef("there is no action %q%s", name, didYouMean(name, names))
}
