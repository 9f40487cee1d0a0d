package verdict

import (
	"fmt"
	"slices"
)

// Exit is an exit code of omw-conformance.
type Exit int

// The exit codes. Where several apply to a run, the first of Fault, Died,
// NotRun, Nonconformant and Stale is taken: who could not judge must not speak
// about the target.
const (
	// Conformant: every planned scenario passed, was unobservable, was skipped by
	// a line that says why, failed as expected, or failed and is known to be flaky;
	// at least one passed or failed as expected.
	Conformant Exit = 0
	// Nonconformant: a scenario failed that was not expected to.
	Nonconformant Exit = 1
	// Usage: the command line or a file that it names is wrong.
	Usage Exit = 2
	// Died: the target could not be started, died, or did not end properly.
	Died Exit = 3
	// Stale: an expected failure did not happen, names nothing, or stands there
	// twice.
	Stale Exit = 4
	// NotRun: nothing was planned, nothing could be observed, or something that
	// was planned did not run.
	NotRun Exit = 5
	// Fault: the suite itself is at fault.
	Fault Exit = 6
)

// Exits describes the exit codes, for a command's help.
const Exits = `0  conformant: everything that was planned passed, or failed as expected or as is known of it
1  a rule is broken
2  usage: the command line, or a file that it names, is wrong
3  the target could not be started, died, or did not end properly
4  an expected failure did not happen, names nothing, or stands there twice
5  nothing ran, or not everything that was planned ran, or nothing could be seen
6  the suite itself is at fault
Where several apply, the first of 6, 3, 5, 1, 4 is taken.`

// exit returns the exit code of a run and the reason for it.
func (v *Verdict) exit(f *Footer) (Exit, string) {
	by := v.failuresByExit()
	untested := v.marked(Untested)
	switch {
	case f.Cause == CauseHarness:
		return Fault, "the suite failed: " + f.Fatal
	case by[Fault] != nil:
		return Fault, fmt.Sprintf("the suite is at fault in %q: %s", by[Fault].ID, by[Fault].Event.Reason)
	case f.Cause == CauseTarget:
		return Died, "the target failed: " + f.Fatal
	case by[Died] != nil:
		return Died, fmt.Sprintf("the target failed in %q: %s", by[Died].ID, by[Died].Event.Reason)
	case len(v.Scenarios) == 0:
		return NotRun, "nothing was selected, so nothing ran"
	case f.Fatal != "":
		return NotRun, "the run ended early: " + f.Fatal
	case v.Missing > 0:
		return NotRun, fmt.Sprintf("%d of %d planned scenarios did not run", v.Missing, len(v.Scenarios))
	case untested > 0:
		return NotRun, fmt.Sprintf("%d judged rules have no scenario", untested)
	case by[NotRun] != nil:
		return NotRun, fmt.Sprintf("%q did not run: %s", by[NotRun].ID, by[NotRun].Event.Reason)
	case by[Nonconformant] != nil:
		return Nonconformant, fmt.Sprintf("%s broken", rules(v.Broken()))
	case len(v.Stale) > 0:
		return Stale, "expectations: " + v.Stale[0]
	case v.Passed+v.Expected == 0 && v.Flaky+v.Skipped > 0:
		return NotRun, "nothing passed: what was planned is flaky, skipped or not to be seen"
	case v.Passed+v.Expected == 0:
		return NotRun, "the target could show nothing of what was planned"
	}
	return Conformant, "conformant"
}

// Broken counts the rules that are broken.
func (v *Verdict) Broken() int { return v.marked(Broken) }

func rules(n int) string {
	if n == 1 {
		return "1 rule is"
	}
	return fmt.Sprintf("%d rules are", n)
}

// marked counts the rules with that mark.
func (v *Verdict) marked(m Mark) int {
	n := 0
	for i := range v.Rules {
		if v.Rules[i].Mark == m {
			n++
		}
	}
	return n
}

// failuresByExit returns the first scenario that failed unexpectedly for each
// exit code that its cause means.
func (v *Verdict) failuresByExit() map[Exit]*ScenarioVerdict {
	by := make(map[Exit]*ScenarioVerdict)
	for i := range v.Scenarios {
		s := &v.Scenarios[i]
		if !s.Failed() {
			continue
		}
		if code := s.Event.Cause.exit(); by[code] == nil {
			by[code] = s
		}
	}
	return by
}

// exit returns the code that an unexpected failure with this cause means.
func (c Cause) exit() Exit {
	switch {
	case slices.Contains([]Cause{CauseAmbiguous, CausePanic, CauseHarness}, c):
		return Fault
	case c == CauseTarget:
		return Died
	case slices.Contains([]Cause{CauseUndefined, CausePending, CauseSkipped}, c):
		return NotRun
	}
	return Nonconformant
}
