package watch

import (
	"fmt"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Run is what a stream says beside what was found.
type Run struct {
	Ledger *ledger.Ledger
	// Suite is the suite's version, Client the name of what was watched, Command
	// the command line.
	Suite, Client string
	Command       []string
	Began, Ended  time.Time
	// Transcript is what the client and the daemon said, secrets removed.
	Transcript []world.Line
}

// Stream returns the event stream of a client that was watched: one scenario a
// rule, which passed if the client was in a situation in which it could have
// broken the rule and did not, and is unobservable if it never was. Every
// report is a function of it (KIT-14).
func (j *Judge) Stream(r Run) (*verdict.Stream, error) {
	s := &verdict.Stream{}
	header := &verdict.Header{
		Schema: verdict.Schema, Suite: r.Suite, Protocol: protocol.Version, Target: verdict.Target{Kind: "watch", Name: r.Client},
		Role: ledger.Client, Lane: ledger.Real, Command: r.Command, Started: r.Began.UTC().Truncate(time.Millisecond),
		Rules: []verdict.Rule{}, Scenarios: []verdict.Planned{},
	}
	var rules []*ledger.Rule
	for _, id := range Rules {
		rule, ok := r.Ledger.Rule(id)
		if !ok {
			return nil, fmt.Errorf("the ledger has no rule %s", id)
		}
		rules = append(rules, rule)
		header.Rules = append(header.Rules, verdict.Rule{
			ID: id, Level: rule.Level, Observers: []ledger.Observer{ledger.Wire}, Sentence: rule.Sentence,
			Judged: true, Selected: true, Scenarios: 1, Planned: 1,
		})
		header.Scenarios = append(header.Scenarios, verdict.Planned{ID: scenario(id), Rule: id, Level: rule.Level})
	}
	took := r.Ended.Sub(r.Began)
	events := []verdict.Event{header}
	for _, rule := range rules {
		events = append(events, &verdict.Started{Scenario: scenario(rule.ID), Rule: rule.ID})
		f := j.finished(rule, r.Transcript)
		f.Took, f.Elapsed = took, took
		events = append(events, f)
	}
	footer := &verdict.Footer{Took: took}
	for _, e := range events {
		if err := s.Add(e); err != nil {
			return nil, err
		}
	}
	s.Count(footer)
	return s, s.Add(footer)
}

func scenario(rule string) string { return "watch:" + rule }

// finished is what was seen of one rule.
func (j *Judge) finished(rule *ledger.Rule, transcript []world.Line) *verdict.Finished {
	f := &verdict.Finished{Scenario: scenario(rule.ID), Rule: rule.ID, Level: rule.Level, Lane: ledger.Real}
	var reasons []string
	for _, found := range j.Findings() {
		if found.Rule != rule.ID {
			continue
		}
		if f.Check == "" {
			f.Check = found.Check
			reasons = append(reasons, found.Reason+"; a conformant client: "+found.Right)
		} else {
			reasons = append(reasons, found.Reason)
		}
	}
	switch {
	case len(reasons) > 0:
		f.Outcome, f.Cause, f.Reason = verdict.Failed, verdict.CauseCheck, strings.Join(reasons, "; and ")
		f.Transcript = transcript
	case j.Met(rule.ID) == 0:
		f.Outcome, f.Reason = verdict.Unobservable, "the client was never in a situation in which it could have broken it"
	default:
		f.Outcome = verdict.Passed
	}
	return f
}

// Lines are what a transcript says of a request and its answer: who asked for
// what, and what came of it. What stands in the bodies stays out, since people's
// words are in them.
func Lines(began time.Time, a Asked, answer Answered) []world.Line {
	what := fmt.Sprintf("%s %s", a.Method, pathOf(a.Target))
	if c, ok := commandOf(a); ok {
		what += fmt.Sprintf(" %s", actionName(c.action))
	}
	came := "no answer"
	if answer.Status != 0 {
		came = fmt.Sprint(answer.Status)
		if v := toldBy(answer); v.code != "" {
			came += " " + codeName(v.code)
		}
	}
	return []world.Line{
		{At: a.At.Sub(began), Actor: "client", Dir: ">", Text: fmt.Sprintf("request %d: %s", a.Seq, what)},
		{At: answer.At.Sub(began), Actor: "client", Dir: "<", Text: fmt.Sprintf("request %d: %s", a.Seq, came)},
	}
}

// actionName is an action as it may stand in a report.
func actionName(action string) string {
	if _, ok := protocol.LookupAction(action); ok {
		return action
	}
	return "(an unknown action)"
}

// codeName is likewise for an error's code.
func codeName(code string) string {
	for _, known := range protocol.Codes {
		if string(known) == code {
			return code
		}
	}
	return "(an unknown code)"
}
