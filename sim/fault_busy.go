package sim

import "github.com/oh-my-webbridge/omw/daemon/protocol"

// Busy answers busy at once, without starting the command.
type Busy struct{}

// Arrive is Arrival's.
func (Busy) Arrive(x *Exchange) Verdict {
	x.Fail(protocol.Busy, "the extension is busy")
	return Settled
}

// Answer is Fault's.
func (Busy) Answer(_ *Exchange, frame []byte, next func([]byte)) { next(frame) }
