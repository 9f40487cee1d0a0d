package main

import (
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/features"
)

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
