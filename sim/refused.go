package sim

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Refused is a daemon's refusal of the upgrade, or of what was asked before it.
type Refused struct {
	// What was refused: "GET /ping", "POST /extension" or "the upgrade".
	What   string
	Status int
	// Code and Message are those of the body's error; empty if it holds none.
	Code    protocol.Code
	Message string
	Header  http.Header
	// Asked is the status of POST /extension, which Chrome asks after a refused
	// upgrade, since a browser cannot see that refusal's own; 0 if it was not asked.
	Asked int
}

func (r *Refused) Error() string {
	return fmt.Sprintf("%s was refused with %d %s: %s", r.What, r.Status, r.Code, r.Message)
}

// Closed is the end of a connection before its welcome.
type Closed struct {
	// Code and Reason are those of the daemon's close frame; Code is 1006 if
	// the connection ended without one (RFC 6455, section 7.1.5).
	Code   int
	Reason string
}

func (c *Closed) Error() string {
	return fmt.Sprintf("the daemon closed the connection before its welcome: %d %s", c.Code, c.Reason)
}

// ErrImpostor is Connect's when who listens cannot prove that it knows the
// token (AUTH-20). The token was not sent.
var ErrImpostor = errors.New("who listens there does not know the token")

// ErrNotConnected is the error of verbs that need a connection.
var ErrNotConnected = errors.New("the simulated browser is not connected")

// ErrSuspended means that the background is frozen: it sends nothing until it
// is thawed.
var ErrSuspended = errors.New("the simulated browser's background is suspended")

// ErrConnected is Connect's when the Browser is connected already.
var ErrConnected = errors.New("the simulated browser is connected already")

// ErrClosed is the error of verbs of a Browser that was closed.
var ErrClosed = errors.New("the simulated browser was closed")
