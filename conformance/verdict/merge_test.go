package verdict_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// ran is a run of five rows of two rules, or a part of it. Row 2 of B-01 fails.
func ran(shard *verdict.Shard) *verdict.Stream {
	s := &verdict.Stream{
		Header: &verdict.Header{
			Schema: verdict.Schema, Suite: "1", Protocol: "omw.v1", Target: verdict.Target{Kind: "exec", Name: "mine"}, Role: ledger.Daemon,
			Lane: ledger.Real, Seed: 7, Shard: shard, Scenarios: []verdict.Planned{}, Command: []string{"omw-conformance", "run"},
			Started: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			Expect:  []verdict.Expectation{{Kind: verdict.Failing, Name: "B-01", Reason: "known", File: "f", Line: 1, State: verdict.NotSelected}},
		},
		Footer: &verdict.Footer{Took: time.Second},
	}
	var ids []string
	for _, rule := range []string{"A-01", "B-01"} {
		for row := range 10 {
			ids = append(ids, fmt.Sprintf("%s/row %d", rule, row+1))
		}
	}
	s.Header.Plan = verdict.Digest(ids)
	part := map[string]bool{}
	if shard != nil {
		part = shard.Part(ids)
		s.Footer.Took *= time.Duration(shard.Index)
		s.Header.Started = s.Header.Started.Add(-time.Duration(shard.Index) * time.Minute)
	}
	for i, id := range ids {
		rule, _, _ := strings.Cut(id, "/")
		if i%10 == 0 {
			s.Header.Rules = append(s.Header.Rules, verdict.Rule{ID: rule, Judged: true, Selected: true, Scenarios: 10})
		}
		if shard != nil && !part[id] {
			continue
		}
		s.Header.Rules[len(s.Header.Rules)-1].Planned++
		s.Header.Scenarios = append(s.Header.Scenarios, verdict.Planned{ID: id, Rule: rule})
		e := &verdict.Finished{Scenario: id, Rule: rule, Outcome: verdict.Passed, Offset: time.Duration(i) * time.Millisecond, Took: time.Millisecond}
		if id == "B-01/row 2" {
			e.Outcome, e.Cause, e.Check, e.Reason = verdict.Failed, verdict.CauseCheck, "B-01/late", "late"
			s.Steps = append(s.Steps, &verdict.Step{Scenario: id, Rule: rule, Cause: e.Cause, Check: e.Check, Reason: e.Reason})
		}
		if rule == "B-01" {
			s.Header.Expect[0].State = verdict.Selected
		}
		s.Started = append(s.Started, &verdict.Started{Scenario: id, Rule: rule, Offset: e.Offset})
		s.Finished = append(s.Finished, e)
	}
	s.Count(s.Footer)
	return s
}

func parts(n int) []verdict.Recording {
	var all []verdict.Recording
	for i := range n {
		all = append(all, verdict.Recording{Name: fmt.Sprintf("part%d.ndjson", i+1), Stream: ran(&verdict.Shard{Index: i + 1, Of: n})})
	}
	return all
}

func TestMergeIsTheWholeRun(t *testing.T) {
	whole := ran(nil)
	for _, n := range []int{1, 2, 3, 20} {
		all := parts(n)
		slices.Reverse(all)
		got, err := verdict.Merge(all...)
		require.NoError(t, err)
		require.Nil(t, got.Header.Shard)
		require.Equal(t, whole.Header.Scenarios, got.Header.Scenarios, "row 2 before row 10")
		require.Equal(t, whole.Header.Rules, got.Header.Rules)
		require.Equal(t, whole.Header.Expect, got.Header.Expect)
		require.Equal(t, whole.Started, got.Started)
		require.Equal(t, whole.Finished, got.Finished)
		require.Equal(t, whole.Steps, got.Steps)
		require.Equal(t, time.Duration(n)*time.Second, got.Footer.Took)
		require.Equal(t, whole.Header.Started.Add(-time.Duration(n)*time.Minute), got.Header.Started)
		a, b := judge(t, whole), judge(t, got)
		require.Equal(t, a.Rules, b.Rules)
		require.Equal(t, a.Counts, b.Counts)
		require.Equal(t, verdict.Conformant, b.Exit, b.Why)
		for _, p := range all {
			require.NotNil(t, p.Header.Shard, "what is merged stays as it is")
		}
	}
	got, err := verdict.Merge(verdict.Recording{Stream: whole})
	require.NoError(t, err)
	require.Same(t, whole, got)
}

