// Package judge is the suite of one role and nothing else: patched source is
// compiled into it, and each package more would be compiled and linked again for
// every mutant (KIT-13). It is not for users, who have omw-conformance run.
package judge

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/features"
)

// Judge is what the judges differ in.
type Judge struct {
	// Target returns the target of that name.
	Target func(name string) (target.Target, error)
	// Register says what the sentences mean.
	Register func(*godog.ScenarioContext, *world.World)
}

// Main is the main function of a judge. Its arguments are the ids of the
// scenarios; it ends the process with 2 if they could not be run.
func (j Judge) Main() {
	// As omw-conformance does: short-lived actors make much garbage.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(1 << 30)
	if err := j.run(os.Args[1:]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
}

func (j Judge) run(args []string) error {
	fl := flag.NewFlagSet("judge", flag.ContinueOnError)
	role := fl.String("role", "", "the role under test")
	name := fl.String("target", "", "the target under test")
	seed := fl.Uint64("seed", 1, "decides every chance")
	out := fl.String("out", "", "where the event stream goes")
	if err := fl.Parse(args); err != nil {
		return err
	}
	l, err := ledger.Load()
	if err != nil {
		return err
	}
	p, err := plan.Parse(features.FS, l)
	if err != nil {
		return err
	}
	t, err := j.Target(*name)
	if err != nil {
		return err
	}
	bubbles, err := lane.InProcess()
	if err != nil {
		return err
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	r := &conformance.Run{
		Plan: p, Selection: plan.Selection{Role: ledger.Role(*role), Scenarios: fl.Args()}, Target: t, Lane: lane.NewVirtual(bubbles),
		Register: j.Register, Seed: *seed, Jobs: 1, Out: file,
	}
	if _, err := r.Do(context.Background()); err != nil {
		return err
	}
	return file.Close()
}
