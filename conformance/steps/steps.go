// Package steps is what the sentences of the features mean. Register makes a
// scene for every scenario, and each file of sentences adds its own to it.
package steps

import (
	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/world"
)

// Register registers every sentence for one scenario. Its state is made here.
func Register(sc *godog.ScenarioContext, w *world.World) {
	s := newScene(w)
	registerBrowsers(sc, s)
	registerAuth(sc, s)
}
