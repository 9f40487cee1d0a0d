package sim

import "sync"

// OutOfOrder swaps answers in pairs: it keeps one back until the next one has
// been sent. Use a pointer; the zero value is ready.
type OutOfOrder struct {
	mu   sync.Mutex
	kept func()
}

// Answer is Fault's.
func (f *OutOfOrder) Answer(_ *Exchange, frame []byte, next func([]byte)) {
	f.mu.Lock()
	first := f.kept
	f.kept = nil
	if first == nil {
		f.kept = func() { next(frame) }
	}
	f.mu.Unlock()
	if first != nil {
		next(frame)
		first()
	}
}
