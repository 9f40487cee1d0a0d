package sim

import (
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Fault is one way in which the extension misbehaves with a command (KIT-07).
// Faults compose: the first of a slice is outermost, and its next is the one
// behind it.
type Fault interface {
	// Answer is called with the frame that answers the command, on a goroutine
	// of its own, and may wait; next sends a frame on.
	Answer(x *Exchange, frame []byte, next func(frame []byte))
}

// Arrival is a Fault that acts before the command is queued. It is called on
// the reading goroutine and must not wait.
type Arrival interface {
	Fault
	Arrive(x *Exchange) Verdict
}

// Verdict is what becomes of a command that has arrived.
type Verdict int

const (
	// Proceed: it is queued as usual.
	Proceed Verdict = iota
	// Settled: it was received, and nothing more is done with it.
	Settled
	// Unread: it was not even received.
	Unread
)

// Rule applies a fault to the commands that On picks, nil for all, the first
// Times of them, 0 for all.
type Rule struct {
	Fault Fault
	On    Match
	Times int
}

type activeRule struct {
	Rule
	used int
}

// Inject adds rules behind those in force, for commands that arrive from now on.
func (b *Browser) Inject(rules ...Rule) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range rules {
		b.faults = append(b.faults, &activeRule{Rule: r})
	}
}

// Heal removes all rules. Commands that have arrived keep theirs.
func (b *Browser) Heal() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = nil
}

// faultsOf returns the faults of a command that arrives, and counts them.
func (b *Browser) faultsOf(s Start) []Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Fault
	for _, r := range b.faults {
		if r.On.picks(s) && (r.Times == 0 || r.used < r.Times) {
			r.used++
			out = append(out, r.Fault)
		}
	}
	return out
}

// Exchange is one command on its way, as a fault sees it.
type Exchange struct {
	Start Start
	l     *link
}

// Wait waits for d; false if the connection ended first.
func (x *Exchange) Wait(d time.Duration) bool { return sleep(x.l.ctx, d) }

// Fail sends a result with an error, past all other faults.
func (x *Exchange) Fail(code protocol.Code, message string) {
	r := protocol.Result{ID: x.Start.ID, Error: &protocol.Error{Code: code, Message: message}}
	x.l.out.text(r.AppendTo(nil))
}

// Drop ends the connection (FIN).
func (x *Exchange) Drop() { x.l.drop(x.why()) }

// Reset ends the connection (RST).
func (x *Exchange) Reset() { x.l.reset(x.why()) }

// Close sends a close frame with any code behind what waits to be written, and
// ends the connection.
func (x *Exchange) Close(code int, reason string) {
	x.l.out.put(closeItem(code, reason, x.why()))
}

// Freeze is Browser.Freeze.
func (x *Exchange) Freeze() { x.l.freeze(true) }

// SendPieces sends a text frame in pieces of so many bytes.
func (x *Exchange) SendPieces(frame []byte, piece int) {
	x.l.out.put(item{opcode: OpText, message: frame, piece: piece})
}

func (x *Exchange) why() error { return fmt.Errorf("a fault at %s", x.Start.Action) }

// answer sends the answer of t through its faults.
func (l *link) answer(t *task, r Reply) {
	frame := l.frameOf(t, r)
	if len(t.faults) == 0 {
		l.out.text(frame)
		return
	}
	x := &Exchange{Start: t.start, l: l}
	send := l.out.text
	for i := len(t.faults) - 1; i >= 0; i-- {
		fault, next := t.faults[i], send
		send = func(frame []byte) { fault.Answer(x, frame, next) }
	}
	l.b.spawn(func() { send(frame) })
}
