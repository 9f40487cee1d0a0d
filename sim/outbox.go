package sim

import (
	"errors"
	"os"
	"sync"
	"time"
)

// outbox is the browser's side of a socket's sending: what is put in never
// waits, one goroutine writes it, in order. Past its limit, or when nothing
// goes out for too long, the connection is given up (LIMIT-09).
type outbox struct {
	l *link

	mu     sync.Mutex
	items  []item
	bytes  int64
	closed bool
	wake   chan struct{}
	// over is closed when nothing is written any more.
	over chan struct{}
}

// item is something to be written.
type item struct {
	opcode  byte
	message []byte
	// raw: message is written as it is, with no WebSocket around it.
	raw bool
	// piece is how many bytes go at a time; all if 0.
	piece int
	// sent is closed when it has been written, unless it is nil.
	sent chan struct{}
	// last ends the connection when it has been written.
	last error
}

func newOutbox(l *link) *outbox {
	return &outbox{l: l, wake: make(chan struct{}, 1), over: make(chan struct{})}
}

var errFull = errors.New("the extension's send queue is full")

// put appends it. What is put after the end is lost.
func (o *outbox) put(it item) {
	o.mu.Lock()
	if o.closed {
		o.mu.Unlock()
		return
	}
	o.closed = it.last != nil
	o.items = append(o.items, it)
	o.bytes += int64(len(it.message))
	full := o.bytes > o.l.b.profile.SendBuffer+o.l.b.profile.SendQueue
	o.mu.Unlock()
	if full {
		o.l.drop(errFull)
		return
	}
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) text(message []byte) { o.put(item{opcode: OpText, message: message}) }

func (o *outbox) control(opcode byte, payload []byte) {
	o.put(item{opcode: opcode, message: append([]byte(nil), payload...)})
}

// flush puts it and waits until it has been written.
func (o *outbox) flush(it item) error {
	it.sent = make(chan struct{})
	o.put(it)
	select {
	case <-it.sent:
		return nil
	case <-o.over:
	}
	select {
	case <-it.sent:
		// It was the last thing that went.
		return nil
	default:
		return ErrNotConnected
	}
}

// run writes until the connection ends.
func (o *outbox) run() {
	defer close(o.over)
	for {
		it, ok := o.take()
		if !ok {
			select {
			case <-o.wake:
				continue
			case <-o.l.ctx.Done():
				return
			}
		}
		if err := o.write(it); err != nil {
			o.give(err)
			return
		}
		if it.sent != nil {
			close(it.sent)
		}
		if it.last != nil {
			o.l.drop(it.last)
			return
		}
	}
}

// give ends the connection after a failed write. What the daemon said before it
// closed its side, such as why, may still be there to be read.
func (o *outbox) give(err error) {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		o.l.drop(err)
		return
	}
	o.l.dropAfter(closeWait, err)
}

func (o *outbox) take() (item, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.items) == 0 {
		return item{}, false
	}
	it := o.items[0]
	o.items[0] = item{}
	o.items = o.items[1:]
	return it, true
}

func (o *outbox) write(it item) error {
	defer func() {
		o.mu.Lock()
		o.bytes -= int64(len(it.message))
		o.mu.Unlock()
	}()
	o.l.traceOut(it)
	if it.raw {
		return o.bytesOut(it.message, it.piece)
	}
	message, opcode := it.message, it.opcode
	var buf []byte
	for {
		n := min(len(message), fragment)
		buf = RawFrame{Opcode: opcode, NotFinal: n < len(message), Payload: message[:n]}.AppendTo(buf[:0])
		if err := o.bytesOut(buf, it.piece); err != nil {
			return err
		}
		if message, opcode = message[n:], OpContinuation; len(message) == 0 {
			return nil
		}
	}
}

// bytesOut writes p, in pieces if piece is not 0. A frozen background does not
// notice that nothing goes out. A kernel takes a part of a write at once and
// tells of it at the deadline: that is no sign of life, and who lives takes the
// 64 KiB of a frame in 30 s.
func (o *outbox) bytesOut(p []byte, piece int) error {
	for len(p) > 0 {
		n := len(p)
		if piece > 0 {
			n = min(n, piece)
		}
		if stall := o.l.b.profile.SendStall; stall > 0 {
			_ = o.l.conn.SetWriteDeadline(time.Now().Add(stall))
		}
		done, err := o.l.conn.Write(p[:n])
		p = p[done:]
		if err != nil && !(errors.Is(err, os.ErrDeadlineExceeded) && o.l.frozen.Load()) {
			return err
		}
	}
	return nil
}
