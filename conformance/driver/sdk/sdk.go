// Package sdk lets the suite drive the Go SDK of this project as a client under
// test.
package sdk

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/driver"
	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Dial makes a connection to the daemon; nil means TCP.
type Dial func(ctx context.Context, network, addr string) (net.Conn, error)

// Serve speaks the driver's contract on in and out, with the SDK, until it is
// told to stop.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string, dial Dial) error {
	return driver.Serve(ctx, in, out, "omw SDK", version, func(url, token string) (driver.Client, error) {
		c, err := client.New(client.Options{Addr: strings.TrimPrefix(url, "http://"), Token: token, Dial: dial})
		if err != nil {
			return nil, err
		}
		return sdk{c}, nil
	})
}

type sdk struct{ client *client.Client }

func (s sdk) Close() { s.client.Close() }

func (s sdk) Do(ctx context.Context, do driver.Do) (driver.Outcome, string) {
	command := client.Command{Action: do.Action, Session: do.Session, Timeout: time.Duration(do.TimeoutMS) * time.Millisecond}
	if len(do.Args) > 0 {
		command.Args = do.Args
	}
	_, err := s.client.Do(ctx, command)
	return Outcome(err)
}

// Outcome is what an error of the SDK says of a command.
func Outcome(err error) (driver.Outcome, string) {
	if err == nil {
		return driver.OK, ""
	}
	e, ok := errors.AsType[*protocol.Error](err)
	switch {
	case !ok:
		return driver.Error, ""
	case e.Code.Definite():
		return driver.Error, string(e.Code)
	}
	return driver.Unknown, string(e.Code)
}
