package words

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/plan"
)

// Sentences registers the sentences of one scenario. It is a
// godog.ScenarioContext that compiles each expression once for all scenarios
// and registers those alone that match a step of this one: compiling hundreds
// of expressions, and trying each on each step, takes longer than most
// scenarios do.
type Sentences struct {
	*godog.ScenarioContext
	steps []plan.Step
}

// Of returns the Sentences of the scenario that has these steps.
func Of(sc *godog.ScenarioContext, steps []plan.Step) Sentences { return Sentences{sc, steps} }

// expression is a compiled sentence, and the text that each match begins with.
type expression struct {
	*regexp.Regexp
	prefix string
}

var expressions sync.Map // of *expression by their text

func compiled(expr string) *expression {
	if e, ok := expressions.Load(expr); ok {
		return e.(*expression)
	}
	e, _ := expressions.LoadOrStore(expr, &expression{regexp.MustCompile(expr), prefixOf(expr)})
	return e.(*expression)
}

// prefixOf returns the literal text that follows the ^ at the beginning of an
// expression, or "".
func prefixOf(expr string) string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil || re.Op != syntax.OpConcat || len(re.Sub) < 2 {
		return ""
	}
	begin, text := re.Sub[0], re.Sub[1]
	if begin.Op != syntax.OpBeginText || text.Op != syntax.OpLiteral || text.Flags&syntax.FoldCase != 0 {
		return ""
	}
	return string(text.Rune)
}

func (s Sentences) register(with func(any, any), expr string, does any) {
	e := compiled(expr)
	if slices.ContainsFunc(s.steps, func(step plan.Step) bool {
		return strings.HasPrefix(step.Text, e.prefix) && e.MatchString(step.Text)
	}) {
		with(e.Regexp, does)
	}
}

// Step registers a sentence that may stand anywhere in a scenario.
func (s Sentences) Step(expr string, does any) { s.register(s.ScenarioContext.Step, expr, does) }

// Given, When and Then register a sentence that stands there alone.
func (s Sentences) Given(expr string, does any) { s.register(s.ScenarioContext.Given, expr, does) }

// When is described at Given.
func (s Sentences) When(expr string, does any) { s.register(s.ScenarioContext.When, expr, does) }

// Then is described at Given.
func (s Sentences) Then(expr string, does any) { s.register(s.ScenarioContext.Then, expr, does) }
