package memnet

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
)

// stream is one direction of a connection: a bounded queue of bytes with one
// reading and one writing end. Its mutex is never held over a wait other than
// the condition's own.
type stream struct {
	mu    sync.Mutex
	cond  sync.Cond
	queue ring

	// writing serialises writers, so that a Write in pieces stays in one piece.
	writing bool
	// eof: the writing end said that nothing more follows.
	eof bool
	// writerClosed and readerClosed: that end was closed by its owner.
	writerClosed, readerClosed bool
	// reset: one end was reset; what was in the queue is lost.
	reset bool

	readBy, writeBy deadline
}

func newStream(size int) *stream {
	s := &stream{queue: ring{limit: size}}
	s.cond.L = &s.mu
	return s
}

func (s *stream) read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.readerClosed:
			return 0, net.ErrClosed
		case s.readBy.expired:
			return 0, os.ErrDeadlineExceeded
		case s.reset:
			return 0, os.NewSyscallError("read", syscall.ECONNRESET)
		case len(p) == 0:
			return 0, nil
		case s.queue.len() > 0:
			n := s.queue.take(p)
			s.cond.Broadcast()
			return n, nil
		case s.eof:
			return 0, io.EOF
		}
		s.cond.Wait()
	}
}

// write waits until the whole of p fits if p is no larger than the buffer, so
// that it either stands in the queue or does not; a larger p goes in pieces.
func (s *stream) write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.writing {
		if err := s.writable(); err != nil {
			return 0, err
		}
		s.cond.Wait()
	}
	s.writing = true
	defer func() {
		s.writing = false
		s.cond.Broadcast()
	}()

	whole, done := len(p) <= s.queue.limit, 0
	for {
		if err := s.writable(); err != nil {
			return done, err
		}
		switch room := s.queue.room(); {
		case whole && room >= len(p):
			s.queue.put(p)
			return len(p), nil
		case !whole && room > 0:
			n := min(room, len(p)-done)
			s.queue.put(p[done : done+n])
			s.cond.Broadcast()
			if done += n; done == len(p) {
				return done, nil
			}
			continue
		}
		s.cond.Wait()
	}
}

func (s *stream) writable() error {
	switch {
	case s.writerClosed:
		return net.ErrClosed
	case s.writeBy.expired:
		return os.ErrDeadlineExceeded
	case s.reset:
		return os.NewSyscallError("write", syscall.ECONNRESET)
	case s.eof, s.readerClosed:
		return os.NewSyscallError("write", syscall.EPIPE)
	}
	return nil
}

// update changes the stream's state under its lock and wakes who waits for it.
func (s *stream) update(change func()) {
	s.mu.Lock()
	change()
	if s.readerClosed || s.reset {
		s.queue.drop()
	}
	if s.readerClosed {
		s.readBy.stop()
	}
	if s.writerClosed {
		s.writeBy.stop()
	}
	s.cond.Broadcast()
	s.mu.Unlock()
}

func (s *stream) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.len()
}
