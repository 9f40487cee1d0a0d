package sim

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// Socket is one WebSocket of an extension, as the daemon's end sees it. Its
// methods may be called by several goroutines; those that send never wait.
type Socket struct {
	// N counts from 1, Contact is the connection's number.
	N, Contact int
	// Opened is when the upgrade was answered, Header the upgrade's.
	Opened time.Time
	Header http.Header

	d    *Daemon
	conn *memnet.Faulty

	mu    sync.Mutex
	heard []Heard
	queue []parcel
	wake  chan struct{}
	// sentClose: a close frame has been put into the queue.
	sentClose bool
	welcomed  time.Time
	said      time.Time
	ended     time.Time
	why       error
	// unwritten is when a write failed.
	unwritten time.Time
}

// Heard is one message of an extension.
type Heard struct {
	// At is when its last byte had been read.
	At time.Time
	// Opcode is the message's: OpText, OpBinary, OpClose, OpPing or OpPong.
	Opcode  byte
	Payload []byte
	// Unmasked is true if a frame of it had no mask, which a client's must have
	// (RFC 6455, section 5.1).
	Unmasked bool
}

// parcel is something to be written: a message, or a control frame, of which
// the last ends the connection behind it.
type parcel struct {
	bytes         []byte
	message, last bool
}

// socket serves the WebSocket that a connection has become.
func (d *Daemon) socket(c *memnet.Faulty, r *bufio.Reader, a *Asked) {
	s := &Socket{Contact: a.Contact, Opened: time.Now(), Header: a.Header, d: d, conn: c, wake: make(chan struct{}, 1)}
	d.mu.Lock()
	d.sockets = append(d.sockets, s)
	s.N = len(d.sockets)
	d.mu.Unlock()
	over := make(chan struct{})
	written := make(chan struct{})
	d.work.Go(func() {
		defer close(written)
		s.write(over)
	})
	err := s.read(r)
	s.mu.Lock()
	s.ended, s.why = time.Now(), err
	s.mu.Unlock()
	d.trace(s.N, In, "end", []byte(err.Error()))
	close(over)
	_ = c.Close()
	<-written
}

// read takes messages until the connection ends, and answers them by manners.
func (s *Socket) read(r *bufio.Reader) error {
	for {
		h, err := readMessage(r, s.control)
		if err != nil {
			return err
		}
		s.take(h)
	}
}

// control takes a control frame, which may stand between the frames of a message.
func (s *Socket) control(h Heard) {
	s.take(h)
	switch h.Opcode {
	case OpPing:
		s.put(parcel{bytes: serverFrame(OpPong, h.Payload)})
	case OpClose:
		s.mu.Lock()
		answered := s.sentClose
		s.mu.Unlock()
		if answered {
			_ = s.conn.Close()
		} else {
			s.shut(h.Payload)
		}
	}
}

func (s *Socket) take(h Heard) {
	s.mu.Lock()
	s.heard = append(s.heard, h)
	s.mu.Unlock()
	s.d.happened(s.Contact)
	s.d.trace(s.N, In, kindOf(h.Opcode), h.Payload)
	if h.Opcode != OpText {
		return
	}
	m := s.d.Manners()
	switch {
	case bytes.Equal(h.Payload, protocol.PingFrame):
		if !m.NoPong {
			s.Send(protocol.PongFrame)
		}
	case isHello(h.Payload):
		s.hello(m)
	}
}

func isHello(message []byte) bool {
	frame, err := protocol.DecodeFrame(message)
	_, ok := frame.(*protocol.Hello)
	return err == nil && ok
}

func (s *Socket) hello(m Manners) {
	switch {
	case m.CloseCode != 0:
		s.Close(m.CloseCode, "")
	case !m.NoWelcome:
		w := protocol.Welcome{DaemonVersion: "1.0.0", Limits: welcomeLimits()}
		s.Send(w.AppendTo(nil))
		s.mu.Lock()
		s.welcomed = time.Now()
		s.mu.Unlock()
	}
}

