package browser

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// read reads frames until the link ends. It is the link's only reader.
func (l *Link) read() {
	scratch := make([]byte, 32<<10)
	for {
		kind, r, err := l.conn.Reader(context.Background())
		if err != nil {
			l.finish(received(err))
			return
		}
		msg, err := l.message(r, scratch)
		switch {
		case errors.Is(err, websocket.ErrMessageTooBig):
			l.finish(ending{code: websocket.StatusMessageTooBig, reason: fmt.Sprintf("a message is larger than %d bytes", l.cfg.Limits.Message)})
		case err != nil:
			l.finish(received(err))
		case kind != websocket.MessageText:
			l.finish(ending{code: websocket.StatusUnsupportedData, reason: "frames are text"})
		default:
			if err := l.handle(msg); err != nil {
				l.finish(refused(err))
			}
		}
		if l.hasEnded() {
			return // Close reads the rest, up to the peer's close frame.
		}
	}
}

func (l *Link) hasEnded() bool {
	select {
	case <-l.ended:
		return true
	default:
		return false
	}
}

// message reads one whole message. A small one is copied out of scratch, so
// that it takes no more memory than it has bytes.
func (l *Link) message(r io.Reader, scratch []byte) ([]byte, error) {
	buf, n := scratch, 0
	for {
		if n == len(buf) {
			// One byte more than a message may have, so that its end is seen.
			grown := make([]byte, min(2*len(buf), int(l.cfg.Limits.Message)+2))
			copy(grown, buf)
			buf = grown
		}
		m, err := r.Read(buf[n:])
		n += m
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if n <= len(scratch) {
		return append([]byte(nil), buf[:n]...), nil
	}
	return buf[:n], nil
}

// heard puts off the end of a link that is not silent. It is called for every
// piece that is received.
func (l *Link) heard() {
	if l.silence != nil && l.silence.Stop() {
		l.silence.Reset(l.cfg.Limits.Silence)
	}
}

// refused returns the ending for a frame that handle refused. That a text must
// be UTF-8 (RFC 6455 §8.1) the library leaves to its user.
func refused(err error) ending {
	if errors.Is(err, protocol.ErrNotUTF8) {
		return ending{websocket.StatusInvalidFramePayloadData, err.Error()}
	}
	return ending{websocket.StatusPolicyViolation, err.Error()}
}

// handle acts on one frame. An error ends the link for that reason.
func (l *Link) handle(msg []byte) error {
	frame, err := protocol.DecodeFrame(msg)
	if err != nil {
		return err
	}
	h, isHello := frame.(*protocol.Hello)
	if l.hello.Browser == "" {
		if !isHello {
			return errors.New("the first frame must be a hello")
		}
		return l.greet(h)
	}
	switch f := frame.(type) {
	case *protocol.Hello:
		return errors.New("a second hello")
	case *protocol.Result:
		l.answer(f)
	case *protocol.Request:
		if l.owe() {
			l.answering.Go(func() { l.serve(f) })
		}
	case protocol.Ping:
		if l.owe() {
			l.push(outgoing{text: protocol.PongFrame, written: l.paid})
		}
	case *protocol.Event:
		// Its name may be any text, and a log holds none of a page's or a person's.
		l.log.Debug("event", "bytes", len(f.Raw))
	}
	return nil
}

func (l *Link) greet(h *protocol.Hello) error {
	if h.Browser != l.cfg.Browser {
		return fmt.Errorf("hello claims another browser than its Origin, which is %s's", l.cfg.Browser.Title())
	}
	if !l.noHello.Stop() {
		return errors.New("hello came too late")
	}
	l.hello = *h
	l.log.Info("extension connected", "version", h.BrowserVersion, "extension", h.ExtensionVersion, "sessions", len(h.Sessions))
	l.cfg.Connected(l)
	return nil
}

// answer settles the command that a result is for. An id that is not pending
// on this link, or not any more, changes nothing (CMD-03, CMD-05).
func (l *Link) answer(r *protocol.Result) {
	l.mu.Lock()
	c := l.pending[r.ID]
	l.mu.Unlock()
	switch {
	case c == nil:
		l.log.Debug("result without a command, ignored")
	case r.Bad != nil:
		l.log.Warn("result breaks its schema", "action", c.action.Name)
		l.settle(c, Outcome{Failed: Broken(r.Bad.Error())})
	case r.OK:
		l.settle(c, Outcome{Data: r.Data})
	default:
		l.settle(c, Outcome{Failed: failed(r.Error)})
	}
}

// Broken returns the error of a command whose answer cannot be understood, and
// why: that is told to the caller and not to the log, since it may repeat what
// the page holds.
func Broken(why string) *protocol.Error {
	return protocol.Unknown(protocol.DeliveredUnknown, "the extension answered in a way that breaks the protocol (%s); "+
		"the command may have run, so look at the page before you send it again", why)
}

// failed keeps what the extension said, except that only the daemon knows
// whether a command was delivered.
func failed(e *protocol.Error) *protocol.Error {
	e.Delivered = ""
	if !e.Code.Definite() {
		e.Delivered = protocol.DeliveredUnknown
	}
	return e
}
