package sim

// NeverReply loses the answer: the command has started, and nothing is ever
// said about it, at the extension's own deadline neither.
type NeverReply struct{}

// Answer is Fault's.
func (NeverReply) Answer(*Exchange, []byte, func([]byte)) {}
