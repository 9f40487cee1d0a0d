package mutants

import (
	"context"
	"fmt"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Laboratory tries mutants. All fields but Rules, Role and Progress are required.
type Laboratory struct {
	Plan     *plan.Plan
	Register func(*godog.ScenarioContext, *world.World)
	// InProcess returns the daemon as a target, with these limits.
	InProcess func(protocol.Limits) target.Target
	// Virtual is the lane in which limits and silly daemons are tried.
	Virtual lane.Lane
	// Root is the directory of the module's source, Suite the suite's own binary.
	Root, Suite string
	// Scratch is where mutants are built.
	Scratch string
	Seed    uint64
	// Jobs is how many mutants are tried at a time.
	Jobs int
	// Rules are patterns of the rules whose mutants are tried; none means all. Role
	// keeps the mutants of one role alone, unless it is empty.
	Rules []string
	Role  ledger.Role
	// Own runs the scenarios of each mutant's own rule alone: quicker, and blind
	// for false kills.
	Own bool
	// EveryRow runs every row of the other rules' outlines.
	EveryRow bool
	// Progress, if set, is called after each trial, from one goroutine at a time.
	Progress func(t *Trial, done, of int)
}

// Do tries the whole catalogue, or the part of it that is asked for.
func (l *Laboratory) Do(ctx context.Context) (*Matrix, error) {
	all, err := Catalogue()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(m Mutant) bool { return !l.wanted(m.Role, m.Rule) })
	silly := l.silly()
	if len(all) == 0 {
		return nil, fmt.Errorf("no mutant of %v in the role %q", l.Rules, l.Role)
	}
	matrix := &Matrix{Rules: l.rules(), Trials: make([]Trial, len(all)), Silly: make([]SillyTrial, len(silly))}
	jobs := make(chan func())
	var workers sync.WaitGroup
	for range max(1, l.Jobs) {
		workers.Go(func() {
			for job := range jobs {
				job()
			}
		})
	}
	var mu sync.Mutex
	done := 0
	for i, m := range all {
		if ctx.Err() != nil {
			break
		}
		jobs <- func() {
			t := l.try(ctx, m)
			mu.Lock()
			defer mu.Unlock()
			matrix.Trials[i] = t
			done++
			if l.Progress != nil {
				l.Progress(&t, done, len(all))
			}
		}
	}
	for i, s := range silly {
		if ctx.Err() != nil {
			break
		}
		jobs <- func() { matrix.Silly[i] = l.trySilly(ctx, s, matrix.Rules) }
	}
	close(jobs)
	workers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return matrix, nil
}

func (l *Laboratory) wanted(role ledger.Role, rule string) bool {
	if l.Role != "" && l.Role != role {
		return false
	}
	return len(l.Rules) == 0 || slices.ContainsFunc(l.Rules, func(p string) bool {
		ok, err := path.Match(p, rule)
		return err == nil && ok
	})
}

// rules returns the rules that must have a mutant, once for each role that is
// judged by them.
func (l *Laboratory) rules() []Judged {
	var all []Judged
	for _, role := range roles {
		for _, r := range l.Plan.Ledger.For(role) {
			if r.JudgedFor(role) && l.wanted(role, r.ID) {
				all = append(all, Judged{role, r.ID})
			}
		}
	}
	return all
}

// Roles returns the roles that have mutants.
func Roles() []ledger.Role { return slices.Clone(roles) }

var roles = []ledger.Role{ledger.Daemon, ledger.Extension, ledger.Client, ledger.Sim}

func (l *Laboratory) try(ctx context.Context, m Mutant) Trial {
	t := Trial{Name: m.Name, Role: m.Role, Rule: m.Rule, Breaks: m.Breaks, Lane: m.Lane, Killed: []string{}, Strays: []string{}}
	began := time.Now()
	var stream *verdict.Stream
	var err error
	switch {
	case m.Limit != nil:
		stream, err = l.limited(ctx, m)
	case m.Simulated != nil:
		stream, err = l.simulated(ctx, m)
	default:
		stream, err = l.patched(ctx, m)
	}
	switch {
	case err != nil:
		t.Error = err.Error()
	case stream.Footer == nil || stream.Footer.Fatal != "":
		t.Error = "the run did not reach its end"
	default:
		t.judge(m, stream)
	}
	t.Took = time.Since(began)
	return t
}

// victims returns the ids of the scenarios of its role that a mutant meets: all of its own
// rule, and those of the others, where of the rows of one outline the first
// stands for all unless EveryRow is set. Heavy scenarios meet the
// mutants of their own rule alone, since the matrix would take ten times as long.
func (l *Laboratory) victims(m Mutant) []string {
	var ids []string
	for i := range l.Plan.Scenarios {
		s := &l.Plan.Scenarios[i]
		own := s.Rule.ID == m.Rule
		switch {
		case !s.Judges(m.Role), !own && (l.Own || s.Heavy):
		case own, l.EveryRow, s.Row <= 1:
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// limited lets the suite judge a daemon with a limit that is off: in virtual
// time, and what is too large for that in real time.
func (l *Laboratory) limited(ctx context.Context, m Mutant) (*verdict.Stream, error) {
	daemon := l.InProcess(m.Limit.Apply())
	stream, err := l.run(ctx, m.Role, l.Virtual, daemon, l.victims(m))
	if err != nil || !slices.ContainsFunc(l.Plan.For(m.Rule, m.Role), func(s *plan.Scenario) bool { return !s.In(ledger.Virtual) && !s.Waits() }) {
		return stream, err
	}
	more, err := l.run(ctx, m.Role, lane.NewReal(), daemon, l.own(m))
	if err != nil {
		return nil, err
	}
	stream.Finished = append(stream.Finished, more.Finished...)
	return stream, nil
}

// own returns the ids of the scenarios of a mutant's own rule.
func (l *Laboratory) own(m Mutant) []string {
	var ids []string
	for _, s := range l.Plan.For(m.Rule, m.Role) {
		ids = append(ids, s.ID)
	}
	return ids
}

// run lets the suite judge a target in this process.
func (l *Laboratory) run(ctx context.Context, role ledger.Role, in lane.Lane, of target.Target, scenarios []string) (*verdict.Stream, error) {
	r := conformance.Run{
		Plan: l.Plan, Selection: plan.Selection{Role: role, Scenarios: scenarios, Waits: waitsIn(in)},
		Target: of, Lane: in, Register: l.Register, Seed: l.Seed, Jobs: 1, Scratch: l.Scratch,
	}
	return r.Do(ctx)
}

// waitsIn keeps scenarios that wait out of real time.
func waitsIn(l lane.Lane) plan.Waits {
	if l.Name() == ledger.Real {
		return plan.WaitsNo
	}
	return plan.WaitsAll
}
