package gate

import "sync/atomic"

// Slots bounds how many requests are in somebody's hands at a time: the 288 of
// LIMIT-01, the 4 of pairing (AUTH-21). Nobody waits for a slot: who gets none is
// answered busy at once. It is safe for concurrent use.
type Slots struct {
	most  int64
	taken atomic.Int64
}

// NewSlots returns n free slots.
func NewSlots(n int) *Slots { return &Slots{most: int64(n)} }

// Take takes a slot, which its holder gives back by Free, or reports that none
// is free.
func (s *Slots) Take() bool {
	for {
		n := s.taken.Load()
		if n >= s.most {
			return false
		}
		if s.taken.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Free gives one slot back. It panics if none is taken: a slot freed twice
// would let one request too many in for ever after.
func (s *Slots) Free() {
	if s.taken.Add(-1) < 0 {
		panic("gate: a slot was freed that nobody had taken")
	}
}

// InUse returns how many slots are taken.
func (s *Slots) InUse() int { return int(s.taken.Load()) }
