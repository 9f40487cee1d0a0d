package verdict_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

func TestReadExpectations(t *testing.T) {
	all, err := verdict.ReadExpectations(strings.NewReader(`
# known on 1 May

AUTH-21  # issue 12: no limit # yet
cmd/ids.feature:an id/row 2 #  soon
`))
	require.NoError(t, err)
	require.Equal(t, []verdict.Expectation{
		{Name: "AUTH-21", Reason: "issue 12: no limit # yet", Line: 4},
		{Name: "cmd/ids.feature:an id/row 2", Reason: "soon", Line: 5},
	}, all)
	for _, text := range []string{"AUTH-21\n", "AUTH-21 #\n", "AUTH-21 #  \n"} {
		_, err := verdict.ReadExpectations(strings.NewReader(text))
		require.ErrorContains(t, err, `line 1: "AUTH-21" has no reason`)
	}
}

func TestResolve(t *testing.T) {
	all := []verdict.Expectation{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "a"}, {Name: "c"}}
	is := func(names string) func(string) bool {
		return func(name string) bool { return strings.Contains(names, name) }
	}
	verdict.Resolve(all, is("ab"), is("a"))
	var states []verdict.ExpectState
	for _, e := range all {
		states = append(states, e.State)
	}
	require.Equal(t, []verdict.ExpectState{
		verdict.Selected, verdict.NotSelected, verdict.Unmatched, verdict.Duplicate, verdict.Duplicate,
	}, states)
}

func TestStaleSaysWhich(t *testing.T) {
	s := build(nil, ended("A-01", "1", verdict.Passed), fell("A-02", "1", verdict.CauseCheck))
	s.Header.Expect = []verdict.Expectation{
		{Name: "A-01", Reason: "r", Line: 1, State: verdict.Selected},
		{Name: "A-01/1", Reason: "r", Line: 2, State: verdict.Selected},
		{Name: "A-02", Reason: "r", Line: 3, State: verdict.Selected},
		{Name: "A-02/1", Reason: "r", Line: 4, State: verdict.Selected},
		{Name: "A-03", Reason: "r", Line: 5, State: verdict.Unmatched},
		{Name: "A-01", Reason: "r", Line: 6, State: verdict.Duplicate},
		{Name: "A-04", Reason: "r", Line: 7, State: verdict.NotSelected},
	}
	require.Equal(t, []string{
		"line 1: A-01 was expected to fail (r) and did not",
		"line 2: A-01/1 was expected to fail (r) and did not",
		"line 5: A-03 names no rule or scenario that is judged",
		"line 6: A-01 stands there already",
	}, judge(t, s).Stale)
}
