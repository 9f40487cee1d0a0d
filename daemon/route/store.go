package route

import (
	"errors"
	"io/fs"
	"sync/atomic"
	"syscall"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// store saves the bindings, one save at a time. Changes that come while one is
// under way are saved together by the next.
type store struct {
	write func(map[string]protocol.Browser) error
	// turn holds one token, whose holder may write. It is no mutex because it
	// is held across I/O.
	turn  chan struct{}
	saved atomic.Uint64 // the last change that is saved
}

func newStore(write func(map[string]protocol.Browser) error) *store {
	s := &store{write: write, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

// has reports whether that change is saved.
func (s *store) has(change uint64) bool { return change <= s.saved.Load() }

// save returns when the state after that change, or a later one, is saved. Now
// returns the state and its last change. If the write fails, undo is called
// before anybody else may write, so that what it takes back is never saved.
func (s *store) save(change uint64, now func() (map[string]protocol.Browser, uint64), undo func()) error {
	if s.has(change) {
		return nil
	}
	<-s.turn
	defer func() { s.turn <- struct{}{} }()
	if s.has(change) {
		return nil
	}
	bindings, upTo := now()
	if err := s.write(bindings); err != nil {
		undo()
		return err
	}
	s.saved.Store(upTo)
	return nil
}

// cause returns what the system said, without the path: the config directory's
// place is nothing that an agent has to know.
func cause(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return "it could not be written"
}
