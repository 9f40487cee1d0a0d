package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// read reads frames until the link ends. It is the link's only reader.
func (l *Link) read() {
	scratch := make([]byte, 32<<10)
	for {
		kind, r, err := l.conn.Reader(context.Background())
		if err != nil {
			l.finish(ending{reason: gone(err)})
			return
		}
		msg, err := l.message(r, scratch)
		switch {
		case errors.Is(err, websocket.ErrMessageTooBig):
			l.finish(ending{code: websocket.StatusMessageTooBig, reason: fmt.Sprintf("a message is larger than %d bytes", l.cfg.Limits.Message)})
		case err != nil:
			l.finish(ending{reason: gone(err)})
		case kind != websocket.MessageText:
			l.finish(ending{code: websocket.StatusUnsupportedData, reason: "frames are text"})
		case !utf8.Valid(msg):
			// The library leaves this check of RFC 6455 §8.1 to its user.
			l.finish(ending{code: websocket.StatusInvalidFramePayloadData, reason: "a text frame is not UTF-8"})
		default:
			if err := l.handle(msg); err != nil {
				l.finish(ending{code: websocket.StatusPolicyViolation, reason: cut(err.Error())})
			}
		}
		if l.hasEnded() {
			l.drain()
			return
		}
	}
}

// drain goes on reading so that the close handshake sees the peer's half.
func (l *Link) drain() {
	for {
		_, r, err := l.conn.Reader(context.Background())
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, r); err != nil {
			return
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
			grown := make([]byte, 2*len(buf))
			copy(grown, buf)
			buf = grown
		}
		m, err := r.Read(buf[n:])
		n += m
		if m > 0 {
			l.heard()
		}
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

// heard puts off the end of a link that is not silent.
func (l *Link) heard() {
	if l.silence != nil && l.silence.Stop() {
		l.silence.Reset(l.cfg.Limits.Silence)
	}
}

// handle acts on one frame. An error ends the link with 1008 and that reason.
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
		l.answering.Go(func() { l.Send(l.cfg.Request(l.ctx, f)) })
	case protocol.Ping:
		l.Send(protocol.PongFrame)
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
		l.log.Warn("result breaks its schema", "action", c.action.Name, "why", r.Bad)
		l.settle(c, Outcome{Failed: Broken()})
	case r.OK:
		l.settle(c, Outcome{Data: r.Data})
	default:
		l.settle(c, Outcome{Failed: failed(r.Error)})
	}
}

// Broken returns the error of a command whose answer cannot be understood.
func Broken() *protocol.Error {
	return protocol.Unknown(protocol.DeliveredUnknown, "the extension answered in a way that breaks the protocol; "+
		"the command may have run, so look at the page before you send it again")
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

func gone(err error) string {
	if code := websocket.CloseStatus(err); code != -1 {
		return fmt.Sprintf("the extension closed with %d", code)
	}
	return "the connection was lost"
}

// cut keeps a close reason within the 123 bytes of RFC 6455 §5.5.
func cut(reason string) string {
	const most = 123
	if len(reason) <= most {
		return reason
	}
	n := most
	for n > 0 && !utf8.RuneStart(reason[n]) {
		n--
	}
	return reason[:n]
}
