package target

import (
	"context"
	"fmt"
	"io"
	"net"

	"github.com/oh-my-webbridge/omw/conformance/driver"
)

// BuiltinClient returns one of the clients that are wrong on purpose: "idle"
// never says what came of a command, "yes" says ok to each, and neither sends
// anything to the daemon. They show that the suite bites, as Builtin's daemons
// do.
func BuiltinClient(name string) (Target, error) {
	var c driver.Client
	switch name {
	case "idle":
		c = idle{}
	case "yes":
		c = yes{}
	default:
		return nil, fmt.Errorf("there is no builtin client %q; there are idle and yes", name)
	}
	serve := func(ctx context.Context, in io.Reader, out io.Writer, _ func(context.Context, string, string) (net.Conn, error)) error {
		return driver.Serve(ctx, in, out, name, "0", func(string, string) (driver.Client, error) { return c, nil })
	}
	return &ClientInProcess{Name: name, Serve: serve}, nil
}

type idle struct{}

func (idle) Close() {}

func (idle) Do(ctx context.Context, _ driver.Do) (driver.Outcome, string) {
	<-ctx.Done()
	return driver.Unknown, ""
}

type yes struct{}

func (yes) Close() {}

func (yes) Do(context.Context, driver.Do) (driver.Outcome, string) { return driver.OK, "" }
