package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/driver/sdk"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
)

// openClient is openTarget for clients.
func openClient(spec string) (target.Target, ledger.Lane, error) {
	kind, rest, _ := strings.Cut(spec, ":")
	switch {
	case spec == "inproc":
		return inProcessClient(), ledger.Virtual, nil
	case kind == "exec":
		t, err := target.ExecClient(rest)
		return t, ledger.Real, err
	case kind == "builtin":
		t, err := target.BuiltinClient(rest)
		return t, ledger.Virtual, err
	}
	return nil, "", fmt.Errorf("--target %q is no target of the role client; there are inproc, which is the Go SDK, and exec:CMD, "+
		"a command that speaks the driver's contract (conformance/CLIENTS.md)", spec)
}

// inProcessClient is the SDK of this project.
func inProcessClient() target.Target {
	t := &target.ClientInProcess{
		Name: "omw SDK",
		Serve: func(ctx context.Context, in io.Reader, out io.Writer, dial func(context.Context, string, string) (net.Conn, error)) error {
			return sdk.Serve(ctx, in, out, conformance.Version, dial)
		},
	}
	if dir, err := os.Getwd(); err == nil {
		if source := target.FindSource(dir); source != "" {
			t.Code = filepath.Join(source, "client")
		}
	}
	return t
}
