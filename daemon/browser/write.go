package browser

import (
	"context"
	"time"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// outgoing is one message to write: a call, whose frame is made when its turn
// comes so that it says how much time is left, or a text that is ready.
type outgoing struct {
	call *Call
	text []byte
	// written, if set, is called when the text has been written, and never if
	// the link ends before.
	written func()
}

// fragment is how large a piece of a message is written at a time, so that a
// pong can go out between two (RFC 6455 §5.4).
const fragment = 64 << 10

// write writes queued messages until the link ends. It is the link's only writer.
func (l *Link) write() {
	var buf []byte
	for {
		select {
		case <-l.wake:
		case <-l.ended:
			return
		}
		for {
			next, ok := l.next()
			if !ok {
				break
			}
			text := next.text
			if next.call != nil {
				var due bool
				if buf, due = l.frame(buf[:0], next.call); !due {
					continue
				}
				text = buf
			}
			if err := l.writeText(text); err != nil {
				l.finish(ending{reason: "the connection took no more data"})
				return
			}
			if next.written != nil {
				next.written()
			}
			if cap(buf) > fragment {
				buf = nil // an upload; do not keep its memory
			}
		}
	}
}

// next takes the oldest queued message, unless the link has ended.
func (l *Link) next() (outgoing, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil || len(l.out) == 0 {
		return outgoing{}, false
	}
	next := l.out[0]
	l.out[0] = outgoing{}
	if l.out = l.out[1:]; len(l.out) == 0 {
		l.out = nil
	}
	return next, true
}

// frame appends a call's frame and marks it as written, before the first byte
// leaves. A call that was settled while it was queued, or has less than a
// millisecond left, is not written.
func (l *Link) frame(dst []byte, c *Call) ([]byte, bool) {
	left := time.Until(c.deadline).Milliseconds()
	l.mu.Lock()
	if c.settled || left < 1 {
		l.mu.Unlock()
		return dst, false
	}
	c.written = true
	args := c.args
	c.args = nil
	l.mu.Unlock()
	f := protocol.CommandFrame{ID: c.id, Session: c.session, Action: c.action.Name, Args: args, DeadlineMS: left}
	return f.AppendTo(dst), true
}

func (l *Link) writeText(text []byte) error {
	ctx := context.Background()
	if len(text) <= fragment {
		return l.conn.Write(ctx, websocket.MessageText, text)
	}
	w, err := l.conn.Writer(ctx, websocket.MessageText)
	if err != nil {
		return err
	}
	for len(text) > 0 {
		n := min(fragment, len(text))
		if _, err := w.Write(text[:n]); err != nil {
			return err
		}
		text = text[n:]
	}
	return w.Close()
}

// Send queues a text frame. It never blocks.
func (l *Link) Send(text []byte) { l.push(outgoing{text: text}) }

func (l *Link) push(o outgoing) {
	l.mu.Lock()
	l.out = append(l.out, o)
	l.mu.Unlock()
	l.signal()
}

// signal tells the writer that out has grown.
func (l *Link) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
