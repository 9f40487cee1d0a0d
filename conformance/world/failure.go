package world

import (
	"errors"
	"fmt"

	"github.com/oh-my-webbridge/omw/conformance/target"
)

// Failure is the error of a step that saw the daemon break the scenario's
// rule. Any other error of a step is counted as unexpected: it fails the
// scenario too, but nobody may take it for a proof that the rule is broken.
type Failure struct {
	// Check names the assertion, as AUTH-08/accepted-late: the scenario's rule
	// and a name that is unique among the rule's assertions.
	Check string
	// Reason says what was seen and what should have been.
	Reason string
}

func (f *Failure) Error() string { return f.Check + ": " + f.Reason }

// Fail returns the *Failure of an assertion of the scenario's rule. check is
// its name alone, in lower case with hyphens; the rule's id is put before it,
// so that steps which several rules share blame the right one.
func (w *World) Fail(check, format string, a ...any) error {
	return &Failure{Check: w.Scenario.Rule.ID + "/" + check, Reason: fmt.Sprintf(format, a...)}
}

// Unobservable returns the error of what this target cannot show. The scenario
// ends, and is named unobservable.
func (w *World) Unobservable(format string, a ...any) error { return target.Hidden(format, a...) }

// AsFailure returns the *Failure in err's chain.
func AsFailure(err error) (*Failure, bool) { return errors.AsType[*Failure](err) }
