// Package verdict is the event stream of a run and what follows from it. A run
// is an append-only stream of JSON lines with a header and a footer; the
// verdict on each rule, every report and the exit code are pure functions of
// the stream. A stream without its footer is an error, so that a run that was
// cut short can never look green (KIT-14).
//
// conformance/report/events.schema.json is the stream's JSON Schema.
package verdict

import (
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

// Schema is the version of the stream's format.
const Schema = 1

// Header is a stream's first line. It says what was planned, so that what did
// not run can be told from what passed.
type Header struct {
	Type   string `json:"type"`
	Schema int    `json:"schema"`
	// Suite is the version of the suite, and Protocol the one it judges by.
	Suite    string `json:"suite"`
	Protocol string `json:"protocol"`
	// Target describes the target.
	Target Target      `json:"target"`
	Role   ledger.Role `json:"role"`
	Lane   ledger.Lane `json:"lane"`
	Seed   uint64      `json:"seed"`
	// Command is the command line that repeats the run.
	Command []string `json:"command"`
	// Started is when the run began, by the wall.
	Started time.Time `json:"started"`
	// Rules are the rules that name the role, judged or not.
	Rules []Rule `json:"rules"`
	// Plan is the Digest of everything that was selected, whatever part of it this
	// run takes.
	Plan string `json:"plan,omitempty"`
	// Shard is the part of it that this run takes, nil if it takes all of it.
	Shard *Shard `json:"shard,omitempty"`
	// Scenarios are the ones that the run has to account for.
	Scenarios []Planned `json:"scenarios"`
	// Expect are the lines of the files of expectations.
	Expect []Expectation `json:"expect,omitempty"`
}

// Target is what a header says of the target.
type Target struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Strict bool   `json:"strict"`
}

// Rule is what a header says of a rule.
type Rule struct {
	ID        string            `json:"id"`
	Level     ledger.Level      `json:"level"`
	Observers []ledger.Observer `json:"observers"`
	// Judged is false for a rule that the suite does not judge yet.
	Judged bool `json:"judged"`
	// Selected is true if the run covers the whole rule in its lane.
	Selected bool `json:"selected"`
	// Scenarios is how many scenarios the rule has, and Planned how many of them
	// the run has to account for.
	Scenarios int    `json:"scenarios"`
	Planned   int    `json:"planned"`
	Sentence  string `json:"sentence"`
}

// Planned is what a header says of a scenario.
type Planned struct {
	ID    string       `json:"id"`
	Rule  string       `json:"rule"`
	Level ledger.Level `json:"level"`
}

// Started says that a scenario began.
type Started struct {
	Type     string `json:"type"`
	Scenario string `json:"scenario"`
	Rule     string `json:"rule"`
	// Offset is the time since the run began, by the wall.
	Offset time.Duration `json:"offset_ns"`
}

// Step says that a step of a scenario did not pass.
type Step struct {
	Type     string `json:"type"`
	Scenario string `json:"scenario"`
	Rule     string `json:"rule"`
	Step     string `json:"step"`
	Cause    Cause  `json:"cause"`
	Check    string `json:"check,omitempty"`
	Reason   string `json:"reason"`
}

// Outcome is what became of a scenario.
type Outcome string

// The outcomes. A scenario that is none of them did not run.
const (
	Passed Outcome = "passed"
	// Allowed: it passed by what a seed permits beside our decision.
	Allowed Outcome = "allowed"
	Failed  Outcome = "failed"
	// Unobservable: this target cannot show it.
	Unobservable Outcome = "unobservable"
	// Skipped: a line of a file says that it is not to run, and why.
	Skipped Outcome = "skipped"
)

// Cause says why a scenario failed.
type Cause string

// The causes. Rule names the ones that speak about the target's behaviour.
const (
	// CauseCheck: an assertion of the rule, named by the event's check.
	CauseCheck Cause = "check"
	// CauseUnexpected: a step could not do what it had to.
	CauseUnexpected Cause = "unexpected"
	// CauseLeak: goroutines were left behind, or the scenario waited for ever.
	CauseLeak Cause = "leak"
	// CauseHang: the scenario did not end in the time that it had.
	CauseHang Cause = "hang"
	// CauseTarget: the target did not start, died, or did not end properly.
	CauseTarget Cause = "target"
	// CauseUndefined, CausePending, CauseSkipped: a step was not there, was not
	// written yet, or skipped the scenario. Such a scenario did not run.
	CauseUndefined Cause = "undefined"
	CausePending   Cause = "pending"
	CauseSkipped   Cause = "skipped"
	// CauseAmbiguous, CausePanic, CauseHarness: the suite itself is at fault.
	CauseAmbiguous Cause = "ambiguous"
	CausePanic     Cause = "panic"
	CauseHarness   Cause = "harness"
)

// Finished says what became of a scenario.
type Finished struct {
	Type     string       `json:"type"`
	Scenario string       `json:"scenario"`
	Rule     string       `json:"rule"`
	Level    ledger.Level `json:"level"`
	Lane     ledger.Lane  `json:"lane"`
	Outcome  Outcome      `json:"verdict"`
	// Cause, Check, Step and Reason say why it failed; Reason also says what is
	// unobservable, or why it was skipped.
	Cause  Cause  `json:"cause,omitempty"`
	Check  string `json:"check,omitempty"`
	Step   string `json:"step,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Allowed are the allowances that it passed by.
	Allowed []string `json:"allowed,omitempty"`
	// Offset and Took are by the wall; Elapsed is the lane's time.
	Offset  time.Duration `json:"offset_ns"`
	Took    time.Duration `json:"took_ns"`
	Elapsed time.Duration `json:"elapsed_ns"`
	// Transcript is what the actors of a scenario that failed said.
	Transcript []world.Line `json:"transcript,omitempty"`
}

// Footer is a stream's last line.
type Footer struct {
	Type string `json:"type"`
	// Planned, Started and Finished count scenarios; so do the others, which
	// divide Finished.
	Planned      int           `json:"planned"`
	Started      int           `json:"started"`
	Finished     int           `json:"finished"`
	Passed       int           `json:"passed"`
	Allowed      int           `json:"allowed"`
	Failed       int           `json:"failed"`
	Unobservable int           `json:"unobservable"`
	Skipped      int           `json:"skipped"`
	Took         time.Duration `json:"took_ns"`
	// Fatal says why the run ended before its end, if it did.
	Fatal string `json:"fatal,omitempty"`
	// Cause is CauseTarget or CauseHarness if Fatal is set.
	Cause Cause `json:"cause,omitempty"`
}

// Event is *Header, *Started, *Step, *Finished or *Footer.
type Event interface{ kind() string }

func (*Header) kind() string   { return "header" }
func (*Started) kind() string  { return "started" }
func (*Step) kind() string     { return "step" }
func (*Finished) kind() string { return "finished" }
func (*Footer) kind() string   { return "footer" }
