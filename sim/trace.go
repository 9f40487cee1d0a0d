package sim

import (
	"bytes"
	"time"
)

// Dir is the direction of a frame, as the actor sees it.
type Dir string

// In came from the daemon, Out went to it.
const (
	In  Dir = "in"
	Out Dir = "out"
)

// TraceEvent is one message on a link.
type TraceEvent struct {
	At time.Time
	// Conn is the number of the connection, from 1.
	Conn int
	Dir  Dir
	// Kind is "text", "binary", "close", "raw" (bytes under the WebSocket),
	// "open" or "end". Frame of an "end" says why the connection ended.
	Kind string
	// Frame is the message without its WebSocket header; the token, should it
	// stand there, is replaced. It must not be changed.
	Frame []byte
}

// trace hands an event to the configured function, if there is one.
func (b *Browser) trace(conn int, dir Dir, kind string, frame []byte) {
	if b.cfg.Trace == nil {
		return
	}
	if t := b.cfg.Token; t != "" && bytes.Contains(frame, []byte(t)) {
		frame = bytes.ReplaceAll(frame, []byte(t), []byte("<token>"))
	}
	b.cfg.Trace(TraceEvent{At: time.Now(), Conn: conn, Dir: dir, Kind: kind, Frame: frame})
}
