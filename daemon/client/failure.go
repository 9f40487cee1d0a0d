package client

import (
	"context"
	"errors"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// failure is an error of the wire together with what caused it, so that
// errors.As finds the first and errors.Is the second.
type failure struct {
	wire  *protocol.Error
	cause error
}

func (f *failure) Error() string   { return f.wire.Error() }
func (f *failure) Unwrap() []error { return []error{f.wire, f.cause} }

// withCause adds the end of a context, if that is what err is about, to wire.
func withCause(wire *protocol.Error, err error) error {
	for _, cause := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, cause) {
			return &failure{wire, cause}
		}
	}
	return wire
}

// notSent is the error of a request of which no byte left this process.
func notSent(err error) error {
	if _, ok := errors.AsType[*protocol.Error](err); ok {
		return err
	}
	switch {
	case errors.Is(err, context.Canceled):
		return withCause(protocol.Errorf(protocol.RequestTimeout, "it was cancelled before anything was sent"), err)
	case errors.Is(err, context.DeadlineExceeded):
		return withCause(protocol.Errorf(protocol.RequestTimeout, "its time was over before anything was sent"), err)
	}
	return protocol.Errorf(protocol.NotConnected, "the connection to the daemon failed before anything was sent: %s", err)
}

// unanswered is the error of a request that may have arrived and has no answer.
func unanswered(err error) error {
	why := "the connection to the daemon broke before the answer came"
	switch {
	case errors.Is(err, context.Canceled):
		why = "it was cancelled while the answer was awaited"
	case errors.Is(err, context.DeadlineExceeded):
		why = "the daemon did not answer in time"
	}
	return withCause(unknown("%s", why), err)
}

// unknown is an outcome_unknown of this side.
func unknown(format string, a ...any) *protocol.Error {
	return protocol.Unknown(protocol.DeliveredUnknown, format+"; it may have run: look at the page before asking again", a...)
}
