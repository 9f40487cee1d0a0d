package sim

// Garbage sends a message that is no JSON instead of the answer: Message, or
// one of its own if that is empty.
type Garbage struct{ Message string }

// Answer is Fault's.
func (f Garbage) Answer(_ *Exchange, _ []byte, next func([]byte)) {
	if f.Message == "" {
		f.Message = "}{ no JSON \x00\x7f"
	}
	next([]byte(f.Message))
}
