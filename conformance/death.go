package conformance

import (
	"time"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

const (
	// dyingTime is how long a scenario that failed waits for the news that its
	// target died, and lookTime how often it looks. The connections of a process
	// that dies end before the system says that it did; whoever judged at once
	// would call a dead target one that breaks a rule.
	dyingTime = 250 * time.Millisecond
	lookTime  = 5 * time.Millisecond
)

// died returns how the target ended before it was told to, if it did.
func died(w *world.World, e *verdict.Finished) error {
	if w.Clock.Exact() || e.Outcome != verdict.Failed {
		return w.Died()
	}
	for until := time.Now().Add(dyingTime); ; time.Sleep(lookTime) {
		if err := w.Died(); err != nil || time.Now().After(until) {
			return err
		}
	}
}
