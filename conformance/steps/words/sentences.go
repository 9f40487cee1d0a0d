package words

import (
	"regexp"
	"sync"

	"github.com/cucumber/godog"
)

// Sentences registers the sentences of one scenario. It is a
// godog.ScenarioContext that compiles each expression once for all scenarios,
// since that takes longer than most of them.
type Sentences struct{ *godog.ScenarioContext }

var expressions sync.Map // of *regexp.Regexp by their text

func compiled(expr string) *regexp.Regexp {
	if re, ok := expressions.Load(expr); ok {
		return re.(*regexp.Regexp)
	}
	re, _ := expressions.LoadOrStore(expr, regexp.MustCompile(expr))
	return re.(*regexp.Regexp)
}

// Step registers a sentence that may stand anywhere in a scenario.
func (s Sentences) Step(expr string, does any) { s.ScenarioContext.Step(compiled(expr), does) }

// Given, When and Then register a sentence that stands there alone.
func (s Sentences) Given(expr string, does any) { s.ScenarioContext.Given(compiled(expr), does) }

// When is described at Given.
func (s Sentences) When(expr string, does any) { s.ScenarioContext.When(compiled(expr), does) }

// Then is described at Given.
func (s Sentences) Then(expr string, does any) { s.ScenarioContext.Then(compiled(expr), does) }
