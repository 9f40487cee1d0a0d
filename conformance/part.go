package conformance

import (
	"fmt"

	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// Chosen returns the scenarios that the run has to account for, in the plan's
// order: those that are selected, or its part of them. Its error is one of the
// run's user: a pattern that matches nothing, or more parts than scenarios.
func (r *Run) Chosen() ([]*plan.Scenario, error) {
	all, err := r.selected()
	if err != nil {
		return nil, err
	}
	return r.part(all)
}

func (r *Run) selected() ([]*plan.Scenario, error) {
	sel := r.Selection
	sel.Lane = r.Lane.Name()
	return r.Plan.Select(sel)
}

// part returns what of the selection the run takes. A part with nothing in it
// would end green or red for no reason, so it is refused; where nothing at all
// is selected, that is what is wrong.
func (r *Run) part(all []*plan.Scenario) ([]*plan.Scenario, error) {
	if r.Shard == nil || len(all) == 0 {
		return all, nil
	}
	if r.Shard.Of > len(all) {
		return nil, fmt.Errorf("--shard %s: there are only %d scenarios to divide", r.Shard, len(all))
	}
	mine := r.Shard.Part(ids(all))
	var chosen []*plan.Scenario
	for _, s := range all {
		if mine[s.ID] {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

func ids(scenarios []*plan.Scenario) []string {
	all := make([]string, len(scenarios))
	for i, s := range scenarios {
		all[i] = s.ID
	}
	return all
}

// skipped returns the end of a scenario that a file of expectations says is not
// to run, nil for any other.
func (r *Run) skipped(s *plan.Scenario) *verdict.Finished {
	why := r.stream.Header.Skips(verdict.Planned{ID: s.ID, Rule: s.Rule.ID, Level: s.Level})
	if why == "" {
		return nil
	}
	return &verdict.Finished{Outcome: verdict.Skipped, Reason: why}
}
