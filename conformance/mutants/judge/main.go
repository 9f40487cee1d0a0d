// Command judge is the suite of the roles in which the simulator is judged, and
// nothing else: a patched simulator is compiled into it, and each package more
// would be compiled again for every mutant (KIT-13). Its arguments are the ids
// of the scenarios. It is not for users, who have omw-conformance run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/steps/extension"
	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/features"
)

func main() {
	// As omw-conformance does: short-lived browsers make much garbage.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(1 << 30)
	if err := run(os.Args[1:]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	fl := flag.NewFlagSet("judge", flag.ContinueOnError)
	role := fl.String("role", string(ledger.Extension), "the role under test: extension or sim")
	browser := fl.String("target", "sim:chrome", "sim:chrome or sim:firefox")
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
	t, err := target.Sim(strings.TrimPrefix(*browser, "sim:"))
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
		Register: func(sc *godog.ScenarioContext, w *world.World) {
			extension.Register(words.Sentences{ScenarioContext: sc}, w)
		},
		Seed: *seed, Jobs: 1, Out: file,
	}
	if _, err := r.Do(context.Background()); err != nil {
		return err
	}
	return file.Close()
}
