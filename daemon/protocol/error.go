package protocol

import (
	"errors"
	"fmt"
)

// Delivered says whether a failed command may have left the daemon.
type Delivered string

// DeliveredNo: the daemon knows that the command never left it.
// DeliveredUnknown: it may have. The zero value says nothing, as for the
// answers of a browser.
const (
	DeliveredNo      Delivered = "no"
	DeliveredUnknown Delivered = "unknown"
)

// Error is an error of the wire. Message says what is wrong and what to do; it
// never holds the token.
type Error struct {
	Code      Code
	Message   string
	Delivered Delivered
}

// Errorf returns an error of the wire that a browser never saw: delivered "no".
func Errorf(code Code, format string, a ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, a...), Delivered: DeliveredNo}
}

// Unknown returns an outcome_unknown. Delivered is DeliveredNo when the daemon
// knows that the command never left it.
func Unknown(delivered Delivered, format string, a ...any) *Error {
	return &Error{Code: OutcomeUnknown, Message: fmt.Sprintf(format, a...), Delivered: delivered}
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// AsError returns err as an error of the wire. An error that is none becomes
// an internal one, whose message does not repeat it, since it may hold what
// must not be told.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Errorf(Internal, "the daemon failed in a way it did not foresee; its log says more")
}
