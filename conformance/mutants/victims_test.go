package mutants

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
)

func TestRowsOfOneOutlineStandForEachOther(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	own, _ := l.Rule("AUTH-05")
	other, _ := l.Rule("AUTH-07")
	large, _ := l.Rule("LIMIT-08")
	lab := &Laboratory{Plan: &plan.Plan{Ledger: l, Scenarios: []plan.Scenario{
		{ID: "own 1", Rule: own, Row: 1},
		{ID: "own 2", Rule: own, Row: 2},
		{ID: "own 3", Rule: own, Row: 3},
		{ID: "first", Rule: other, Row: 1},
		{ID: "middle", Rule: other, Row: 2},
		{ID: "last", Rule: other, Row: 3},
		{ID: "of another outline", Rule: other, Row: 1},
		{ID: "its last", Rule: other, Row: 2},
		{ID: "plain", Rule: other},
		{ID: "heavy", Rule: large, Heavy: true},
	}}}
	for i := range lab.Plan.Scenarios {
		lab.Plan.Scenarios[i].Role = ledger.Daemon
	}
	lab.Plan.Scenarios = append(lab.Plan.Scenarios, plan.Scenario{ID: "of another role", Rule: other, Role: ledger.Extension})
	m := Mutant{Rule: "AUTH-05", Role: ledger.Daemon}
	require.Equal(t, []string{"own 1", "own 2", "own 3", "first", "of another outline", "plain"}, lab.victims(m))
	require.Equal(t, []string{"heavy"}, lab.own(Mutant{Rule: "LIMIT-08", Role: ledger.Daemon}))

	lab.EveryRow = true
	require.Contains(t, lab.victims(m), "middle")
	require.NotContains(t, lab.victims(m), "heavy")

	lab.Own = true
	require.Equal(t, []string{"own 1", "own 2", "own 3"}, lab.victims(m))
}
