package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const doHelp = `do asks a browser to do something and prints what came of it.

Arguments are key=value. A value is taken as the type that the action's schema gives it:
  ref=@e5  tab=12  new_tab=true  scale=0.5
  modifiers=Shift,Control            a list, with commas
  files=a.pdf files=b.pdf            or with the key again, where a value has a comma
  margins={"top":1}                  an object, as JSON
  text:=null  values:=["a,b","c"]    any value, as JSON
Paths are taken from the present directory.

  omw do navigate url=https://example.com --session shop
  omw do snapshot --session shop
  omw do click ref=@e5 --session shop
  omw do screenshot path=shot.png --json`

// doFlags are what a command has beside its action and arguments.
type doFlags struct {
	session, browser string
	timeout          time.Duration
}

func (p *program) doVerb() *cobra.Command {
	var f doFlags
	cmd := &cobra.Command{
		Use:               "do ACTION [key=value ...]",
		Short:             "Ask a browser to do something",
		Long:              doHelp,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeDo,
		RunE: p.verb(func(cmd *cobra.Command, args []string) error {
			c, err := f.command(args)
			if err != nil {
				return err
			}
			return p.do(cmd.Context(), c)
		}),
	}
	l := protocol.DefaultLimits()
	cmd.Flags().StringVar(&f.session, "session", protocol.DefaultSession, "the session's `name`")
	cmd.Flags().StringVar(&f.browser, "browser", "", "chrome or firefox (default: the session's, else the one that is connected)")
	cmd.Flags().DurationVar(&f.timeout, "timeout", l.DefaultTimeout, fmt.Sprintf("the `time` that the command has, at most %s", l.MaxTimeout))
	_ = cmd.RegisterFlagCompletionFunc("browser", cobra.FixedCompletions([]string{"chrome", "firefox"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// command makes the command that the flags and arguments ask for. Its errors
// are of usage.
func (f doFlags) command(args []string) (client.Command, error) {
	l := protocol.DefaultLimits()
	action, err := lookUp(args[0])
	if err != nil {
		return client.Command{}, err
	}
	values, err := parseArgs(action, args[1:])
	if err != nil {
		return client.Command{}, err
	}
	if err := action.CheckArgs(values); err != nil {
		return client.Command{}, usagef("%s: %s", action.Name, err)
	}
	if err := protocol.CheckSession(f.session, l); err != nil {
		return client.Command{}, usagef("--session %s", err)
	}
	if f.browser != "" && f.browser != string(protocol.Chrome) && f.browser != string(protocol.Firefox) {
		return client.Command{}, usagef("--browser is chrome or firefox, not %q", f.browser)
	}
	if f.timeout < time.Millisecond || f.timeout > l.MaxTimeout {
		return client.Command{}, usagef("--timeout is from 1ms to %s, the longest one, not %s", l.MaxTimeout, f.timeout)
	}
	return client.Command{
		Action: action.Name, Args: json.RawMessage(values),
		Session: f.session, Browser: protocol.Browser(f.browser), Timeout: f.timeout,
	}, nil
}

// do sends a command and prints its answer.
func (p *program) do(ctx context.Context, cmd client.Command) error {
	c, err := p.place.client()
	if err != nil {
		return err
	}
	defer c.Close()
	answer, err := c.Do(ctx, cmd)
	if err != nil {
		return &answered{answer.ID, err}
	}
	if p.json {
		var line bytes.Buffer
		if err := json.Compact(&line, protocol.AppendAnswer(nil, answer.ID, []byte(answer.Data))); err != nil {
			return fmt.Errorf("write the answer: %w", err)
		}
		line.WriteByte('\n')
		_, err = p.out.Write(line.Bytes())
		return err
	}
	return render(p.out, answer.Data)
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
