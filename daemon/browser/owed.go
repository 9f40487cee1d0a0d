package browser

import "github.com/oh-my-webbridge/omw/daemon/protocol"

// owedMost is how many frames a peer may ask for and not take: pongs, and
// results of its own requests. It is more than all commands that the daemon has
// at a time, so that requests which wait for a result never keep the reader
// from that result.
const owedMost = 1 << 10

// owe counts a frame that the peer has asked for. Where too many are owed it
// waits until the peer takes one, as TCP would, and reports whether the link
// goes on.
func (l *Link) owe() bool {
	select {
	case l.owed <- struct{}{}:
		return true
	case <-l.ended:
		return false
	}
}

func (l *Link) paid() { <-l.owed }

// serve answers a request frame (CMD-13) and returns when the result has left,
// or will not, since the bytes of the result are held until then.
func (l *Link) serve(f *protocol.Request) {
	result, free := l.cfg.Request(f)
	defer free()
	written := make(chan struct{})
	l.push(outgoing{text: result, written: func() { close(written) }})
	select {
	case <-written:
		l.paid()
	case <-l.ended:
	}
}
