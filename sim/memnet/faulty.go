package memnet

import (
	"errors"
	"net"
	"time"
)

// Faulty is a connection whose directions can be made to misbehave, over any
// net.Conn: one of this package or a real one. Without faults it passes every
// call through.
type Faulty struct {
	conn    net.Conn
	in, out *Direction
}

var _ net.Conn = (*Faulty)(nil)

// Wrap returns c with no faults yet. The Faulty owns c.
func Wrap(c net.Conn) *Faulty {
	f := &Faulty{conn: c}
	f.in = newDirection(f, c.Read, c.SetReadDeadline)
	f.in.reading = true
	f.out = newDirection(f, c.Write, c.SetWriteDeadline)
	return f
}

// In replaces the faults of what this end reads, the first one outermost; none
// heals it. A Read that waits goes on under the new ones. No byte is lost.
func (f *Faulty) In(faults ...Fault) { f.in.replace(faults) }

// Out replaces the faults of what this end writes, as In does.
func (f *Faulty) Out(faults ...Fault) { f.out.replace(faults) }

// Pause lets no byte be read until Resume, whatever faults there are, so that
// the other end feels it as backpressure.
func (f *Faulty) Pause() { f.in.pause(true) }

// Resume ends a Pause.
func (f *Faulty) Resume() { f.in.pause(false) }

// Read reads through the faults of In.
func (f *Faulty) Read(p []byte) (int, error) { return f.in.move(p) }

// Write writes through the faults of Out.
func (f *Faulty) Write(p []byte) (int, error) { return f.out.move(p) }

// Close closes the connection and ends what waits in a fault.
func (f *Faulty) Close() error {
	f.in.close()
	f.out.close()
	return f.conn.Close()
}

// CloseWrite ends the outgoing direction (FIN), if the connection can.
func (f *Faulty) CloseWrite() error { return CloseWrite(f.conn) }

// Reset ends the connection by a reset (RST), if the connection can.
func (f *Faulty) Reset() error {
	f.in.close()
	f.out.close()
	return ResetConn(f.conn)
}

// LocalAddr returns the connection's own.
func (f *Faulty) LocalAddr() net.Addr { return f.conn.LocalAddr() }

// RemoteAddr returns the connection's own.
func (f *Faulty) RemoteAddr() net.Addr { return f.conn.RemoteAddr() }

// SetDeadline sets both deadlines; they end what waits in a fault, too.
func (f *Faulty) SetDeadline(t time.Time) error {
	return errors.Join(f.in.setDeadline(t), f.out.setDeadline(t))
}

// SetReadDeadline is SetDeadline for what this end reads.
func (f *Faulty) SetReadDeadline(t time.Time) error { return f.in.setDeadline(t) }

// SetWriteDeadline is SetDeadline for what this end writes.
func (f *Faulty) SetWriteDeadline(t time.Time) error { return f.out.setDeadline(t) }
