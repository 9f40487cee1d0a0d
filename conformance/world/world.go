// Package world is what the steps of one scenario stand on: the daemon under
// test, the clock of the lane, a seeded source of chance, a scratch directory,
// the transcript and the count of starts. A World belongs to one scenario; its
// methods may be called from several goroutines.
//
// AUTHORS.md in the folder above shows how a step uses it.
package world

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
)

// Options are what a World is made of. All fields are required.
type Options struct {
	Scenario *plan.Scenario
	Target   target.Target
	Clock    lane.Clock
	Network  target.Network
	// Scratch is a directory of the scenario's own. Who made it removes it.
	Scratch string
	// Seed is the run's seed.
	Seed uint64
}

// World is what the steps of one scenario stand on.
type World struct {
	// Scenario is the scenario that runs.
	Scenario *plan.Scenario
	// Clock is time in this lane.
	Clock lane.Clock
	// Transcript records what the scenario's actors said. It is attached to a
	// failure, with tokens and codes removed.
	Transcript *Transcript
	// Honesty counts the starts of commands in browsers (KIT-10).
	Honesty *Honesty
	// Seed is the run's seed.
	Seed uint64

	target  target.Target
	network target.Network
	scratch string
	began   time.Time

	mu        sync.Mutex
	rand      *rand.Rand
	main      *Daemon
	daemons   []*Daemon
	browsers  []target.Browser
	clients   []target.Driven
	cleanups  []func() error
	allowed   []string
	names     int
	setupMain target.Setup
}

// New returns the world of one scenario. Its owner calls Close at the end.
func New(o Options) *World {
	began := o.Clock.Now()
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(o.Scenario.ID))
	return &World{
		Scenario:   o.Scenario,
		Clock:      o.Clock,
		Transcript: newTranscript(o.Clock, began),
		Honesty:    &Honesty{},
		Seed:       o.Seed,
		target:     o.Target,
		network:    o.Network,
		scratch:    o.Scratch,
		began:      began,
		rand:       rand.New(rand.NewPCG(o.Seed, seed.Sum64())),
	}
}

// Rand calls f with the scenario's source of chance, which depends on the
// run's seed and the scenario's id alone.
func (w *World) Rand(f func(*rand.Rand)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(w.rand)
}

// Target describes the target.
func (w *World) Target() target.Info { return w.target.Info() }

// Source returns the directory of the daemon's source, for rules that a check
// of the source shows.
func (w *World) Source() (string, error) {
	if dir := w.target.Info().Source; dir != "" {
		return dir, nil
	}
	return "", target.Hidden("the source of %s is not at hand", w.target.Info().Name)
}

// Elapsed is the time since the scenario began, in the lane's time.
func (w *World) Elapsed() time.Duration { return w.Clock.Since(w.began) }

// Dir makes and returns a new empty directory, mode 0700, of that name or a
// similar one.
func (w *World) Dir(name string) (string, error) {
	w.mu.Lock()
	w.names++
	n := w.names
	w.mu.Unlock()
	dir := filepath.Join(w.scratch, fmt.Sprintf("%s-%d", name, n))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a scratch directory: %w", err)
	}
	return dir, nil
}

// Cleanup has f called at the end of the scenario, the last one first, before
// the daemons are stopped. An error of f fails a scenario that would have
// passed. Whatever opens a connection or starts a goroutine gives the end of
// it to Cleanup.
func (w *World) Cleanup(f func() error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cleanups = append(w.cleanups, f)
}

// Setup changes how Daemon will start the scenario's daemon. It is an error
// after that.
func (w *World) Setup(change func(*target.Setup)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.main != nil {
		return errors.New("the daemon has been started before its setup was said")
	}
	change(&w.setupMain)
	return nil
}

// Daemon returns the scenario's daemon and starts it at the first call, which
// must not be made from two goroutines at a time.
func (w *World) Daemon(ctx context.Context) (*Daemon, error) {
	w.mu.Lock()
	d, setup := w.main, w.setupMain
	w.mu.Unlock()
	if d != nil {
		return d, nil
	}
	d, err := w.Start(ctx, setup)
	if err != nil {
		return nil, &died{err}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.main = d
	return d, nil
}

// Start starts another daemon, for scenarios about starting itself: what does
// not come up is a *target.StartError, which the scenario may expect. Scratch
// and Network are filled in. The daemon is stopped at the end of the scenario.
func (w *World) Start(ctx context.Context, setup target.Setup) (*Daemon, error) {
	dir, err := w.Dir("daemon")
	if err != nil {
		return nil, err
	}
	setup.Scratch, setup.Network = dir, w.network
	i, err := w.target.Start(ctx, setup)
	if err != nil {
		return nil, err
	}
	d := &Daemon{Instance: i, w: w}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.daemons = append(w.daemons, d)
	return d, nil
}

// Allow says that the daemon did what a seed permits beside our decision, by
// the name of the allowance in the ledger's row of the scenario's rule. A
// stranger passes with it and the report names it; a strict target fails, and
// so does an allowance that the ledger does not have.
func (w *World) Allow(name, format string, a ...any) error {
	if _, ok := w.Scenario.Rule.Allows(name); !ok {
		return w.Fail("not-allowed", "%s; the ledger has no allowance %q for it", fmt.Sprintf(format, a...), name)
	}
	if w.target.Info().Strict {
		return w.Fail("only-allowed", "%s; that is allowed to strangers (%s), not to this target", fmt.Sprintf(format, a...), name)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.allowed, name) {
		w.allowed = append(w.allowed, name)
	}
	return nil
}

// Allowed returns the allowances that were claimed.
func (w *World) Allowed() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.allowed)
}

// Died returns why one of the scenario's daemons, browsers or clients ended
// without being asked to, or nil.
func (w *World) Died() error {
	w.mu.Lock()
	daemons, browsers, clients := slices.Clone(w.daemons), slices.Clone(w.browsers), slices.Clone(w.clients)
	w.mu.Unlock()
	for _, d := range daemons {
		if err := d.Died(); err != nil {
			return err
		}
	}
	for _, b := range browsers {
		if err := b.Died(); err != nil {
			return err
		}
	}
	for _, c := range clients {
		if err := c.Died(); err != nil {
			return err
		}
	}
	return nil
}

// Close ends everything that the scenario began: the cleanups, the last first,
// then the daemons. It returns what went wrong with the cleanups, and with the
// daemons' ends.
func (w *World) Close(ctx context.Context) (cleanup, stop error) {
	for {
		w.mu.Lock()
		n := len(w.cleanups)
		if n == 0 {
			w.mu.Unlock()
			break
		}
		f := w.cleanups[n-1]
		w.cleanups = w.cleanups[:n-1]
		w.mu.Unlock()
		cleanup = errors.Join(cleanup, f())
	}
	w.mu.Lock()
	daemons := slices.Clone(w.daemons)
	w.mu.Unlock()
	for _, d := range slices.Backward(daemons) {
		stop = errors.Join(stop, d.Release(ctx))
	}
	return cleanup, stop
}
