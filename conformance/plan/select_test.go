package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
)

var chapters = map[string]string{
	"a/1.feature": "@A-01\nFeature: F\n\n  Scenario: quick\n    Given x\n\n  @wait:31s\n  Scenario: slow\n    Given x\n",
	"a/2.feature": "@A-02\nFeature: F\n\n  @omw.v1\n  Scenario: real\n    Given x\n",
	"b/1.feature": "@C-01\nFeature: F\n\n  Scenario: client\n    Given x\n",
}

func TestSelect(t *testing.T) {
	p, err := parse(t, chapters)
	require.NoError(t, err)
	for _, tc := range []struct {
		name string
		sel  plan.Selection
		want []string
	}{
		{"everything", plan.Selection{}, []string{"a/1.feature:quick", "a/1.feature:slow", "a/2.feature:real", "b/1.feature:client"}},
		{"a role", plan.Selection{Role: ledger.Daemon}, []string{"a/1.feature:quick", "a/1.feature:slow", "a/2.feature:real"}},
		{"a role that is not judged", plan.Selection{Role: ledger.Client}, nil},
		{"a lane", plan.Selection{Role: ledger.Daemon, Lane: ledger.Virtual}, []string{"a/1.feature:quick", "a/1.feature:slow"}},
		{"a level", plan.Selection{Level: ledger.OMW}, []string{"a/2.feature:real"}},
		{"a pattern", plan.Selection{Rules: []string{"A-*"}}, []string{"a/1.feature:quick", "a/1.feature:slow", "a/2.feature:real"}},
		{"two patterns", plan.Selection{Rules: []string{"A-02", "C-??"}}, []string{"a/2.feature:real", "b/1.feature:client"}},
		{"a scenario", plan.Selection{Scenarios: []string{"a/1.feature:slow"}}, []string{"a/1.feature:slow"}},
		{"a pattern of scenarios", plan.Selection{Scenarios: []string{"a/*:*"}}, []string{"a/1.feature:quick", "a/1.feature:slow", "a/2.feature:real"}},
		{"rule and scenario", plan.Selection{Rules: []string{"A-01"}, Scenarios: []string{"a/2.feature:real"}}, nil},
		{"no waits", plan.Selection{Waits: plan.WaitsNo, Rules: []string{"A-01"}}, []string{"a/1.feature:quick"}},
		{"only waits", plan.Selection{Waits: plan.WaitsOnly}, []string{"a/1.feature:slow"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			chosen, err := p.Select(tc.sel)
			require.NoError(t, err)
			var ids []string
			for _, s := range chosen {
				ids = append(ids, s.ID)
			}
			require.Equal(t, tc.want, ids)
		})
	}
}

func TestSelectRefusesWhatMatchesNothing(t *testing.T) {
	p, err := parse(t, chapters)
	require.NoError(t, err)
	for _, sel := range []plan.Selection{
		{Rules: []string{"A-01", "A-9*"}},
		{Rules: []string{"["}},
		{Scenarios: []string{"a/1.feature:quickly"}},
		{Scenarios: []string{"a/1.feature:quick", "*/nothing"}},
	} {
		_, err := p.Select(sel)
		require.ErrorContains(t, err, "matches no", "%+v", sel)
	}
}

func TestCovers(t *testing.T) {
	p, err := parse(t, chapters)
	require.NoError(t, err)
	rule, _ := p.Ledger.Rule("A-01")
	require.True(t, (&plan.Selection{}).Covers(rule))
	require.True(t, (&plan.Selection{Rules: []string{"A-*"}}).Covers(rule))
	require.False(t, (&plan.Selection{Rules: []string{"B-*"}}).Covers(rule))
	require.False(t, (&plan.Selection{Scenarios: []string{"a/1.feature:quick"}}).Covers(rule))
}

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		pattern, id string
		want        bool
	}{
		{"AUTH-08", "AUTH-08", true},
		{"AUTH-08", "AUTH-081", false},
		{"AUTH-0", "AUTH-08", false},
		{"AUTH-*", "AUTH-08", true},
		{"*-08", "AUTH-08", true},
		{"A*H-*8", "AUTH-08", true},
		{"A*H-*9", "AUTH-08", false},
		{"*", "", true},
		{"?", "", false},
		{"AUTH-?8", "AUTH-08", true},
		{"AUTH-??8", "AUTH-08", false},
		{"a/*:*row 1", "a/b.feature:its <age> decides/row 1", true},
		{"a/*:*row 1", "a/b.feature:its <age> decides/row 12", false},
		{"?", "ü", true},
		{"[A]*", "AUTH-08", false},
		{"", "", true},
		{"", "x", false},
	} {
		require.Equal(t, tc.want, plan.Match(tc.pattern, tc.id), "%q %q", tc.pattern, tc.id)
	}
}
