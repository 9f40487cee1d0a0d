package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Version is the version of the suite.
const Version = "0.1.0"

// Run is one run of the suite: a part of the plan against one target in one
// lane.
type Run struct {
	// Plan and Selection say what is to run. The selection's lane is that of Lane.
	Plan      *plan.Plan
	Selection plan.Selection
	// Target is the daemon under test, Lane how time passes.
	Target target.Target
	Lane   lane.Lane
	// Register says what the sentences mean. It is called for every scenario with
	// a world of its own.
	Register func(*godog.ScenarioContext, *world.World)
	// Seed decides every chance.
	Seed uint64
	// Jobs is how many scenarios run at a time, 1 if it is 0. In the real lane
	// those that wait all run beside them, unless the target is serial.
	Jobs int
	// Expect are the lines of the files of expectations.
	Expect []verdict.Expectation
	// Shard is the part of the selection that is to run, all of it if it is nil.
	Shard *verdict.Shard
	// Command is the command line that repeats the run, for its header.
	Command []string
	// Out, if set, gets the event stream line by line as it happens.
	Out io.Writer
	// Progress, if set, is called after each scenario that ended. It must not
	// block.
	Progress func(done, planned int)
	// Patience is how long a scenario may take by the wall in the virtual lane, 5
	// minutes if it is 0. One that takes longer has stopped its bubble's clock.
	Patience time.Duration
	// Scratch is where scenarios have their directories; "" means the system's
	// directory for temporary files.
	Scratch string

	mu     sync.Mutex
	stream verdict.Stream
	began  time.Time
	broken error
}

// Do runs what is selected and returns the stream, footer included, also when
// ctx ends in the middle. The error is one of the suite's user: a selection
// that matches nothing, or a stream that cannot be written.
func (r *Run) Do(ctx context.Context) (*verdict.Stream, error) {
	all, err := r.selected()
	if err != nil {
		return nil, err
	}
	chosen, err := r.part(all)
	if err != nil {
		return nil, err
	}
	r.began = time.Now()
	header := r.header(chosen)
	header.Plan, header.Shard = verdict.Digest(ids(all)), r.Shard
	r.emit(header)
	footer := &verdict.Footer{}
	if len(chosen) > 0 {
		if cause, err := r.probe(); err != nil {
			footer.Fatal, footer.Cause = err.Error(), cause
		} else {
			r.all(ctx, chosen)
		}
	}
	if ctx.Err() != nil && footer.Fatal == "" {
		footer.Fatal = "interrupted: " + context.Cause(ctx).Error()
	}
	r.stream.Count(footer)
	footer.Took = time.Since(r.began)
	r.emit(footer)
	if r.broken != nil {
		return nil, r.broken
	}
	return &r.stream, nil
}

// emit appends an event to the stream.
func (r *Run) emit(e verdict.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.stream.Add(e)
	if r.Out != nil {
		err = errors.Join(err, verdict.Write(r.Out, e))
	}
	if err != nil && r.broken == nil {
		r.broken = err
	}
}

func (r *Run) header(chosen []*plan.Scenario) *verdict.Header {
	info := r.Target.Info()
	h := &verdict.Header{
		Schema: verdict.Schema, Suite: Version, Protocol: protocol.Version,
		Target: verdict.Target{Kind: info.Kind, Name: info.Name, Strict: info.Strict},
		Role:   r.Selection.Role, Lane: r.Lane.Name(), Seed: r.Seed, Command: r.Command,
		Started: r.began.UTC().Truncate(time.Millisecond),
		Rules:   []verdict.Rule{}, Scenarios: []verdict.Planned{},
	}
	if h.Command == nil {
		h.Command = []string{}
	}
	planned := make(map[string]int)
	for _, s := range chosen {
		planned[s.Rule.ID]++
		planned[s.ID]++
		h.Scenarios = append(h.Scenarios, verdict.Planned{ID: s.ID, Rule: s.Rule.ID, Level: s.Level})
	}
	role := r.Selection.Role
	for _, rule := range r.Plan.Ledger.For(role) {
		h.Rules = append(h.Rules, verdict.Rule{
			ID: rule.ID, Level: rule.Level, Observers: rule.Observers, Sentence: rule.Sentence,
			Judged: rule.JudgedFor(role), Selected: r.Selection.Covers(rule),
			Scenarios: len(r.Plan.For(rule.ID, role)), Planned: planned[rule.ID],
		})
	}
	h.Expect = append(h.Expect, r.Expect...)
	verdict.Resolve(h.Expect, r.known, func(name string) bool { return planned[name] > 0 })
	return h
}

