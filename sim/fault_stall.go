package sim

// Stall freezes the extension instead of answering: its socket stays open, and
// nothing is read or sent any more, pings neither. Browser.Thaw ends it.
type Stall struct{}

// Answer is Fault's.
func (Stall) Answer(x *Exchange, _ []byte, _ func([]byte)) { x.Freeze() }
