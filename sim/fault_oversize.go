package sim

import (
	"bytes"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Oversize answers ok with a message of exactly Bytes bytes, or of the smallest
// such answer if that is longer. It does not become an artifact.
type Oversize struct{ Bytes int }

// Answer is Fault's.
func (f Oversize) Answer(x *Exchange, _ []byte, next func([]byte)) {
	next(sized(x.Start.ID, f.Bytes))
}

// sized returns a good result of exactly n bytes.
func sized(id string, n int) []byte {
	const before, after = `{"value":"`, `"}`
	frame := func(filler []byte) []byte {
		r := protocol.Result{ID: id, OK: true, Data: append(append([]byte(before), filler...), after...)}
		return r.AppendTo(nil)
	}
	least := len(frame(nil))
	return frame(bytes.Repeat([]byte{'x'}, max(0, n-least)))
}
