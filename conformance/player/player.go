// Package player plays tapes: it starts a daemon, puts the browsers and agents
// of the tape before it, has them do line after line what the tape says, and
// judges every expectation, each by its line. In the virtual lane a tape is
// instant, whatever time it lets pass, and what it says about time is exact; in
// the real lane the same tape runs over TCP against the same daemon, a built one
// or one that runs already (KIT-03, KIT-04, KIT-08).
package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Options say where a tape is played. Lane and Target are required.
type Options struct {
	// Lane is how time passes, Target the daemon.
	Lane   lane.Lane
	Target target.Target
	// Seed replaces the tape's if it is not nil.
	Seed *uint64
	// Scratch is where the daemon has its directory; "" means the system's
	// directory for temporary files, or one in memory for the virtual lane.
	Scratch string
	// Observe, if set, gets every event when it happens, which may be in another
	// order than the transcript's for those of one instant. It must not wait.
	Observe func(Event)
	// Lenient plays on behind a line that fails, to the tape's end.
	Lenient bool
	// Patience is how long the tape may take by the wall in the virtual lane, 1
	// minute if it is 0. One that takes longer has stopped its bubble's clock. In
	// the real lane it is added to the time that the tape lets pass.
	Patience time.Duration
}

const (
	usualPatience = time.Minute
	// stopTime is how long the end of a tape may take.
	stopTime = 20 * time.Second
	// lingerTime outlasts what lingers in a bubble when all is done: net/http
	// keeps a connection for half a second after an early refusal.
	lingerTime = 2 * time.Second
)