func kindOf(opcode byte) string {
	switch opcode {
	case OpText:
		return "text"
	case OpBinary:
		return "binary"
	case OpClose:
		return "close"
	case OpPing:
		return "ping"
	}
	return "pong"
}

// Send sends a text message, whatever it holds.
func (s *Socket) Send(message []byte) {
	s.d.trace(s.N, Out, "text", message)
	s.put(parcel{bytes: serverFrame(OpText, message), message: true})
}

// SendBinary sends a binary message.
func (s *Socket) SendBinary(message []byte) {
	s.d.trace(s.N, Out, "binary", message)
	s.put(parcel{bytes: serverFrame(OpBinary, message), message: true})
}

// Close sends a close frame and, once the extension has answered it, ends the
// connection. Code 0 is a frame without one.
func (s *Socket) Close(code int, reason string) {
	s.mu.Lock()
	s.sentClose = true
	s.mu.Unlock()
	s.d.trace(s.N, Out, "close", fmt.Appendf(nil, "%d %s", code, reason))
	s.put(parcel{bytes: serverFrame(OpClose, closePayload(code, reason))})
}

// shut answers a close frame and ends the connection.
func (s *Socket) shut(payload []byte) {
	s.mu.Lock()
	s.sentClose = true
	s.mu.Unlock()
	s.put(parcel{bytes: serverFrame(OpClose, payload), last: true})
}

// Drop ends the connection without a close frame (FIN), Reset by a reset.
func (s *Socket) Drop() { _ = s.conn.Close() }

// Reset is described at Drop.
func (s *Socket) Reset() { _ = s.conn.Reset() }

// StopReading reads nothing more until ResumeReading, so that the extension
// feels backpressure.
func (s *Socket) StopReading() { s.conn.Pause() }

// ResumeReading ends a StopReading.
func (s *Socket) ResumeReading() { s.conn.Resume() }

func (s *Socket) put(p parcel) {
	s.mu.Lock()
	s.queue = append(s.queue, p)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// write writes what was put, in order, until the connection is over.
func (s *Socket) write(over <-chan struct{}) {
	for {
		s.mu.Lock()
		queue := s.queue
		s.queue = nil
		s.mu.Unlock()
		for _, p := range queue {
			if _, err := s.conn.Write(p.bytes); err != nil {
				s.mu.Lock()
				s.unwritten = time.Now()
				s.mu.Unlock()
				return
			}
			if p.message {
				s.mu.Lock()
				s.said = time.Now()
				s.mu.Unlock()
			}
			if p.last {
				_ = s.conn.Close()
				return
			}
		}
		if len(queue) > 0 {
			continue
		}
		select {
		case <-s.wake:
		case <-over:
			return
		}
	}
}

// Heard returns the messages received so far.
func (s *Socket) Heard() []Heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.heard)
}

// Welcomed returns when the hello was answered with a welcome; false if it was
// not yet.
func (s *Socket) Welcomed() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.welcomed, !s.welcomed.IsZero()
}

// Said returns when the last message of the daemon was written; false before the
// first.
func (s *Socket) Said() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said, !s.said.IsZero()
}

// Ended returns when the connection had ended for reading, and how; false while
// it stands.
func (s *Socket) Ended() (at time.Time, how error, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended, s.why, !s.ended.IsZero()
}

// Unwritten returns when a write failed, since the extension had closed its
// end; false if none has.
func (s *Socket) Unwritten() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unwritten, !s.unwritten.IsZero()
}

// Closing returns the code and reason of the extension's close frame; false if
// it has sent none. A frame without a code is 1005 (RFC 6455, section 7.1.5).
func (s *Socket) Closing() (code int, reason string, ok bool) {
	for _, h := range s.Heard() {
		if h.Opcode == OpClose {
			if code, reason = parseClose(h.Payload); code == 0 {
				code = 1005
			}
			return code, reason, true
		}
	}
	return 0, "", false
}
