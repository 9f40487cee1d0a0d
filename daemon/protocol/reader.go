package protocol

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// reader is a decoder over bytes that are already here. Readers are pooled,
// since every command and every result needs some.
type reader struct {
	dec *jsontext.Decoder
	buf *bytes.Buffer
	grammar
}

var readers = sync.Pool{New: func() any {
	buf := new(bytes.Buffer)
	return &reader{dec: jsontext.NewDecoder(buf), buf: buf}
}}

// open returns a reader of b, which it does not copy or change. Close gives it back.
func (g grammar) open(b []byte) *reader {
	r := readers.Get().(*reader)
	*r.buf = *bytes.NewBuffer(b)
	r.dec.Reset(r.buf, g...)
	r.grammar = g
	return r
}

func (r *reader) close() {
	// The pool must not keep a message alive.
	*r.buf = bytes.Buffer{}
	r.dec.Reset(r.buf)
	readers.Put(r)
}

// end reports what stands behind the value that was read.
func (r *reader) end() error {
	at := r.dec.InputOffset()
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return fmt.Errorf("something stands behind it, at byte %d", at)
	}
	return nil
}
