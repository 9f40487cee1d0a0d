package sim

import "time"

// Late sends the answer D after it was ready, whatever the deadline. The
// session goes on meanwhile; After is for a command that takes long.
type Late struct{ D time.Duration }

// Answer is Fault's.
func (f Late) Answer(x *Exchange, frame []byte, next func([]byte)) {
	if x.Wait(f.D) {
		next(frame)
	}
}
