package sim

// Split writes the answer's bytes in pieces of Bytes bytes, so that the daemon
// may read any part of a header or of a character apart.
type Split struct{ Bytes int }

// Answer is Fault's. It writes itself: nothing stands between it and the wire.
func (f Split) Answer(x *Exchange, frame []byte, _ func([]byte)) {
	x.SendPieces(frame, max(f.Bytes, 1))
}
