package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// build makes a stream of scenarios that are named RULE/NAME. change may alter
// the header and the footer before they are counted.
func build(change func(*verdict.Stream), ended ...*verdict.Finished) *verdict.Stream {
	s := &verdict.Stream{Header: &verdict.Header{Schema: verdict.Schema}, Footer: &verdict.Footer{}, Finished: ended}
	rules := map[string]int{}
	for _, e := range ended {
		s.Header.Scenarios = append(s.Header.Scenarios, verdict.Planned{ID: e.Scenario, Rule: e.Rule, Level: ledger.Seed})
		s.Started = append(s.Started, &verdict.Started{Scenario: e.Scenario})
		if rules[e.Rule] == 0 {
			s.Header.Rules = append(s.Header.Rules, verdict.Rule{ID: e.Rule, Judged: true, Selected: true, Scenarios: 1})
		}
		rules[e.Rule]++
	}
	if change != nil {
		change(s)
	}
	s.Count(s.Footer)
	return s
}

func ended(rule, name string, o verdict.Outcome) *verdict.Finished {
	return &verdict.Finished{Scenario: rule + "/" + name, Rule: rule, Outcome: o}
}

func fell(rule, name string, c verdict.Cause) *verdict.Finished {
	e := ended(rule, name, verdict.Failed)
	e.Cause, e.Reason = c, "because"
	return e
}

func judge(t *testing.T, s *verdict.Stream) *verdict.Verdict {
	v, err := verdict.Judge(s)
	require.NoError(t, err)
	return v
}

func expect(name string, state verdict.ExpectState) func(*verdict.Stream) {
	return func(s *verdict.Stream) {
		s.Header.Expect = append(s.Header.Expect, verdict.Expectation{Kind: verdict.Failing, Name: name, Reason: "known", Line: 1, State: state})
	}
}

// know makes a scenario or a rule flaky, or has it skipped.
func know(kind verdict.ExpectKind, name string) func(*verdict.Stream) {
	return func(s *verdict.Stream) {
		s.Header.Expect = append(s.Header.Expect, verdict.Expectation{Kind: kind, Name: name, Reason: "known", Line: 1, State: verdict.Selected})
	}
}

func missing(rule, name string) func(*verdict.Stream) {
	return func(s *verdict.Stream) {
		s.Header.Scenarios = append(s.Header.Scenarios, verdict.Planned{ID: rule + "/" + name, Rule: rule, Level: ledger.Seed})
	}
}

func TestMarks(t *testing.T) {
	pass, fail, hidden := verdict.Passed, verdict.Failed, verdict.Unobservable
	for _, tc := range []struct {
		name   string
		stream *verdict.Stream
		want   verdict.Mark
	}{
		{"all passed", build(nil, ended("A-01", "1", pass), ended("A-01", "2", pass)), verdict.Kept},
		{"one allowed", build(nil, ended("A-01", "1", pass), ended("A-01", "2", verdict.Allowed)), verdict.Kept},
		{"one failed", build(nil, ended("A-01", "1", pass), fell("A-01", "2", verdict.CauseCheck)), verdict.Broken},
		{"one unobservable", build(nil, ended("A-01", "1", pass), ended("A-01", "2", hidden)), verdict.Part},
		{"all unobservable", build(nil, ended("A-01", "1", hidden), ended("A-01", "2", hidden)), verdict.Hidden},
		{"failed and unobservable", build(nil, fell("A-01", "1", verdict.CauseCheck), ended("A-01", "2", hidden)), verdict.Broken},
		{"one did not run", build(missing("A-01", "2"), ended("A-01", "1", pass)), verdict.Missing},
		{"failed, and one did not run", build(missing("A-01", "2"), fell("A-01", "1", verdict.CauseCheck)), verdict.Broken},
		{"failed as expected", build(expect("A-01", verdict.Selected), fell("A-01", "1", verdict.CauseCheck), ended("A-01", "2", pass)), verdict.Expected},
		{"expected by scenario, another failed", build(expect("A-01/1", verdict.Selected), fell("A-01", "1", verdict.CauseCheck), fell("A-01", "2", verdict.CauseCheck)), verdict.Broken},
		{"expected, but the target died", build(expect("A-01", verdict.Selected), fell("A-01", "1", verdict.CauseTarget)), verdict.Broken},
		{"skipped beside one that passed", build(know(verdict.Skip, "A-01/2"), ended("A-01", "1", pass), ended("A-01", "2", verdict.Skipped)), verdict.Part},
		{"skipped beside one that is hidden", build(know(verdict.Skip, "A-01/2"), ended("A-01", "1", hidden), ended("A-01", "2", verdict.Skipped)), verdict.Hidden},
		{"flaky beside one that failed", build(know(verdict.Flaky, "A-01/2"), fell("A-01", "1", verdict.CauseCheck), fell("A-01", "2", verdict.CauseCheck)), verdict.Broken},
		{"flaky beside one that passed", build(know(verdict.Flaky, "A-01/2"), ended("A-01", "1", pass), fell("A-01", "2", verdict.CauseCheck)), verdict.FailedFlaky},
		{"an outcome that nobody knows", build(nil, ended("A-01", "1", "splendid")), verdict.Broken},
		{"a failure without cause", build(nil, ended("A-01", "1", fail)), verdict.Broken},
		{"not judged", build(func(s *verdict.Stream) { s.Header.Rules[0].Judged = false }, ended("A-01", "1", pass)), verdict.Unjudged},
	} {
		require.Equal(t, tc.want, judge(t, tc.stream).Rules[0].Mark, tc.name)
	}
	bare := func(r verdict.Rule) verdict.Mark {
		r.ID, r.Judged = "A-02", true
		return judge(t, build(func(s *verdict.Stream) { s.Header.Rules = append(s.Header.Rules, r) }, ended("A-01", "1", pass))).Rules[1].Mark
	}
	require.Equal(t, verdict.Untested, bare(verdict.Rule{Selected: true}))
	require.Equal(t, verdict.Unplanned, bare(verdict.Rule{Selected: true, Scenarios: 1}))
	require.Equal(t, verdict.Unplanned, bare(verdict.Rule{Selected: false}))
}

