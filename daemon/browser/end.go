package browser

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ending says why a link ended. A code of 0 means that the peer is gone and a
// close frame makes no sense.
type ending struct {
	code   websocket.StatusCode
	reason string
}

// closeGrace bounds the close handshake with a peer that may be dead, so that
// a shutdown keeps its 5 s.
const closeGrace = 2 * time.Second

// Close ends the link with a close frame and settles its commands at once. It
// does not wait for the peer; Run returns when all is done.
func (l *Link) Close(code websocket.StatusCode, reason string) {
	l.finish(ending{code: code, reason: reason})
}

// finish ends the link once, for its first cause, and settles every command in
// flight on it with outcome_unknown (CMD-04).
func (l *Link) finish(e ending) {
	l.mu.Lock()
	if l.end != nil {
		l.mu.Unlock()
		return
	}
	l.end = &e
	calls := make([]*Call, 0, len(l.pending))
	for _, c := range l.pending {
		calls = append(calls, c)
	}
	l.mu.Unlock()

	l.cfg.Ended()
	l.log.Info("extension disconnected", "reason", e.reason, "in_flight", len(calls))
	for _, c := range calls {
		l.settle(c, Outcome{Err: l.lost})
	}
	close(l.ended)
}

// closeWhenEnded does the close handshake beside the reader, which sees the
// peer's half of it.
func (l *Link) closeWhenEnded() {
	<-l.ended
	if l.end.code != 0 {
		late := time.AfterFunc(closeGrace, func() { _ = l.wire.Close() })
		defer late.Stop()
		_ = l.conn.Close(l.end.code, cut(l.end.reason))
	}
	_ = l.conn.CloseNow()
}

func (l *Link) lost(written bool) *protocol.Error {
	if !written {
		return protocol.Unknown(protocol.DeliveredNo, "%s's extension disconnected before the command was sent to it",
			l.cfg.Browser.Title())
	}
	return Lost()
}

// Lost returns the error of a command whose link ended before its whole answer
// had come.
func Lost() *protocol.Error {
	return protocol.Unknown(protocol.DeliveredUnknown, "the extension disconnected before it answered whole; "+
		"the command may have run, so look at the page before you send it again")
}

// received returns the ending of a link from which nothing more can be read. A
// peer that is there and breaks RFC 6455 is told so; the library does not always.
func received(err error) ending {
	if code := websocket.CloseStatus(err); code != -1 {
		return ending{reason: fmt.Sprintf("the extension closed with %d", code)}
	}
	_, network := errors.AsType[net.Error](err)
	if network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) ||
		errors.Is(err, net.ErrClosed) {
		return ending{reason: "the connection was lost"}
	}
	return ending{code: websocket.StatusProtocolError, reason: "a frame breaks RFC 6455"}
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