// known reports whether a name is a rule that is judged, or one of its
// scenarios.
func (r *Run) known(name string) bool {
	if rule, ok := r.Plan.Ledger.Rule(name); ok {
		return rule.JudgedFor(r.Selection.Role)
	}
	s, ok := r.Plan.Scenario(name)
	return ok && s.Judges(r.Selection.Role)
}

// all runs the scenarios: those that wait in the real lane all at once, the
// others a few at a time, and one after the other where the target is shared.
func (r *Run) all(ctx context.Context, chosen []*plan.Scenario) {
	var together, queued []*plan.Scenario
	serial := r.Target.Info().Serial
	for _, s := range chosen {
		if s.Waits() && r.Lane.Name() == ledger.Real && !serial {
			together = append(together, s)
		} else {
			queued = append(queued, s)
		}
	}
	jobs := max(1, r.Jobs)
	if serial {
		jobs = 1
	}
	var running sync.WaitGroup
	for _, s := range together {
		running.Go(func() { r.one(ctx, s) })
	}
	next := make(chan *plan.Scenario)
	for range jobs {
		running.Go(func() {
			for s := range next {
				r.one(ctx, s)
			}
		})
	}
	for _, s := range queued {
		if ctx.Err() != nil {
			break
		}
		next <- s
	}
	close(next)
	running.Wait()
}

// Expected returns how long a run of the scenarios takes at least, by the time
// that they let pass.
func Expected(chosen []*plan.Scenario, l ledger.Lane, serial bool) time.Duration {
	var sum, longest time.Duration
	for _, s := range chosen {
		sum += s.Wait
		longest = max(longest, s.Wait)
	}
	switch {
	case l == ledger.Virtual:
		return 0
	case serial:
		return sum
	}
	return longest
}

// probe starts the target once, so that a target that does not come up is told
// from one that breaks rules. It returns whose fault it is that the run cannot
// go on.
func (r *Run) probe() (verdict.Cause, error) {
	scratch, err := r.scratch()
	if err != nil {
		return verdict.CauseHarness, err
	}
	defer scratch.remove()
	var failed error
	ran := r.Lane.Run(startTime, func(c lane.Clock, n target.Network) {
		ctx, cancel := context.WithTimeout(context.Background(), startTime)
		defer cancel()
		failed = start(ctx, r.Target, scratch.dir, n)
		drain(c)
	})
	if ran != nil {
		return verdict.CauseTarget, fmt.Errorf("start the target: %w", ran)
	}
	return verdict.CauseTarget, withOutput(failed)
}

// start starts a target once and ends it again.
func start(ctx context.Context, t target.Target, scratch string, n target.Network) error {
	if e, ok := t.(target.Extension); ok {
		// Nobody listens there: it must come up all the same.
		ln, err := n.Listen(ctx, "127.0.0.1:0")
		if err != nil {
			return err
		}
		if err := ln.Close(); err != nil {
			return err
		}
		b, err := e.Open(ctx, target.BrowserSetup{Scratch: scratch, Network: n, Addr: ln.Addr().String(), Token: "none"})
		if err != nil {
			return err
		}
		return b.Release(ctx)
	}
	if c, ok := t.(target.Client); ok {
		// It is asked for nothing, so nobody need listen there.
		d, err := c.Launch(ctx, target.ClientSetup{Scratch: scratch, Network: n, URL: "http://" + protocol.DefaultAddr, Token: "none"})
		if err != nil {
			return err
		}
		return d.Release(ctx)
	}
	i, err := t.Start(ctx, target.Setup{Scratch: scratch, Network: n})
	if err != nil {
		return err
	}
	return i.Release(ctx)
}

// lastLines is how much of a dead daemon's output stands in the reason.
const lastLines = 10

// withOutput adds to the error of a daemon that did not come up what it last
// said.
func withOutput(err error) error {
	notUp, ok := errors.AsType[*target.StartError](err)
	if !ok {
		return err
	}
	said := strings.Split(strings.TrimSpace(notUp.Output), "\n")
	said = said[max(0, len(said)-lastLines):]
	if text := strings.TrimSpace(strings.Join(said, "\n")); text != "" {
		return fmt.Errorf("%w; it said: %s", err, world.Redact(text))
	}
	return err
}
