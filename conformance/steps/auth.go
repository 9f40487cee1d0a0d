package steps

import "github.com/cucumber/godog"

// registerAuth registers the sentences of the AUTH rules.
func registerAuth(_ *godog.ScenarioContext, _ *scene) {}
