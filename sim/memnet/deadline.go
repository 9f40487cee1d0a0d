package memnet

import "time"

// deadline is the deadline of one end of a stream; the stream's lock guards it.
type deadline struct {
	timer   *time.Timer
	expired bool
}

// set replaces the deadline of s that d is; the zero time is none. The timer
// itself marks the expiry, since a clock read after it may lag behind it.
func (d *deadline) set(s *stream, t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.stop()
	d.expired = false
	if left := time.Until(t); !t.IsZero() && left <= 0 {
		d.expired = true
	} else if !t.IsZero() {
		var timer *time.Timer
		timer = time.AfterFunc(left, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if d.timer == timer {
				d.expired = true
				s.cond.Broadcast()
			}
		})
		d.timer = timer
	}
	s.cond.Broadcast()
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}
