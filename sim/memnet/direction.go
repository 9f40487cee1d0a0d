package memnet

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// Move is a Read or a Write.
type Move func(p []byte) (int, error)

// errChanged ends a Wait because the faults have been replaced.
var errChanged = errors.New("the faults were replaced")

// Direction is one direction of a Faulty, as its faults see it.
type Direction struct {
	owner   *Faulty
	reading bool
	bottom  Move
	within  func(time.Time) error

	// turn serialises moves: a Write stays in one piece, whatever a fault makes of it.
	turn chan struct{}

	mu sync.Mutex
	// idle is signalled when a move has ended; moving says that one is under
	// way, since the version under.
	idle     sync.Cond
	moving   bool
	under    int
	chain    Move
	paused   bool
	version  int
	deadline time.Time
	// cut: an impossible deadline interrupts the connection and is to be replaced.
	cut     bool
	changed chan struct{}
	closed  bool
	// kept is what a fault has read and not yet let through.
	kept []byte
}

func newDirection(owner *Faulty, bottom Move, within func(time.Time) error) *Direction {
	d := &Direction{
		owner: owner, bottom: bottom, within: within, chain: bottom,
		turn: make(chan struct{}, 1), changed: make(chan struct{}),
	}
	d.idle.L = &d.mu
	return d
}

// Reading reports whether bytes come in here, else they go out.
func (d *Direction) Reading() bool { return d.reading }

// Close closes the whole connection.
func (d *Direction) Close() error { return d.owner.Close() }

// Reset resets the whole connection.
func (d *Direction) Reset() error { return d.owner.Reset() }

// Forever makes Wait wait until something else ends it.
const Forever time.Duration = -1

// Wait returns nil after wait. It ends sooner with net.ErrClosed, with
// os.ErrDeadlineExceeded at the move's deadline, or when the faults are
// replaced; a fault returns these errors as they are. It is called within a
// move alone.
func (d *Direction) Wait(wait time.Duration) error {
	var over <-chan time.Time
	if wait >= 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		over = t.C
	}
	for {
		d.mu.Lock()
		// Replaced since the move began, not since this wait did.
		changed, deadline, closed, stale := d.changed, d.deadline, d.closed, d.version != d.under
		d.mu.Unlock()
		switch {
		case closed:
			return net.ErrClosed
		case stale:
			return errChanged
		}
		err := waitUntil(deadline, over, changed)
		if err != errAgain {
			return err
		}
	}
}

var errAgain = errors.New("look again")

func waitUntil(deadline time.Time, over <-chan time.Time, changed <-chan struct{}) error {
	var late <-chan time.Time
	if !deadline.IsZero() {
		t := time.NewTimer(time.Until(deadline))
		defer t.Stop()
		late = t.C
	}
	select {
	case <-over:
		return nil
	case <-late:
		return os.ErrDeadlineExceeded
	case <-changed:
		return errAgain
	}
}

// Keep takes back what a fault has read and cannot let through now; the next
// Read begins with it.
func (d *Direction) Keep(p []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept = append(append([]byte(nil), p...), d.kept...)
}

// move runs p through the faults, again whenever they are replaced meanwhile.
func (d *Direction) move(p []byte) (int, error) {
	d.turn <- struct{}{}
	defer func() { <-d.turn }()
	done := 0
	for {
		chain, version := d.begin()
		n, err := chain(p[done:])
		d.finish()
		done += n
		if !d.again(version, err) || (d.reading && n > 0) {
			return done, err
		}
		if done == len(p) && n > 0 {
			return done, nil
		}
	}
}

// begin gives the connection its own deadline back and returns the chain of now.
func (d *Direction) begin() (Move, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cut {
		d.cut = false
		_ = d.within(d.deadline)
	}
	d.moving, d.under = true, d.version
	if d.paused {
		return func([]byte) (int, error) { return 0, d.Wait(Forever) }, d.version
	}
	return d.chain, d.version
}

func (d *Direction) finish() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.moving = false
	d.idle.Broadcast()
}

// again reports whether err only says that the faults were replaced after version.
func (d *Direction) again(version int, err error) bool {
	if !errors.Is(err, os.ErrDeadlineExceeded) && err != errChanged {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.version != version && !d.closed
}

// plain is the connection's own move, behind what was kept.
func (d *Direction) plain(p []byte) (int, error) {
	d.mu.Lock()
	n := copy(p, d.kept)
	d.kept = d.kept[n:]
	d.mu.Unlock()
	if n > 0 {
		return n, nil
	}
	return d.bottom(p)
}

func (d *Direction) replace(faults []Fault) {
	chain := Move(d.plain)
	for i := len(faults) - 1; i >= 0; i-- {
		chain = faults[i].On(d, chain)
	}
	d.change(func() { d.chain = chain })
}

func (d *Direction) pause(on bool) { d.change(func() { d.paused = on }) }

// change interrupts the move under way, by a deadline in the past, so that it
// goes on under the new state, and waits until it has noticed: what moves after
// change has returned moves under the new state.
func (d *Direction) change(to func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	to()
	d.version++
	d.cut = true
	_ = d.within(time.Unix(1, 0))
	d.wake()
	for version := d.version; d.moving && d.under < version && !d.closed; {
		d.idle.Wait()
	}
}

func (d *Direction) setDeadline(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.deadline = t
	d.wake()
	if d.cut {
		return nil
	}
	return d.within(t)
}

func (d *Direction) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.idle.Broadcast()
	d.wake()
}

func (d *Direction) wake() {
	close(d.changed)
	d.changed = make(chan struct{})
}