func TestExit(t *testing.T) {
	ok := ended("A-01", "ok", verdict.Passed)
	fatal := func(c verdict.Cause) func(*verdict.Stream) {
		return func(s *verdict.Stream) { s.Footer.Fatal, s.Footer.Cause = "the sky fell", c }
	}
	for _, tc := range []struct {
		name   string
		stream *verdict.Stream
		want   verdict.Exit
	}{
		{"all passed", build(nil, ok), verdict.Conformant},
		{"allowed", build(nil, ended("A-01", "1", verdict.Allowed)), verdict.Conformant},
		{"some unobservable", build(nil, ok, ended("A-02", "1", verdict.Unobservable)), verdict.Conformant},
		{"failed as expected", build(expect("A-02", verdict.Selected), ok, fell("A-02", "1", verdict.CauseCheck)), verdict.Conformant},
		{"an expectation that was not selected", build(expect("Z-01", verdict.NotSelected), ok), verdict.Conformant},
		{"flaky", build(know(verdict.Flaky, "A-02"), ok, fell("A-02", "1", verdict.CauseCheck)), verdict.Conformant},
		{"flaky alone", build(know(verdict.Flaky, "A-02"), fell("A-02", "1", verdict.CauseCheck)), verdict.NotRun},
		{"skipped", build(know(verdict.Skip, "A-02"), ok, ended("A-02", "1", verdict.Skipped)), verdict.Conformant},
		{"skipped alone", build(know(verdict.Skip, "A-02"), ended("A-02", "1", verdict.Skipped)), verdict.NotRun},
		{"check", build(nil, ok, fell("A-02", "1", verdict.CauseCheck)), verdict.Nonconformant},
		{"unexpected", build(nil, ok, fell("A-02", "1", verdict.CauseUnexpected)), verdict.Nonconformant},
		{"leak", build(nil, ok, fell("A-02", "1", verdict.CauseLeak)), verdict.Nonconformant},
		{"hang", build(nil, ok, fell("A-02", "1", verdict.CauseHang)), verdict.Nonconformant},
		{"an outcome that nobody knows", build(nil, ok, ended("A-02", "1", "splendid")), verdict.Nonconformant},
		{"target", build(nil, ok, fell("A-02", "1", verdict.CauseTarget)), verdict.Died},
		{"undefined", build(nil, ok, fell("A-02", "1", verdict.CauseUndefined)), verdict.NotRun},
		{"pending", build(nil, ok, fell("A-02", "1", verdict.CausePending)), verdict.NotRun},
		{"skipped", build(nil, ok, fell("A-02", "1", verdict.CauseSkipped)), verdict.NotRun},
		{"ambiguous", build(nil, ok, fell("A-02", "1", verdict.CauseAmbiguous)), verdict.Fault},
		{"panic", build(nil, ok, fell("A-02", "1", verdict.CausePanic)), verdict.Fault},
		{"harness", build(nil, ok, fell("A-02", "1", verdict.CauseHarness)), verdict.Fault},
		{"stale", build(expect("A-01", verdict.Selected), ok), verdict.Stale},
		{"unmatched", build(expect("A-77", verdict.Unmatched), ok), verdict.Stale},
		{"duplicate", build(expect("A-01", verdict.Duplicate), ok), verdict.Stale},
		{"nothing planned", build(nil), verdict.NotRun},
		{"nothing observable", build(nil, ended("A-01", "1", verdict.Unobservable)), verdict.NotRun},
		{"one missing", build(missing("A-01", "2"), ok), verdict.NotRun},
		{"a judged rule without a scenario", build(func(s *verdict.Stream) {
			s.Header.Rules = append(s.Header.Rules, verdict.Rule{ID: "A-02", Judged: true, Selected: true})
		}, ok), verdict.NotRun},
		{"ended early", build(fatal(""), ok), verdict.NotRun},
		{"the target did not start", build(fatal(verdict.CauseTarget), ok), verdict.Died},
		{"the suite failed", build(fatal(verdict.CauseHarness), ok), verdict.Fault},
		// Of several codes the first of 6, 3, 5, 1, 4 is taken.
		{"6 before 3", build(nil, fell("A-01", "1", verdict.CausePanic), fell("A-02", "1", verdict.CauseTarget)), verdict.Fault},
		{"3 before 5", build(missing("A-01", "2"), fell("A-01", "1", verdict.CauseTarget)), verdict.Died},
		{"5 before 1", build(missing("A-01", "2"), fell("A-01", "1", verdict.CauseCheck)), verdict.NotRun},
		{"1 before 4", build(expect("A-01", verdict.Selected), ok, fell("A-02", "1", verdict.CauseCheck)), verdict.Nonconformant},
	} {
		v := judge(t, tc.stream)
		require.Equal(t, tc.want, v.Exit, "%s: %s", tc.name, v.Why)
		require.NotEmpty(t, v.Why)
	}
}

