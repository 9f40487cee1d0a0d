package sim

// hold is one Browser.Hold in force.
type hold struct{ match Match }

// Hold makes commands that m picks wait, once they have started, until Release
// answers them, at most until the extension's own deadline. It returns a
// function that ends it for commands that start later.
func (b *Browser) Hold(m Match) (end func()) {
	h := &hold{match: m}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holds = append(b.holds, h)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for i, other := range b.holds {
			if other == h {
				b.holds = append(b.holds[:i:i], b.holds[i+1:]...)
				return
			}
		}
	}
}

func (b *Browser) held(s Start) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range b.holds {
		if h.match.picks(s) {
			return true
		}
	}
	return false
}

// Release answers a command that waits in a Hold with r, for example Default.
// It returns false if that command is not there any more: answered, past its
// deadline, or gone with its connection.
func (b *Browser) Release(s Start, r Reply) bool {
	l := b.current()
	if l == nil || l.n != s.Conn {
		return false
	}
	t := l.lanes.find(s.ID)
	if t == nil {
		return false
	}
	select {
	case t.release <- r:
		return true
	default:
		return false
	}
}
