package browser

import (
	"sync/atomic"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Buffer counts the bytes of result payload that the daemon holds, from their
// receipt to the end of their HTTP writes, for all browsers together (LIMIT-08).
type Buffer struct {
	most int64
	held atomic.Int64
}

// NewBuffer returns a buffer with room for most bytes.
func NewBuffer(most int64) *Buffer { return &Buffer{most: most} }

// Take takes room for n bytes, or reports that there is none.
func (b *Buffer) Take(n int64) bool {
	for {
		held := b.held.Load()
		// What an extension claims may be any number: it is never counted, not
		// even for a moment, before it is known to fit.
		if n > b.most-held {
			return false
		}
		if b.held.CompareAndSwap(held, held+n) {
			return true
		}
	}
}

// Free gives back room for n bytes.
func (b *Buffer) Free(n int64) { b.held.Add(-n) }

// Held returns how many bytes are held.
func (b *Buffer) Held() int64 { return b.held.Load() }

// Overflow returns the error of a result for which there is no room: it ran, and
// nobody can say what came of it.
func Overflow() *protocol.Error {
	return protocol.Unknown(protocol.DeliveredUnknown, "the command was answered, but the daemon holds as many bytes "+
		"of answers as it may, because callers do not read them; look at the page before you send it again")
}
