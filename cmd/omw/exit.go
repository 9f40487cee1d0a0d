package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// The exit codes. They are told apart because what to do next differs.
const (
	exitOK           = 0
	exitFailed       = 1
	exitUsage        = 2
	exitNotConnected = 3
	exitUnknown      = 4
)

const exitHelp = `Exit codes:
  0  done
  1  a definite error: it did not happen, or it failed in the way that the error says
  2  the command line is wrong
  3  nothing is connected: no daemon runs there, or no browser
  4  nobody knows whether it happened: look at the page before you run it again
`

// usageError is an error of the command line that only a verb could see.
type usageError struct{ err error }

func (u *usageError) Error() string { return u.err.Error() }
func (u *usageError) Unwrap() error { return u.err }

func usagef(format string, a ...any) error { return &usageError{fmt.Errorf(format, a...)} }

// asUsage makes err one of the command line of that verb.
func asUsage(verb string, err error) error {
	if _, ok := errors.AsType[*usageError](err); ok {
		return err
	}
	return usagef("%s: %w", verb, err)
}

// ended is the error of a verb that has told everything and ends with a code.
type ended struct{ code int }

func (e ended) Error() string { return fmt.Sprintf("exit %d", e.code) }

// answered is an error of the daemon together with the id of its command.
type answered struct {
	id  string
	err error
}

func (a *answered) Error() string { return a.err.Error() }
func (a *answered) Unwrap() error { return a.err }

// report tells what went wrong in the verb cmd and returns the exit code.
func (p *program) report(cmd *cobra.Command, err error) int {
	if err == nil {
		return exitOK
	}
	if e, ok := errors.AsType[ended](err); ok {
		return e.code
	}
	if _, usage := errors.AsType[*usageError](err); usage || !p.ran {
		_, _ = fmt.Fprintf(p.err, "omw: %s\nSee: %s --help\n", clean(usageText(cmd, err)), cmd.CommandPath())
		return exitUsage
	}
	wire, ok := errors.AsType[*protocol.Error](err)
	if !ok {
		wire = &protocol.Error{Code: protocol.Internal, Message: err.Error(), Delivered: protocol.DeliveredNo}
	}
	if p.json {
		var a answered
		if e, ok := errors.AsType[*answered](err); ok {
			a = *e
		}
		_, _ = fmt.Fprintf(p.out, "%s\n", protocol.AppendError(nil, a.id, wire))
	} else if ok {
		_, _ = fmt.Fprintln(p.err, clean(errorLine(wire, p.asked.again())))
	} else {
		_, _ = fmt.Fprintf(p.err, "omw: %s\n", clean(wire.Message))
	}
	return exitCode(wire.Code)
}

func exitCode(c protocol.Code) int {
	switch c {
	case protocol.NotConnected:
		return exitNotConnected
	case protocol.OutcomeUnknown:
		return exitUnknown
	}
	return exitFailed
}