func TestMergeRefuses(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(all []verdict.Recording) []verdict.Recording
		want   string
		is     error
	}{
		{"nothing", func([]verdict.Recording) []verdict.Recording { return nil }, "nothing to merge", nil},
		{"one is missing", func(all []verdict.Recording) []verdict.Recording { return all[:2] }, "3/3", verdict.ErrMissing},
		{"two are missing", func(all []verdict.Recording) []verdict.Recording { return all[1:2] }, "1/3, 3/3", verdict.ErrMissing},
		{"one stands there twice", func(all []verdict.Recording) []verdict.Recording { return append(all, all[1]) }, "part2.ndjson and part2.ndjson overlap: both are part 2 of 3", nil},
		{"one is no part", func(all []verdict.Recording) []verdict.Recording {
			all[2].Header.Shard.Index = 4
			return all
		}, "says that it is part 4 of 3", nil},
		{"a whole run beside a part", func(all []verdict.Recording) []verdict.Recording {
			return []verdict.Recording{all[0], {Name: "whole.ndjson", Stream: ran(nil)}}
		}, "whole.ndjson is a whole run", nil},
		{"two whole runs", func([]verdict.Recording) []verdict.Recording {
			return []verdict.Recording{{Name: "a", Stream: ran(nil)}, {Name: "b", Stream: ran(nil)}}
		}, "a is a whole run", nil},
		{"no footer", func(all []verdict.Recording) []verdict.Recording {
			all[1].Footer = nil
			return all
		}, "part2.ndjson", verdict.ErrCut},
		{"a scenario is planned twice", func(all []verdict.Recording) []verdict.Recording {
			all[0].Header.Scenarios = append(all[0].Header.Scenarios, all[1].Header.Scenarios[0])
			return all
		}, "part1.ndjson and part2.ndjson overlap", nil},
		{"a scenario is planned nowhere", func(all []verdict.Recording) []verdict.Recording {
			all[0].Header.Scenarios = all[0].Header.Scenarios[1:]
			return all
		}, "the parts together are not the plan", nil},
	} {
		_, err := verdict.Merge(tc.change(parts(3))...)
		require.ErrorContains(t, err, tc.want, tc.name)
		if tc.is != nil {
			require.ErrorIs(t, err, tc.is, tc.name)
		} else {
			require.NotErrorIs(t, err, verdict.ErrMissing, tc.name)
		}
	}
	for want, change := range map[string]func(h *verdict.Header){
		"the suite is 1 in one and 2 in the other":       func(h *verdict.Header) { h.Suite = "2" },
		"the protocol is omw.v1 in one and omw.v2":       func(h *verdict.Header) { h.Protocol = "omw.v2" },
		"the target is {exec mine false} in one and":     func(h *verdict.Header) { h.Target.Name = "other" },
		"the target is {exec mine false} in one and {ex": func(h *verdict.Header) { h.Target.Strict = true },
		"the role is daemon":                             func(h *verdict.Header) { h.Role = "client" },
		"the lane is real":                               func(h *verdict.Header) { h.Lane = ledger.Virtual },
		"the seed is 7 in one and 8":                     func(h *verdict.Header) { h.Seed = 8 },
		"the plan is":                                    func(h *verdict.Header) { h.Plan = verdict.Digest([]string{"x"}) },
		"the number of parts is 2 in one and 3":          func(h *verdict.Header) { h.Shard = &verdict.Shard{Index: 2, Of: 3} },
		"their rules differ":                             func(h *verdict.Header) { h.Rules[0].Sentence = "No." },
		"their expectations differ":                      func(h *verdict.Header) { h.Expect[0].Reason = "none" },
	} {
		all := parts(2)
		change(all[1].Header)
		_, err := verdict.Merge(all...)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "part1.ndjson and part2.ndjson are not of one run")
	}
}

