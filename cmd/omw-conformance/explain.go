package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
)

func explainCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain RULE",
		Short: "show a rule, its scenarios and how to run it alone",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := loadPlan()
			if err != nil {
				return err
			}
			r, ok := p.Ledger.Rule(args[0])
			if !ok {
				return fmt.Errorf("there is no rule %q; list shows them", args[0])
			}
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				if err := e.Encode(list(p, r, true)); err != nil {
					return fault(err)
				}
				return nil
			}
			if _, err := io.WriteString(cmd.OutOrStdout(), explain(p, r)); err != nil {
				return fault(err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

func explain(p *plan.Plan, r *ledger.Rule) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s  %s\n\n", r.ID, r.Sentence)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(b, "%-10s %s\n", name, text)
		}
	}
	line("level", string(r.Level))
	line("role", join(r.Roles))
	line("observer", join(r.Observers))
	line("lanes", join(r.Lanes))
	line("browser", r.Browser)
	if r.Waits() {
		line("waits", "up to "+r.Wait.String())
	}
	for _, a := range r.Allowed {
		line("allowed", fmt.Sprintf("to strangers: %s (%s)", a.Sentence, a.Name))
	}
	if len(r.Judged) == 0 {
		line("state", "not judged yet")
		return b.String()
	}
	for _, role := range r.Judged {
		line("run it", fmt.Sprintf("omw-conformance run --role %s --target %s --rule %s", role, usual(role), r.ID))
	}
	for _, s := range p.Of(r.ID) {
		fmt.Fprintf(b, "\n# %s\n%s", s.ID, s.Source())
	}
	return b.String()
}

// usual returns a target of the role, for an example.
func usual(role ledger.Role) string {
	switch role {
	case ledger.Extension, ledger.Sim:
		return "sim:chrome"
	case ledger.Client:
		return "exec:FILE"
	}
	return "inproc"
}
