package sim

// Twice sends the answer two times.
type Twice struct{}

// Answer is Fault's.
func (Twice) Answer(_ *Exchange, frame []byte, next func([]byte)) {
	next(frame)
	next(frame)
}
