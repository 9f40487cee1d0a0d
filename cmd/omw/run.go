package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// program is one run of omw: where it writes, and the flags that every verb has.
type program struct {
	in       io.Reader
	out, err io.Writer
	place    place
	asked    asked
	json     bool
	// ran is true once a verb has begun. What failed before was the command line.
	ran bool
}

// run runs the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{in: stdin, out: stdout, err: stderr}
	root := p.root(args)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	return p.report(cmd, err)
}

// root returns the command tree. The verbs that args name have their flags; so
// many schemas, and no more, are compiled.
func (p *program) root(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "omw",
		Short: "Lets agents drive the browser that you are logged in to",
		Long: `omw is a daemon on 127.0.0.1 that agents, scripts and this command line talk to, and
that drives Chrome and Firefox through an extension.

  omw serve               run the daemon
  omw pair                let an extension in
  omw open example.com    open a page
  omw snapshot -i         see what can be acted on, as @e5
  omw click @e5           act on it`,
		SilenceUsage:  true,
		SilenceErrors: true,
		// The flags of a verb may stand before it: omw -s shop click @e5.
		TraverseChildren:           true,
		SuggestionsMinimumDistance: 1,
		Args:                       p.noSuchVerb,
		PersistentPreRunE:          p.refuseAsked,
		RunE:                       p.verb(func(cmd *cobra.Command, _ []string) error { return cmd.Help() }),
	}
	root.SetHelpTemplate(root.HelpTemplate() + "\n" + exitHelp)
	p.place.flags(root)
	root.PersistentFlags().BoolVar(&p.json, "json", false, "write JSON, one object a line")
	p.asked.init()
	root.Flags().AddFlagSet(p.asked.flags)
	p.completeAsked(root)
	root.AddGroup(sections...)
	for _, v := range verbs() {
		cmd, r := v.command(p)
		if slices.ContainsFunc(args, func(word string) bool { return word == v.name || slices.Contains(v.aliases, word) }) {
			v.equip(p, cmd, r)
		}
		root.AddCommand(cmd)
	}
	root.AddCommand(
		in(ofDaemon, p.serveVerb()), in(ofDaemon, p.pairVerb()), in(ofDaemon, p.statusVerb()), in(ofDaemon, p.tokenVerb()),
		in(everyday, p.doVerb()), in(simulator, p.simVerb()), in(ofDaemon, p.versionVerb()), in(ofDaemon, p.completionVerb()),
	)
	root.SetHelpCommandGroupID(string(ofDaemon))
	return root
}

// noSuchVerb refuses a first word that is no verb.
func (p *program) noSuchVerb(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(append(names, c.Name()), c.Aliases...)
		}
	}
	return fmt.Errorf("unknown command %q%s", args[0], didYouMean(args[0], names))
}

// refuseAsked refuses flags of a command for a browser that stand before a verb
// that sends none.
func (p *program) refuseAsked(cmd *cobra.Command, _ []string) error {
	var wrong error
	p.asked.flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed && cmd.Flags().Lookup(f.Name) != f {
			wrong = fmt.Errorf("%s takes no --%s", strings.TrimPrefix(cmd.CommandPath(), "omw "), f.Name)
		}
	})
	return wrong
}

// verb marks that the command line was good when its function runs.
func (p *program) verb(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p.ran = true
		return f(cmd, args)
	}
}
