package mutants

import (
	"context"
	"fmt"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// silly is a daemon, an extension or a client that does no work at all; every rule must
// notice.
type silly struct {
	role ledger.Role
	name string
	open func(name string) (target.Target, error)
}

var sillyOnes = []silly{
	{ledger.Daemon, "null", target.Builtin},
	{ledger.Daemon, "200", target.Builtin},
	{ledger.Daemon, "403", target.Builtin},
	{ledger.Extension, "absent", target.BuiltinExtension},
	{ledger.Extension, "mute", target.BuiltinExtension},
	{ledger.Sim, "absent", target.BuiltinExtension},
	{ledger.Sim, "mute", target.BuiltinExtension},
	{ledger.Client, "idle", target.BuiltinClient},
	{ledger.Client, "yes", target.BuiltinClient},
}

// keeps lists the rules that a silly one really keeps, and why; any other rule
// that does not fail with it has a scenario that proves nothing.
var keeps = map[string]map[string]string{}

// SillyTrial is what the suite said of one that does no work.
type SillyTrial struct {
	Name string      `json:"name"`
	Role ledger.Role `json:"role"`
	// Failed counts the rules that noticed.
	Failed int `json:"failed"`
	// Passed are the rules that did not notice and should have.
	Passed []string `json:"passed"`
	// Kept are the rules that it really keeps, each with the reason.
	Kept  map[string]string `json:"kept,omitempty"`
	Error string            `json:"error,omitempty"`
}

// silly returns those that are tried: all of the role, unless rules were asked for.
func (l *Laboratory) silly() []silly {
	var some []silly
	for _, s := range sillyOnes {
		if len(l.Rules) == 0 && (l.Role == "" || l.Role == s.role) {
			some = append(some, s)
		}
	}
	return some
}

func (l *Laboratory) trySilly(ctx context.Context, s silly, rules []Judged) SillyTrial {
	t := SillyTrial{Name: s.name, Role: s.role, Passed: []string{}, Kept: keeps[s.name]}
	of, err := s.open(s.name)
	if err != nil {
		t.Error = err.Error()
		return t
	}
	stream, err := l.run(ctx, s.role, l.Virtual, of, nil)
	switch {
	case err != nil:
		t.Error = err.Error()
		return t
	case stream.Footer == nil || stream.Footer.Fatal != "":
		t.Error = fmt.Sprintf("the run did not reach its end: %+v", stream.Footer)
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
	for _, r := range rules {
		switch {
		case r.Role != s.role:
		case failed[r.Rule]:
			t.Failed++
		case passed[r.Rule] && t.Kept[r.Rule] == "":
			t.Passed = append(t.Passed, r.Rule)
		}
	}
	return t
}
