package sim

// CutBeforeReading ends the connection instead of reading the command: the
// frame has left the daemon and never reached the extension. RST resets the
// connection, else it ends by FIN.
type CutBeforeReading struct{ RST bool }

// Arrive is Arrival's.
func (f CutBeforeReading) Arrive(x *Exchange) Verdict {
	end(x, f.RST)
	return Unread
}

// Answer is Fault's.
func (CutBeforeReading) Answer(*Exchange, []byte, func([]byte)) {}

// CutAfterReading ends the connection instead of answering: the command has
// been started, and only the browser knows it.
type CutAfterReading struct{ RST bool }

// Answer is Fault's.
func (f CutAfterReading) Answer(x *Exchange, _ []byte, _ func([]byte)) { end(x, f.RST) }

// Reset resets the connection (RST) instead of answering.
type Reset struct{}

// Answer is Fault's.
func (Reset) Answer(x *Exchange, _ []byte, _ func([]byte)) { end(x, true) }

func end(x *Exchange, rst bool) {
	if rst {
		x.Reset()
	} else {
		x.Drop()
	}
}
