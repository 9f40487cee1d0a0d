// Command simulator judges a patched simulated browser, as an extension and as
// the simulator (KIT-06, KIT-07, KIT-12).
package main

import (
	"strings"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/mutants/judge"
	"github.com/oh-my-webbridge/omw/conformance/steps/extension"
	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

func main() {
	judge.Judge{
		Target: func(name string) (target.Target, error) {
			t, err := target.Sim(strings.TrimPrefix(name, "sim:"))
			if err != nil {
				return nil, err
			}
			return t, nil
		},
		Register: func(sc *godog.ScenarioContext, w *world.World) {
			extension.Register(words.Of(sc, w.Scenario.Steps), w)
		},
	}.Main()
}