// Play plays a tape from its beginning to its end, or to the first line that
// fails, against a daemon of its own. What became of each line is in the
// transcript. The error says that the tape could not be played at all: no daemon
// came up (*target.StartError), or it cannot do what the tape asks of it
// (*target.Unobservable). ctx ends a play in the real lane; a virtual one is
// over before anybody could.
func Play(ctx context.Context, t *tape.Tape, o Options) (*Transcript, error) {
	scratch, err := os.MkdirTemp(o.scratch(), "omw-tape-")
	if err != nil {
		return nil, fmt.Errorf("make room for the daemon: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	patience := cmp.Or(o.Patience, usualPatience)
	if o.Lane.Name() != ledger.Virtual {
		patience += stopTime + longest(t)
	}
	var out *Transcript
	var failed error
	ran := o.Lane.Run(patience, func(c lane.Clock, n target.Network) {
		within := ctx
		if c.Exact() {
			// ctx was made outside the bubble; cancelling it must not reach in.
			within = context.Background()
		}
		out, failed = perform(within, t, o, scratch, c, n)
		if c.Exact() {
			_ = c.Elapse(within, lingerTime)
		}
	})
	if ran != nil {
		return nil, fmt.Errorf("play %s: %w", t.Name, ran)
	}
	if out != nil {
		out.Lane = o.Lane.Name()
	}
	return out, failed
}

// scratch is where the daemon of a play has its directory. What is kept for a
// play alone need not reach a disk: where the system has a file system in memory,
// a play takes a fifth of the time.
func (o *Options) scratch() string {
	if o.Scratch != "" || o.Lane.Name() != ledger.Virtual {
		return o.Scratch
	}
	if info, err := os.Stat(inMemory); err == nil && info.IsDir() {
		return inMemory
	}
	return ""
}

const inMemory = "/dev/shm"

// perform starts the daemon, plays the tape before it and stops it.
func perform(ctx context.Context, t *tape.Tape, o Options, scratch string, c lane.Clock, n target.Network) (*Transcript, error) {
	d, err := o.Target.Start(ctx, target.Setup{Scratch: scratch, Network: n})
	if err != nil {
		return nil, err
	}
	out, err := Perform(ctx, t, Stage{Clock: c, Daemon: d, Seed: o.Seed, Observe: o.Observe, Lenient: o.Lenient})
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if stop := d.Release(closing); stop != nil && err == nil {
		err = fmt.Errorf("end the daemon: %w", stop)
	}
	return out, err
}

// longest is the most time that a tape lets pass by what it says itself.
func longest(t *tape.Tape) time.Duration {
	var sum time.Duration
	for i := range t.Lines {
		l := &t.Lines[i]
		sum += l.Wait
		for _, key := range []string{"within", "for", "after", "at", "took"} {
			if d, ok := l.Duration(key); ok {
				sum += d
			}
		}
		if l.Acts() {
			sum += usualWithin
		}
	}
	return sum
}

// Stage is where a tape is performed: a daemon that is there, and a clock. Clock
// and Daemon are required.
type Stage struct {
	Clock  lane.Clock
	Daemon target.Instance
	// Seed, Observe and Lenient are those of Options.
	Seed    *uint64
	Observe func(Event)
	Lenient bool
}

// Perform plays a tape before a daemon that somebody else started, who also
// stops it. In the virtual lane it is called inside a bubble. Everything that
// the tape began has ended when it returns.
func Perform(ctx context.Context, t *tape.Tape, s Stage) (*Transcript, error) {
	token, err := s.Daemon.Token(ctx)
	if err != nil {
		return nil, err
	}
	p := newPlay(t, s, token)
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	err = p.lines()
	p.curtain()
	p.end()
	return p.transcript(), err
}

// errOver is the cause of the end of what a tape began.
var errOver = errors.New("the tape is over")

// play is one performance.
type play struct {
	t      *tape.Tape
	stage  Stage
	seed   uint64
	token  string
	began  time.Time
	ctx    context.Context
	cancel context.CancelCauseFunc
	// work is everything that the tape began.
	work sync.WaitGroup
	// noAgent: nobody of the tape sends requests, so that browsers name them.
	noAgent bool
	// nominal is the time that the tape's lines say it is. In the real lane the
	// clock is ahead of it.
	nominal time.Duration

	mu       sync.Mutex
	changed  chan struct{}
	events   []Event
	checks   []Check
	requests []*request
	byID     map[string]*request
	browsers map[string]*browser
	order    []*browser
	honesty  honesty
	// known are the daemon's ids with what stands for them in the transcript.
	known []string
	line  int
	// rests counts the moments at which everything had come to rest.
	rests int
	// over: the tape has come to its end, at that time; broken is what does not
	// hold then.
	over   bool
	overAt time.Duration
	broken []string
}

func newPlay(t *tape.Tape, s Stage, token string) *play {
	p := &play{
		t: t, stage: s, seed: t.Seed, token: token, began: s.Clock.Now(), changed: make(chan struct{}),
		byID: map[string]*request{}, browsers: map[string]*browser{}, noAgent: true,
	}
	if s.Seed != nil {
		p.seed = *s.Seed
	}
	for _, actor := range t.Actors() {
		if tape.RoleOf(actor) == tape.Agent {
			p.noAgent = false
		}
	}
	return p
}

// lines does line after line, up to the first one that fails. The error is a
// *target.Unobservable or the end of ctx.
func (p *play) lines() error {
	for i := range p.t.Lines {
		l := &p.t.Lines[i]
		if l.Wait == 0 && !l.Acts() {
			continue
		}
		if p.failed() && !p.stage.Lenient {
			p.check(l, NotReached, "")
			continue
		}
		p.mu.Lock()
		p.line = l.N
		p.mu.Unlock()
		err := p.do(l)
		switch {
		case p.ctx.Err() != nil:
			return context.Cause(p.ctx)
		case err == nil:
			p.check(l, Held, "")
		default:
			if hidden, ok := target.IsUnobservable(err); ok {
				return fmt.Errorf("%s:%d: %w", p.t.Name, l.N, hidden)
			}
			p.check(l, Failed, err.Error())
		}
	}
	return nil
}

// do does one line.
func (p *play) do(l *tape.Line) error {
	if l.Wait > 0 {
		p.nominal += l.Wait
		return p.stage.Clock.Elapse(p.ctx, l.Wait)
	}
	var err error
	switch tape.RoleOf(l.Actor) {
	case tape.Agent:
		err = p.agent(l)
	case tape.Browser:
		err = p.browser(l)
	default:
		err = p.daemon(l)
	}
	p.rest()
	return err
}

// rest lets everything that a line set off come to rest, where that can be seen.
func (p *play) rest() {
	if p.stage.Clock.Exact() {
		p.stage.Clock.Settle()
		p.mu.Lock()
		p.rests++
		p.mu.Unlock()
	}
}

// curtain judges what holds in every tape.
func (p *play) curtain() {
	p.mu.Lock()
	p.over, p.overAt = true, p.stage.Clock.Since(p.began)
	p.mu.Unlock()
	p.outlast()
	p.broken = p.invariants()
	if s := p.slots(); s != "" {
		p.broken = append(p.broken, s)
	}
}

// end ends everything that the tape began.
func (p *play) end() {
	p.mu.Lock()
	requests, order := p.requests, p.order
	p.mu.Unlock()
	p.cancel(errOver)
	for _, r := range requests {
		if r.call != nil {
			_ = r.call.Close()
		}
	}
	for _, b := range order {
		_ = b.sim.Close()
	}
	p.work.Wait()
}

// elapsed is the time since the tape began.
func (p *play) elapsed() time.Duration { return p.stage.Clock.Since(p.began) }
