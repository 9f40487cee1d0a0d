package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

// quiet is the name of the formatter that writes nothing: what happened is
// recorded by hooks, and written to the event stream alone.
const quiet = "omw-quiet"

var registerQuiet = sync.OnceFunc(func() {
	godog.Format(quiet, "writes nothing", func(name string, _ io.Writer) godog.Formatter {
		return godog.NewBaseFmt(name, io.Discard)
	})
})

// steps records what became of the steps of one scenario. godog calls its
// hooks from one goroutine.
type steps struct {
	passed int
	// step, status and err belong to the first step that did not pass.
	step   string
	status godog.StepResultStatus
	err    error
	broken bool
	// hook is the error of a hook after the scenario.
	hook error
	// transcript is told which steps passed.
	transcript *world.Transcript
}

func (st *steps) after(ctx context.Context, step *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
	switch {
	case st.broken:
	case status == godog.StepPassed:
		st.passed++
		st.transcript.Passed()
	default:
		st.broken, st.step, st.status, st.err = true, step.Text, status, err
	}
	return ctx, nil
}

// runSteps runs the sentences of one scenario as a suite of its own and returns
// what became of them. godog's own result is not trusted: a scenario has passed
// if each of its sentences was seen to pass, and godog says so too.
func runSteps(ctx context.Context, s *plan.Scenario, w *world.World, register func(*godog.ScenarioContext, *world.World)) *verdict.Finished {
	registerQuiet()
	seen := &steps{transcript: w.Transcript}
	suite := godog.TestSuite{
		Name: s.ID,
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			sc.StepContext().After(seen.after)
			register(sc, w)
			// The last hook sees the errors of all others.
			sc.After(func(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
				seen.hook = err
				return ctx, nil
			})
		},
		Options: &godog.Options{
			Format: quiet, Output: io.Discard, NoColors: true, Strict: true, Concurrency: 1,
			FeatureContents: []godog.Feature{{Name: s.File, Contents: []byte(s.Source())}},
			DefaultContext:  ctx,
		},
	}
	status := suite.Run()
	switch {
	case seen.broken:
		return seen.verdict(ctx)
	case seen.hook != nil:
		return failed(verdict.CauseUnexpected, "", seen.hook)
	case status != 0:
		return failed(verdict.CauseHarness, "", fmt.Errorf("godog ended with %d and no step failed", status))
	case seen.passed != len(s.Steps):
		return failed(verdict.CauseHarness, "", fmt.Errorf("%d of %d steps ran", seen.passed, len(s.Steps)))
	}
	if allowed := w.Allowed(); len(allowed) > 0 {
		return &verdict.Finished{Outcome: verdict.Allowed, Allowed: allowed}
	}
	return &verdict.Finished{Outcome: verdict.Passed}
}

// verdict says what the first step that did not pass means.
func (st *steps) verdict(ctx context.Context) *verdict.Finished {
	err := st.err
	if err == nil {
		err = errors.New("the step gave no error")
	}
	switch st.status {
	case godog.StepUndefined:
		return failed(verdict.CauseUndefined, st.step, errors.New("no step definition matches the sentence"))
	case godog.StepPending:
		return failed(verdict.CausePending, st.step, err)
	case godog.StepSkipped:
		return failed(verdict.CauseSkipped, st.step, err)
	case godog.StepAmbiguous:
		return failed(verdict.CauseAmbiguous, st.step, err)
	}
	if f, ok := world.AsFailure(err); ok {
		e := failed(verdict.CauseCheck, st.step, errors.New(f.Reason))
		e.Check = f.Check
		return e
	}
	if hidden, ok := target.IsUnobservable(err); ok {
		return &verdict.Finished{Outcome: verdict.Unobservable, Step: st.step, Reason: hidden.What}
	}
	switch {
	case panicked(err):
		return failed(verdict.CausePanic, st.step, fmt.Errorf("%+v", err))
	case world.IsTargetFault(err):
		return failed(verdict.CauseTarget, st.step, err)
	case ctx.Err() != nil:
		return failed(verdict.CauseHang, st.step, fmt.Errorf("%w: %w", context.Cause(ctx), err))
	}
	return failed(verdict.CauseUnexpected, st.step, err)
}

// panicked reports whether the error stands for a panic of a step, for which
// godog has a type of its own that it does not export.
func panicked(err error) bool { return strings.HasPrefix(fmt.Sprintf("%T", err), "*godog.traceError") }
