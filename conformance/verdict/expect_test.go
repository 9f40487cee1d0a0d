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
CMD-04/not-unknown # a check
`), verdict.Flaky, "known.txt")
	require.NoError(t, err)
	require.Equal(t, []verdict.Expectation{
		{Kind: verdict.Flaky, Name: "AUTH-21", Reason: "issue 12: no limit # yet", File: "known.txt", Line: 4},
		{Kind: verdict.Flaky, Name: "cmd/ids.feature:an id/row 2", Reason: "soon", File: "known.txt", Line: 5},
		{Kind: verdict.Flaky, Name: "CMD-04/not-unknown", Reason: "a check", File: "known.txt", Line: 6},
	}, all)
	for _, text := range []string{"AUTH-21\n", "AUTH-21 #\n", "AUTH-21 #  \n"} {
		_, err := verdict.ReadExpectations(strings.NewReader(text), verdict.Failing, "")
		require.ErrorContains(t, err, `line 1: "AUTH-21" has no reason`)
	}
	_, err = verdict.ReadExpectations(strings.NewReader("AUTH-21 # r\nAUTH-21/late # r"), verdict.Skip, "")
	require.ErrorContains(t, err, "line 2: AUTH-21/late is a check")
	_, err = verdict.ReadExpectations(strings.NewReader("A-01 # "+strings.Repeat("r", 1<<20)), verdict.Skip, "")
	require.ErrorContains(t, err, "too long")
}

func TestResolve(t *testing.T) {
	all := []verdict.Expectation{
		{Name: "A-01"},
		{Name: "B-01"},
		{Name: "C-01"},
		{Name: "A-01", Kind: verdict.Flaky},
		{Name: "C-01"},
		{Name: "A-01/late"},
		{Name: "B-01/late"},
		{Name: "C-01/late"},
		{Name: "A-01/late"},
		{Name: "A-01/Late"},
	}
	is := func(names string) func(string) bool {
		return func(name string) bool { return strings.Contains(" "+names+" ", " "+name+" ") }
	}
	verdict.Resolve(all, is("A-01 B-01"), is("A-01"))
	var states []verdict.ExpectState
	for _, e := range all {
		states = append(states, e.State)
	}
	require.Equal(t, []verdict.ExpectState{
		verdict.Selected, verdict.NotSelected, verdict.Unmatched, verdict.Duplicate, verdict.Duplicate,
		verdict.Selected, verdict.NotSelected, verdict.Unmatched, verdict.Duplicate, verdict.Unmatched,
	}, states)
}

// broke is a scenario that failed by a check.
func broke(rule, name, check string) *verdict.Finished {
	e := fell(rule, name, verdict.CauseCheck)
	e.Check = check
	return e
}

func TestStaleSaysWhich(t *testing.T) {
	s := build(nil, ended("A-01", "1", verdict.Passed), broke("A-02", "1", "A-02/late"))
	line := func(n int, kind verdict.ExpectKind, name string, state verdict.ExpectState) {
		e := verdict.Expectation{Kind: kind, Name: name, Reason: "r", Line: n, State: state}
		if n > 5 {
			e.File = "more.txt"
		}
		s.Header.Expect = append(s.Header.Expect, e)
	}
	line(1, verdict.Failing, "A-01", verdict.Selected)
	line(2, verdict.Failing, "A-01/1", verdict.Selected)
	line(3, verdict.Failing, "A-02", verdict.Selected)
	line(4, verdict.Failing, "A-02/1", verdict.Selected)
	line(5, verdict.Failing, "A-02/late", verdict.Selected)
	line(6, verdict.Failing, "A-02/early", verdict.Selected)
	line(7, verdict.Failing, "A-03", verdict.Unmatched)
	line(8, verdict.Failing, "A-01", verdict.Duplicate)
	line(9, verdict.Failing, "A-04", verdict.NotSelected)
	line(10, verdict.Flaky, "A-05", verdict.Unmatched)
	line(11, verdict.Flaky, "A-01/2", verdict.Selected)
	v := judge(t, s)
	require.Equal(t, []string{
		"line 1: A-01 was expected to fail (r) and did not",
		"line 2: A-01/1 was expected to fail (r) and did not",
		"more.txt:6: A-02/early was expected to fail (r) and did not",
		"more.txt:7: A-03 names no rule, scenario or check of what is judged",
		"more.txt:8: A-01 stands there already",
		"more.txt:10: A-05 names no rule, scenario or check of what is judged",
	}, v.Stale)
	require.True(t, v.Scenarios[0].Surprise)
	require.False(t, v.Scenarios[1].Surprise)
}

// TestShardLeavesRulesToTheWhole: in a part of a run a rule that is expected to
// fail may do so elsewhere; a scenario that is here may not.
func TestShardLeavesRulesToTheWhole(t *testing.T) {
	s := build(nil, ended("A-01", "1", verdict.Passed))
	s.Header.Shard = &verdict.Shard{Index: 1, Of: 2}
	s.Header.Expect = []verdict.Expectation{
		{Kind: verdict.Failing, Name: "A-01", Reason: "r", Line: 1, State: verdict.Selected},
		{Kind: verdict.Failing, Name: "A-01/late", Reason: "r", Line: 2, State: verdict.Selected},
	}
	require.Empty(t, judge(t, s).Stale)
	s.Header.Expect = append(s.Header.Expect, verdict.Expectation{
		Kind: verdict.Failing, Name: "A-01/1", Reason: "r", Line: 3, State: verdict.Selected,
	})
	require.Equal(t, []string{"line 3: A-01/1 was expected to fail (r) and did not"}, judge(t, s).Stale)
	s.Header.Shard = nil
	require.Len(t, judge(t, s).Stale, 3)
}

func TestWhatIsExpectedOfAScenario(t *testing.T) {
	lines := func(all ...verdict.Expectation) func(*verdict.Stream) {
		return func(s *verdict.Stream) {
			for _, e := range all {
				e.Reason, e.State = "because of "+string(e.Kind), verdict.Selected
				s.Header.Expect = append(s.Header.Expect, e)
			}
		}
	}
	failing, flaky := verdict.Failing, verdict.Flaky
	for _, tc := range []struct {
		name   string
		expect func(*verdict.Stream)
		event  *verdict.Finished
		want   verdict.Counts
		mark   verdict.Mark
	}{
		{"a flaky rule that fails", lines(verdict.Expectation{Kind: flaky, Name: "A-02"}), broke("A-02", "1", "A-02/late"), verdict.Counts{Flaky: 1}, verdict.FailedFlaky},
		{"a flaky rule that passes", lines(verdict.Expectation{Kind: flaky, Name: "A-02"}), ended("A-02", "1", verdict.Passed), verdict.Counts{Passed: 1}, verdict.Kept},
		{"a flaky check", lines(verdict.Expectation{Kind: flaky, Name: "A-02/late"}), broke("A-02", "1", "A-02/late"), verdict.Counts{Flaky: 1}, verdict.FailedFlaky},
		{"another check", lines(verdict.Expectation{Kind: flaky, Name: "A-02/late"}), broke("A-02", "1", "A-02/early"), verdict.Counts{Failed: 1}, verdict.Broken},
		{"a failing check", lines(verdict.Expectation{Kind: failing, Name: "A-02/late"}), broke("A-02", "1", "A-02/late"), verdict.Counts{Expected: 1}, verdict.Expected},
		{"failing goes before flaky", lines(verdict.Expectation{Kind: flaky, Name: "A-02"}, verdict.Expectation{Kind: failing, Name: "A-02/1"}), broke("A-02", "1", ""), verdict.Counts{Expected: 1}, verdict.Expected},
		{"a flaky target that dies", lines(verdict.Expectation{Kind: flaky, Name: "A-02"}), fell("A-02", "1", verdict.CauseTarget), verdict.Counts{Failed: 1}, verdict.Broken},
		{"a flaky panic", lines(verdict.Expectation{Kind: flaky, Name: "A-02"}), fell("A-02", "1", verdict.CausePanic), verdict.Counts{Failed: 1}, verdict.Broken},
		{"a flaky hang", lines(verdict.Expectation{Kind: flaky, Name: "A-02"}), fell("A-02", "1", verdict.CauseHang), verdict.Counts{Flaky: 1}, verdict.FailedFlaky},
		{"skipped", lines(verdict.Expectation{Kind: verdict.Skip, Name: "A-02"}), ended("A-02", "1", verdict.Skipped), verdict.Counts{Skipped: 1}, verdict.LeftOut},
	} {
		v := judge(t, build(tc.expect, tc.event))
		require.Equal(t, tc.want, v.Counts, tc.name)
		require.Equal(t, tc.mark, v.Rules[0].Mark, tc.name)
	}
}

// TestSkippedNeedsItsLine: a scenario that did not run and has no line to say
// so is no stream, and neither is one that ran in spite of its line.
func TestSkippedNeedsItsLine(t *testing.T) {
	_, err := verdict.Judge(build(nil, ended("A-01", "1", verdict.Skipped)))
	require.ErrorContains(t, err, "otherwise of what is skipped")
	_, err = verdict.Judge(build(func(s *verdict.Stream) {
		s.Header.Expect = []verdict.Expectation{{Kind: verdict.Skip, Name: "A-01/1", Reason: "r", State: verdict.Selected}}
	}, ended("A-01", "1", verdict.Passed)))
	require.ErrorContains(t, err, "otherwise of what is skipped")
}
