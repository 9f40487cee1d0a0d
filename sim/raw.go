package sim

import (
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// SendText sends a text message, whatever it holds, and returns when it has
// been written to the connection.
func (b *Browser) SendText(message []byte) error {
	return b.write(item{opcode: OpText, message: message})
}

// SendRaw is SendText: a frame of the wire as it is, without any check.
func (b *Browser) SendRaw(frame []byte) error { return b.SendText(frame) }

// SendBinary sends a binary message.
func (b *Browser) SendBinary(message []byte) error {
	return b.write(item{opcode: OpBinary, message: message})
}

// WriteRaw writes bytes under the WebSocket, between two messages of the
// browser's own: frames that are malformed or unmasked, fragments with a ping
// between them, half a header. RawFrame makes such frames.
func (b *Browser) WriteRaw(p []byte) error { return b.write(item{raw: true, message: p}) }

func (b *Browser) write(it item) error {
	l := b.current()
	if l == nil || !l.alive() {
		return ErrNotConnected
	}
	if l.frozen.Load() {
		return ErrSuspended
	}
	return l.out.flush(it)
}

// CloseWith sends a close frame with any code, also those that RFC 6455 forbids
// to send (0 is a frame without one), behind what waits to be written, and then
// waits for the daemon's, at most 5 s.
func (b *Browser) CloseWith(code int, reason string) error {
	l := b.current()
	if l == nil || !l.alive() {
		return ErrNotConnected
	}
	l.out.put(closeItem(code, reason, nil))
	l.dropAfter(closeWait, errLeft)
	<-l.done
	return nil
}

// Drop ends the connection without a close frame (FIN). Like Reset, it returns
// when the connection has ended on this side.
func (b *Browser) Drop() { b.end((*link).drop) }

// Reset ends the connection by a reset (RST).
func (b *Browser) Reset() { b.end((*link).reset) }

func (b *Browser) end(how func(*link, error)) {
	if l := b.current(); l != nil {
		how(l, errLeft)
		<-l.done
	}
}

// Freeze stops the background with its socket open: nothing is read, nothing
// sent, no timer of the extension runs out.
func (b *Browser) Freeze() { b.thaw(true) }

// Thaw ends a Freeze.
func (b *Browser) Thaw() { b.thaw(false) }

func (b *Browser) thaw(frozen bool) {
	if l := b.current(); l != nil {
		l.freeze(frozen)
	}
}

func (l *link) freeze(on bool) {
	l.frozen.Store(on)
	if on {
		l.conn.In(memnet.Stall{})
		l.conn.Out(memnet.Stall{})
		return
	}
	l.conn.In()
	l.conn.Out()
}

// StopReading reads nothing more until ResumeReading, so that the daemon feels
// backpressure. The extension's own timers run on: hearing nothing, it closes
// the socket in the end.
func (b *Browser) StopReading() {
	if l := b.current(); l != nil {
		l.conn.Pause()
	}
}

// ResumeReading ends a StopReading.
func (b *Browser) ResumeReading() {
	if l := b.current(); l != nil {
		l.conn.Resume()
	}
}

// NetIn replaces the faults of what the present connection reads from the
// network, and NetOut those of what it writes; none heals it.
func (b *Browser) NetIn(faults ...memnet.Fault) {
	if l := b.current(); l != nil {
		l.conn.In(faults...)
	}
}

// NetOut is described at NetIn.
func (b *Browser) NetOut(faults ...memnet.Fault) {
	if l := b.current(); l != nil {
		l.conn.Out(faults...)
	}
}

// parseClose is the reverse of closePayload.
func parseClose(p []byte) (code int, reason string) {
	if len(p) < 2 {
		return 0, ""
	}
	return int(p[0])<<8 | int(p[1]), string(p[2:])
}