func TestCounts(t *testing.T) {
	s := build(expect("A-03", verdict.Selected),
		ended("A-01", "1", verdict.Passed), ended("A-01", "2", verdict.Allowed), fell("A-02", "1", verdict.CauseCheck),
		fell("A-03", "1", verdict.CauseCheck), ended("A-04", "1", verdict.Unobservable),
	)
	s.Header.Scenarios[2].Level = ledger.OMW
	missing("A-05", "1")(s)
	s.Footer.Planned++
	v := judge(t, s)
	require.Equal(t, verdict.Counts{Passed: 2, Failed: 1, Expected: 1, Unobservable: 1, Missing: 1}, v.Counts)
	require.Equal(t, []verdict.LevelCounts{
		{Level: ledger.Seed, Counts: verdict.Counts{Passed: 2, Expected: 1, Unobservable: 1, Missing: 1}},
		{Level: ledger.OMW, Counts: verdict.Counts{Failed: 1}},
	}, v.Levels)
}

func TestStreamsThatContradictThemselves(t *testing.T) {
	ok := func() *verdict.Stream { return build(nil, ended("A-01", "1", verdict.Passed)) }
	for _, tc := range []struct {
		name   string
		change func(*verdict.Stream)
		want   string
	}{
		{"no footer", func(s *verdict.Stream) { s.Footer = nil }, "no footer"},
		{"no header", func(s *verdict.Stream) { s.Header = nil }, "no footer"},
		{"planned twice", func(s *verdict.Stream) { missing("A-01", "1")(s) }, "plans \"A-01/1\" twice"},
		{"finished twice", func(s *verdict.Stream) { s.Finished = append(s.Finished, s.Finished[0]) }, "finished \"A-01/1\" twice"},
		{"never planned", func(s *verdict.Stream) { s.Finished = append(s.Finished, ended("A-01", "2", verdict.Passed)) }, "had not planned"},
		{"an expectation that nobody knows", func(s *verdict.Stream) {
			s.Header.Expect = []verdict.Expectation{{Kind: "hopeful", Name: "A-01"}}
		}, "expects A-01 to be \"hopeful\""},
		{"miscounted", func(s *verdict.Stream) { s.Footer.Passed++ }, "footer counts"},
		{"an event lost", func(s *verdict.Stream) { s.Finished = nil }, "footer counts"},
	} {
		s := ok()
		tc.change(s)
		_, err := verdict.Judge(s)
		require.ErrorContains(t, err, tc.want, tc.name)
	}
}
