package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// jsonReport is the JSON report.
type jsonReport struct {
	Suite    string         `json:"suite"`
	Protocol string         `json:"protocol"`
	Target   verdict.Target `json:"target"`
	Role     ledger.Role    `json:"role"`
	Lane     ledger.Lane    `json:"lane"`
	Seed     uint64         `json:"seed"`
	Command  []string       `json:"command"`
	Shard    *verdict.Shard `json:"shard,omitempty"`
	Started  time.Time      `json:"started"`
	TookMS   float64        `json:"took_ms"`
	Exit     verdict.Exit   `json:"exit"`
	Why      string         `json:"why"`
	Counts   jsonCounts     `json:"scenarios"`
	// Levels are the counts of each level by its name.
	Levels map[ledger.Level]jsonCounts `json:"levels"`
	Stale  []string                    `json:"stale,omitempty"`
	Rules  []jsonRule                  `json:"rules"`
}

type jsonCounts struct {
	Planned      int `json:"planned"`
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Expected     int `json:"failed_as_expected"`
	Flaky        int `json:"failed_flaky"`
	Unobservable int `json:"unobservable"`
	Skipped      int `json:"skipped"`
	Missing      int `json:"did_not_run"`
}

type jsonRule struct {
	ID        string         `json:"id"`
	Level     ledger.Level   `json:"level"`
	Verdict   verdict.Mark   `json:"verdict"`
	Sentence  string         `json:"sentence"`
	Scenarios []jsonScenario `json:"scenarios,omitempty"`
}

type jsonScenario struct {
	ID      string          `json:"id"`
	Level   ledger.Level    `json:"level"`
	Verdict verdict.Outcome `json:"verdict"`
	// Expected is why it was expected to fail, Flaky why it is known to be flaky.
	// Surprise is true if it passed although it was expected to fail.
	Expected string        `json:"expected,omitempty"`
	Flaky    string        `json:"flaky,omitempty"`
	Surprise bool          `json:"unexpected_pass,omitempty"`
	Cause    verdict.Cause `json:"cause,omitempty"`
	Check    string        `json:"check,omitempty"`
	Step     string        `json:"step,omitempty"`
	Reason   string        `json:"reason,omitempty"`
	Allowed  []string      `json:"allowed,omitempty"`
	TookMS   float64       `json:"took_ms"`
	Again    string        `json:"again,omitempty"`
}

// notRun is the verdict of a scenario that did not run.
const notRun verdict.Outcome = "did not run"

func object(w io.Writer, s *verdict.Stream, v *verdict.Verdict) error {
	h := s.Header
	out := jsonReport{
		Suite: h.Suite, Protocol: h.Protocol, Target: h.Target, Role: h.Role, Lane: h.Lane, Seed: h.Seed,
		Command: h.Command, Shard: h.Shard, Started: h.Started, TookMS: milliseconds(s.Footer.Took), Exit: v.Exit, Why: v.Why, Stale: v.Stale,
		Counts: countsObject(&v.Counts), Levels: make(map[ledger.Level]jsonCounts),
	}
	for _, l := range v.Levels {
		out.Levels[l.Level] = countsObject(&l.Counts)
	}
	for i := range v.Rules {
		r := &v.Rules[i]
		rule := jsonRule{ID: r.ID, Level: r.Level, Verdict: r.Mark, Sentence: r.Sentence}
		for j := range r.Of {
			rule.Scenarios = append(rule.Scenarios, scenarioObject(h, &r.Of[j]))
		}
		out.Rules = append(out.Rules, rule)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

func countsObject(c *verdict.Counts) jsonCounts {
	return jsonCounts{
		Planned: c.Planned(), Passed: c.Passed, Failed: c.Failed, Expected: c.Expected, Flaky: c.Flaky,
		Unobservable: c.Unobservable, Skipped: c.Skipped, Missing: c.Missing,
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func scenarioObject(h *verdict.Header, s *verdict.ScenarioVerdict) jsonScenario {
	out := jsonScenario{ID: s.ID, Level: s.Level, Verdict: notRun, Expected: s.Expected, Flaky: s.Flaky, Surprise: s.Surprise}
	e := s.Event
	if e == nil {
		return out
	}
	out.Verdict, out.Cause, out.Check, out.Step = e.Outcome, e.Cause, e.Check, e.Step
	out.Reason, out.Allowed = e.Reason, e.Allowed
	out.TookMS = milliseconds(e.Took)
	if e.Outcome == verdict.Failed {
		out.Again = Repeat(h, s.ID)
	}
	return out
}
