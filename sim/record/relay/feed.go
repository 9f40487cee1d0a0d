package relay

import (
	"errors"
	"io"
	"iter"
)

// feed lets a parser that reads be given its input piece by piece: it runs until
// it wants more than there is, and goes on at the next push. It must be ended.
type feed struct {
	piece []byte
	err   error
	yield func(struct{}) bool
	next  func() (struct{}, bool)
	stop  func()
}

var errAbandoned = errors.New("nothing more is parsed")

func newFeed(parse func(r io.Reader)) *feed {
	f := &feed{}
	f.next, f.stop = iter.Pull(func(yield func(struct{}) bool) {
		f.yield = yield
		parse(f)
	})
	return f
}

// Read is the parser's.
func (f *feed) Read(p []byte) (int, error) {
	for len(f.piece) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		if !f.yield(struct{}{}) {
			f.err = errAbandoned
		}
	}
	n := copy(p, f.piece)
	f.piece = f.piece[n:]
	return n, nil
}

// push gives the parser p, which it does not keep.
func (f *feed) push(p []byte) {
	f.piece = p
	f.next()
	f.piece = nil
}

// end lets the parser read err behind what it was given.
func (f *feed) end(err error) {
	f.err = err
	f.next()
	f.stop()
}
