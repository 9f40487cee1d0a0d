package protocol

import (
	"bytes"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// reader is a decoder over bytes that are already here. Readers are pooled,
// since every command and every result needs some.
type reader struct {
	dec *jsontext.Decoder
	buf *bytes.Buffer
}

var readers = sync.Pool{New: func() any {
	buf := new(bytes.Buffer)
	return &reader{jsontext.NewDecoder(buf, lenient), buf}
}}

// open returns a reader of b, which it does not copy or change. Close gives it back.
func open(b []byte) *reader {
	r := readers.Get().(*reader)
	*r.buf = *bytes.NewBuffer(b)
	r.dec.Reset(r.buf, lenient)
	return r
}

func (r *reader) close() {
	// The pool must not keep a message alive.
	*r.buf = bytes.Buffer{}
	r.dec.Reset(r.buf, lenient)
	readers.Put(r)
}

// end reports what stands behind the value that was read.
func (r *reader) end() *fault {
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return faultf("has something behind it, at byte %d", r.dec.InputOffset())
	}
	return nil
}