// TestMergeIsNoGreenerThanItsParts: what ended one part early ends the whole.
func TestMergeIsNoGreenerThanItsParts(t *testing.T) {
	all := parts(3)
	all[0].Footer.Fatal, all[0].Footer.Cause = "the target is gone", verdict.CauseTarget
	got, err := verdict.Merge(all...)
	require.NoError(t, err)
	require.Equal(t, "part 1/3: the target is gone", got.Footer.Fatal)
	require.Equal(t, verdict.Died, judge(t, got).Exit)
	all[2].Footer.Fatal, all[2].Footer.Cause = "the disk is full", verdict.CauseHarness
	all[1].Footer.Fatal = "interrupted"
	got, err = verdict.Merge(all...)
	require.NoError(t, err)
	require.Equal(t, "part 3/3: the disk is full", got.Footer.Fatal)
	require.Equal(t, verdict.Fault, judge(t, got).Exit)
	// A scenario that did not run in its part did not run.
	all = parts(3)
	all[1].Finished = all[1].Finished[1:]
	all[1].Count(all[1].Footer)
	all[1].Footer.Passed, all[1].Footer.Failed = 0, 0
	all[1].Count(all[1].Footer)
	got, err = verdict.Merge(all...)
	require.NoError(t, err)
	require.Equal(t, verdict.NotRun, judge(t, got).Exit)
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]verdict.Shard{"1/1": {1, 1}, "1/5": {1, 5}, "5/5": {5, 5}, "10000/10000": {10000, 10000}} {
		got, err := verdict.ParseShard(text)
		require.NoError(t, err)
		require.Equal(t, want, *got)
		require.Equal(t, text, got.String())
	}
	for _, text := range []string{"", "1", "/", "0/5", "6/5", "-1/5", "1/0", "1/", "/5", "a/b", "1/2/3", "1/10001", "1.0/2", " 1/2"} {
		_, err := verdict.ParseShard(text)
		require.ErrorContains(t, err, "write 2/5 for the second of five", text)
	}
}

// TestPartsDivideTheWhole: each scenario is in exactly one part, whatever the
// order, and the parts differ by one at most.
func TestPartsDivideTheWhole(t *testing.T) {
	var ids []string
	for i := range 101 {
		ids = append(ids, fmt.Sprintf("x.feature:s/row %d", i))
	}
	backwards := slices.Clone(ids)
	slices.Reverse(backwards)
	for _, n := range []int{1, 2, 7, 101} {
		seen := map[string]int{}
		for i := range n {
			s := verdict.Shard{Index: i + 1, Of: n}
			part := s.Part(ids)
			require.Equal(t, part, s.Part(backwards))
			require.GreaterOrEqual(t, len(part), 101/n)
			require.LessOrEqual(t, len(part), 101/n+1)
			for id := range part {
				seen[id]++
			}
		}
		require.Len(t, seen, 101)
		for id, times := range seen {
			require.Equal(t, 1, times, id)
		}
	}
	require.Equal(t, verdict.Digest(ids), verdict.Digest(backwards))
	require.NotEqual(t, verdict.Digest(ids), verdict.Digest(ids[1:]))
}

// TestEventsAreAStream: written and read again, they are the same stream.
func TestEventsAreAStream(t *testing.T) {
	s := ran(nil)
	s.Steps = append(s.Steps, &verdict.Step{Scenario: "interrupted", Rule: "A-01", Cause: verdict.CauseHarness})
	var b bytes.Buffer
	for _, e := range s.Events() {
		require.NoError(t, verdict.Write(&b, e))
	}
	got, err := verdict.Read(&b)
	require.NoError(t, err)
	require.Equal(t, s, got)
}
