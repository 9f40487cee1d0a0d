package sim

// CloseCode closes the connection with that code instead of answering; any
// code, also those that must not be sent (RFC 6455, section 7.4.1). 0 sends a
// close frame without one.
type CloseCode struct {
	Code   int
	Reason string
}

// Answer is Fault's.
func (f CloseCode) Answer(x *Exchange, _ []byte, _ func([]byte)) { x.Close(f.Code, f.Reason) }
