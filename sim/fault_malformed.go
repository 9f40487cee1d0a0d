package sim

import (
	"strconv"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// WrongID answers a command that was never sent, and not this one: with ID, or
// with a name of its own if that is empty.
type WrongID struct{ ID string }

// Answer is Fault's.
func (f WrongID) Answer(x *Exchange, _ []byte, next func([]byte)) {
	if f.ID == "" {
		f.ID = "no-" + x.Start.ID
	}
	r := protocol.Result{ID: f.ID, OK: true}
	next(r.AppendTo(nil))
}

// NoResult answers ok without data.
type NoResult struct{}

// Answer is Fault's.
func (NoResult) Answer(x *Exchange, _ []byte, next func([]byte)) {
	next(malformed(x, `"ok":true`))
}

// ResultAndError answers ok with data and with an error too.
type ResultAndError struct{}

// Answer is Fault's.
func (ResultAndError) Answer(x *Exchange, _ []byte, next func([]byte)) {
	next(malformed(x, `"ok":true,"data":{},"error":{"code":"internal","message":"both"}`))
}

// BadError fails with an error that is no object with a known code: with the
// JSON text Error, or a plain string if that is empty.
type BadError struct{ Error string }

// Answer is Fault's.
func (f BadError) Answer(x *Exchange, _ []byte, next func([]byte)) {
	if f.Error == "" {
		f.Error = `"it failed"`
	}
	next(malformed(x, `"ok":false,"error":`+f.Error))
}

// malformed returns a result for x's command with those members.
func malformed(x *Exchange, members string) []byte {
	return []byte(`{"type":"result","id":` + strconv.Quote(x.Start.ID) + `,` + members + `}`)
}
