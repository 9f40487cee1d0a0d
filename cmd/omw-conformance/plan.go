package main

import (
	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/steps"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/features"
)

// suite is what a run judges by: what there is to show, and what its sentences
// mean; and the daemon in this process.
type suite struct {
	plan     func() (*plan.Plan, error)
	register func(*godog.ScenarioContext, *world.World)
	daemon   target.Constructor
}

// ours is the suite that the program holds.
var ours = suite{loadPlan, steps.Register, newDaemon}

// loadPlan returns the plan of the features that the program holds. That they
// are wrong is the suite's fault.
func loadPlan() (*plan.Plan, error) {
	l, err := ledger.Load()
	if err != nil {
		return nil, fault(err)
	}
	p, err := plan.Parse(features.FS, l)
	if err != nil {
		return nil, fault(err)
	}
	return p, nil
}
