package sim

// WrongConnection sends the answer on the connection of another Browser. It is
// lost if that one is not connected.
type WrongConnection struct{ To *Browser }

// Answer is Fault's.
func (f WrongConnection) Answer(_ *Exchange, frame []byte, _ func([]byte)) {
	if l := f.To.current(); l != nil {
		l.out.text(frame)
	}
}
