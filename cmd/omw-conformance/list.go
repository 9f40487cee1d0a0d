package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
)

func listCommand() *cobra.Command {
	var role string
	var rules []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list the rules and how many scenarios show each",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := loadPlan()
			if err != nil {
				return err
			}
			chosen, err := chooseRules(p, ledger.Role(role), rules)
			if err != nil {
				return err
			}
			if asJSON {
				return listJSON(cmd.OutOrStdout(), p, chosen)
			}
			return listText(cmd.OutOrStdout(), p, chosen)
		},
	}
	cmd.Flags().StringVar(&role, "role", "", "rules of that role alone")
	cmd.Flags().StringArrayVar(&rules, "rule", nil, "a pattern for rules, as 'AUTH-*'; may be given again")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, a rule each")
	return cmd
}

func chooseRules(p *plan.Plan, role ledger.Role, patterns []string) ([]*ledger.Rule, error) {
	if _, err := p.Select(plan.Selection{Rules: patterns}); err != nil {
		return nil, err
	}
	if role != "" && len(p.Ledger.For(role)) == 0 {
		return nil, fmt.Errorf("--role %q is no role of the ledger", role)
	}
	sel := plan.Selection{Rules: patterns}
	var chosen []*ledger.Rule
	for i := range p.Ledger.Rules {
		if r := &p.Ledger.Rules[i]; sel.Covers(r) && (role == "" || r.Names(role)) {
			chosen = append(chosen, r)
		}
	}
	return chosen, nil
}

func listText(out io.Writer, p *plan.Plan, rules []*ledger.Rule) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, r := range rules {
		state := fmt.Sprintf("%d scenarios", len(p.Of(r.ID)))
		if len(r.Judged) == 0 {
			state = "not judged yet"
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.ID, r.Level, join(r.Roles), state, r.Short(80)); err != nil {
			return fault(err)
		}
	}
	if err := w.Flush(); err != nil {
		return fault(err)
	}
	return nil
}

// listed is a rule as list --json and explain --json write it.
type listed struct {
	ID        string            `json:"id"`
	Source    string            `json:"source"`
	Level     ledger.Level      `json:"level"`
	Roles     []ledger.Role     `json:"roles"`
	Judged    []ledger.Role     `json:"judged"`
	Observers []ledger.Observer `json:"observers"`
	Lanes     []ledger.Lane     `json:"lanes"`
	WaitMS    int64             `json:"wait_ms"`
	Browser   string            `json:"browser,omitempty"`
	Allowed   map[string]string `json:"allowed,omitempty"`
	Sentence  string            `json:"sentence"`
	Scenarios []listedScenario  `json:"scenarios"`
}

type listedScenario struct {
	ID     string        `json:"id"`
	Level  ledger.Level  `json:"level"`
	Lanes  []ledger.Lane `json:"lanes"`
	WaitMS int64         `json:"wait_ms"`
	// Text is the scenario itself; explain alone has it.
	Text string `json:"text,omitempty"`
}

func list(p *plan.Plan, r *ledger.Rule, text bool) listed {
	l := listed{
		ID: r.ID, Source: r.From, Level: r.Level, Roles: r.Roles, Judged: []ledger.Role{}, Observers: r.Observers,
		Lanes: r.Lanes, WaitMS: r.Wait.Milliseconds(), Browser: r.Browser, Sentence: r.Sentence,
		Scenarios: []listedScenario{},
	}
	l.Judged = append(l.Judged, r.Judged...)
	for _, a := range r.Allowed {
		if l.Allowed == nil {
			l.Allowed = make(map[string]string)
		}
		l.Allowed[a.Name] = a.Sentence
	}
	for _, s := range p.Of(r.ID) {
		one := listedScenario{ID: s.ID, Level: s.Level, Lanes: s.Lanes, WaitMS: s.Wait.Milliseconds()}
		if text {
			one.Text = s.Source()
		}
		l.Scenarios = append(l.Scenarios, one)
	}
	return l
}

func listJSON(out io.Writer, p *plan.Plan, rules []*ledger.Rule) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	for _, r := range rules {
		if err := e.Encode(list(p, r, false)); err != nil {
			return fault(err)
		}
	}
	return nil
}

func join[T ~string](words []T) string {
	s := ""
	for i, w := range words {
		if i > 0 {
			s += ", "
		}
		s += string(w)
	}
	return s
}
