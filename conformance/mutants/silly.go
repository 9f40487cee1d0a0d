package mutants

import (
	"context"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// sillyDaemons do no work at all; every rule must notice.
var sillyDaemons = []string{"null", "200", "403"}

// keeps lists the rules that a silly daemon really keeps, and why; any other
// rule that does not fail with it has a scenario that proves nothing.
var keeps = map[string]map[string]string{}

// SillyTrial is what the suite said of a daemon that does no work.
type SillyTrial struct {
	Name string `json:"name"`
	// Failed counts the rules that noticed.
	Failed int `json:"failed"`
	// Passed are the rules that did not notice and should have.
	Passed []string `json:"passed"`
	// Kept are the rules that it really keeps, each with the reason.
	Kept  map[string]string `json:"kept,omitempty"`
	Error string            `json:"error,omitempty"`
}

func (l *Laboratory) trySilly(ctx context.Context, name string, rules []string) SillyTrial {
	t := SillyTrial{Name: name, Passed: []string{}, Kept: keeps[name]}
	daemon, err := target.Builtin(name)
	if err != nil {
		t.Error = err.Error()
		return t
	}
	stream, err := l.run(ctx, l.Virtual, daemon, nil)
	if err != nil {
		t.Error = err.Error()
		return t
	}
	failed, passed := map[string]bool{}, map[string]bool{}
	for _, f := range stream.Finished {
		switch f.Outcome {
		case verdict.Failed:
			failed[f.Rule] = true
		case verdict.Passed, verdict.Allowed:
			passed[f.Rule] = true
		}
	}
	for _, rule := range rules {
		switch {
		case failed[rule]:
			t.Failed++
		case passed[rule] && keeps[name][rule] == "":
			t.Passed = append(t.Passed, rule)
		}
	}
	return t
}
