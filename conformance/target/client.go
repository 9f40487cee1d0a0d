package target

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync/atomic"

	"github.com/oh-my-webbridge/omw/conformance/driver"
)

// Client is a target of the role client: the client of an agent, which speaks
// the driver's contract (package driver). The suite plays the daemon. Its
// methods may be called from several goroutines.
//
// A run judges a Target, so a Client is one, too, whose Start says that it is no
// daemon.
type Client interface {
	Target
	// Launch starts the client and tells it where the daemon is. One that does not
	// come up is a *StartError. The caller owns what it returns and must call its
	// Release.
	Launch(ctx context.Context, setup ClientSetup) (Driven, error)
}

// ClientSetup says how one client is to be started.
type ClientSetup struct {
	// Scratch is a directory that the client may fill; the caller removes it
	// after the client has ended.
	Scratch string
	// Network is where the client dials the daemon.
	Network Network
	// URL is the daemon's address, as http://127.0.0.1:17373, Token its token.
	URL, Token string
}

// Driven is one client that was started. Its methods may be called from several
// goroutines.
type Driven interface {
	// Do asks it for a command and returns the channel on which it will say what
	// came of it; the channel is closed without that if it ends first.
	Do(do driver.Do) (<-chan driver.Done, error)
	// Died returns why it ended without being asked to, or nil. A client that
	// says on its standard output what the contract does not know has died.
	Died() error
	// Logs returns what it has written to standard error, the last 1 MiB of it.
	Logs() (string, error)
	// Release tells it to stop, and ends it if it does not.
	Release(ctx context.Context) error
}

// ClientInProcess is a client as a goroutine of this process, behind the same
// contract as any other.
type ClientInProcess struct {
	NoDaemon

	// Serve is the client: it speaks the contract on in and out until it is told
	// to stop, and dials the daemon by dial.
	Serve func(ctx context.Context, in io.Reader, out io.Writer, dial func(ctx context.Context, network, addr string) (net.Conn, error)) error
	// Name is what reports call it.
	Name string
	// Code is the directory of its source, "" if that is not at hand.
	Code string
}

// Info describes the target.
func (t *ClientInProcess) Info() Info {
	return Info{Kind: "inproc", Name: t.Name, Strict: true, Source: t.Code}
}

// Launch starts the client.
func (t *ClientInProcess) Launch(ctx context.Context, setup ClientSetup) (Driven, error) {
	toClient, stdin := io.Pipe()
	stdout, fromClient := io.Pipe()
	// The client outlives ctx, which is the one of a step.
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &inProcessClient{Driver: driver.New(stdin, stdout), cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(c.ended)
		c.err = t.Serve(run, toClient, fromClient, setup.Network.Dial)
		// Whoever still writes or reads finds the other end gone.
		_ = toClient.CloseWithError(driver.ErrEnded)
		_ = fromClient.Close()
	}()
	if _, err := c.Start(ctx, setup.URL, setup.Token); err != nil {
		_ = c.Release(ctx)
		return nil, &StartError{Reason: err.Error()}
	}
	return c, nil
}

type inProcessClient struct {
	*driver.Driver
	cancel context.CancelFunc
	ended  chan struct{}
	err    error
	asked  atomic.Bool
}

func (c *inProcessClient) Died() error {
	select {
	case <-c.Over():
	default:
		return nil
	}
	if c.asked.Load() {
		return nil
	}
	return fmt.Errorf("the client ended by itself: %w", c.Err())
}

func (c *inProcessClient) Logs() (string, error) {
	return "", Hidden("a client in the process has no standard error")
}

func (c *inProcessClient) Release(ctx context.Context) error {
	c.asked.Store(true)
	_ = c.Stop()
	defer c.cancel()
	select {
	case <-c.ended:
	case <-ctx.Done():
		c.cancel()
		<-c.ended
	}
	<-c.Over()
	return c.err
}
