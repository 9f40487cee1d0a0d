package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// program is one run of omw: where it writes, and the flags that every verb has.
type program struct {
	out, err io.Writer
	place    place
	json     bool
	// ran is true once a verb has begun. What failed before was the command line.
	ran bool
}

// run runs the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{out: stdout, err: stderr}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	return p.report(cmd, err)
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "omw",
		Short: "Lets agents drive the browser that you are logged in to",
		Long: `omw is a daemon on 127.0.0.1 that agents, scripts and this command line talk to, and
that drives Chrome and Firefox through an extension.

  omw serve                                  run the daemon
  omw pair                                   let an extension in
  omw do navigate url=https://example.com    do something in the browser`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          p.verb(func(cmd *cobra.Command, _ []string) error { return cmd.Help() }),
	}
	root.SetHelpTemplate(root.HelpTemplate() + "\n" + exitHelp)
	p.place.flags(root)
	root.PersistentFlags().BoolVar(&p.json, "json", false, "write JSON, one object a line")
	root.AddCommand(p.serveVerb(), p.pairVerb(), p.statusVerb(), p.tokenVerb(), p.doVerb(), p.simVerb(), p.versionVerb())
	return root
}

// verb marks that the command line was good when its function runs.
func (p *program) verb(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p.ran = true
		return f(cmd, args)
	}
}
