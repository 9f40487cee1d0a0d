// Package target starts and drives the daemon under test without knowing
// which one it is: a goroutine of this process, a child process that a target
// file describes, or an address where one runs already (KIT-05). TARGETS.md in
// the folder above says how an implementer writes a target file.
//
// A target says what it cannot do with an *Unobservable error. A scenario that
// meets one is named unobservable and never counts as passed (KIT-01).
package target

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
)

// Target is a daemon that can be started as often as a run needs it. Its
// methods may be called from several goroutines.
type Target interface {
	// Info describes the target for the header of a run.
	Info() Info
	// Start starts a daemon and returns once it accepts connections. A daemon
	// that does not come up is a *StartError. The caller owns the instance and
	// must call its Release.
	Start(ctx context.Context, setup Setup) (Instance, error)
}

// Info describes a target. It holds no secret and no path of this machine but
// the name that the user gave.
type Info struct {
	// Kind is inproc, exec, url or builtin.
	Kind string `json:"kind"`
	// Name is what the target is called.
	Name string `json:"name"`
	// Strict targets must do what this project decided; what a seed permits
	// beside it fails them. Strangers' targets are not strict.
	Strict bool `json:"strict"`
	// Serial targets serve one scenario at a time.
	Serial bool `json:"serial,omitempty"`
	// Source is the directory of the daemon's source, "" if it cannot be read.
	// It is not part of the header.
	Source string `json:"-"`
}

// Setup says how one daemon is to be started. The zero value of a field but
// Scratch and Network leaves it to the target.
type Setup struct {
	// Scratch is a directory that the target may fill; the caller removes it
	// after the instance has ended.
	Scratch string
	// Network is where the daemon listens and is dialled.
	Network Network
	// ConfigDir is the configuration directory; by default a directory below
	// Scratch that does not exist yet.
	ConfigDir string
	// Addr is where the daemon is told to listen, by default a free port of
	// 127.0.0.1. With DefaultAddr it is told nothing.
	Addr        string
	DefaultAddr bool
	// Args are further arguments of the daemon's command line.
	Args []string
	// Env are further variables of the daemon's environment, as KEY=value.
	Env []string
	// Umask is the daemon's umask; nil leaves the one of the suite.
	Umask *int
}

// Network is where daemons listen and are dialled: TCP, or the in-memory
// network of the virtual lane.
type Network interface {
	// Listen announces on the address; port 0 means a free one.
	Listen(ctx context.Context, addr string) (net.Listener, error)
	// Dial connects to an address that Listen announced.
	Dial(ctx context.Context, network, addr string) (net.Conn, error)
}

// Instance is one daemon that was started. Its methods may be called from
// several goroutines, those that start and end it from one at a time.
type Instance interface {
	// Addr is the address that the daemon listens at, as 127.0.0.1:17373. It
	// stays the same over a restart.
	Addr() string
	// Dial connects to the daemon, whatever the address says, so that it can be
	// the DialContext of an http.Transport.
	Dial(ctx context.Context, network, addr string) (net.Conn, error)
	// Token returns the daemon's token as it stands now.
	Token(ctx context.Context) (string, error)
	// Code makes a new pairing code and returns it.
	Code(ctx context.Context) (string, error)
	// ConfigDir returns the daemon's configuration directory.
	ConfigDir() (string, error)
	// Signal sends a signal to the daemon and does not wait. The daemon is then
	// free to end.
	Signal(sig os.Signal) error
	// Wait waits until the daemon has ended and returns its exit status, -1 if a
	// signal ended it.
	Wait(ctx context.Context) (status int, err error)
	// Stop asks the daemon to end, as SIGTERM does, and waits until it has. A
	// daemon that has ended already is no error; one that does not end, or ends
	// with another status than 0, is.
	Stop(ctx context.Context) error
	// Kill ends the daemon without notice, as SIGKILL does, and waits.
	Kill(ctx context.Context) error
	// Start starts the daemon again after Stop, Kill or a death of its own, with
	// the same address and configuration directory.
	Start(ctx context.Context) error
	// Died returns why the daemon ended without being asked to, or nil.
	Died() error
	// Logs returns what the daemon has written to standard output and standard
	// error, over all its starts, the last 1 MiB of it.
	Logs() (string, error)
	// Pid returns the daemon's process id.
	Pid() (int, error)
	// Release gives the instance back at the end of a scenario: what Start began
	// is stopped, what was there before is left alone.
	Release(ctx context.Context) error
}

// Restart stops the instance and starts it again.
func Restart(ctx context.Context, i Instance) error {
	if err := i.Stop(ctx); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	if err := i.Start(ctx); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	return nil
}

// Unobservable is the error of what a target cannot show.
type Unobservable struct {
	// What says what cannot be observed or done, and why.
	What string
}

func (u *Unobservable) Error() string { return "unobservable: " + u.What }

// Hidden returns an *Unobservable.
func Hidden(format string, a ...any) error { return &Unobservable{What: fmt.Sprintf(format, a...)} }

// IsUnobservable returns the *Unobservable in err's chain.
func IsUnobservable(err error) (*Unobservable, bool) {
	return errors.AsType[*Unobservable](err)
}

// StartError is the error of a daemon that did not come up. A scenario may
// expect it.
type StartError struct {
	// Reason says what happened instead.
	Reason string
	// Exited is true if the daemon ended, with Status; else it hung or could not
	// be executed at all.
	Exited bool
	Status int
	// Output is what the daemon wrote, the last 64 KiB.
	Output string
}

func (e *StartError) Error() string { return "start the daemon: " + e.Reason }

// TCP is the Network of the machine's loopback interface.
type TCP struct{}

// Listen announces on a TCP address.
func (TCP) Listen(ctx context.Context, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	return lc.Listen(ctx, "tcp", addr)
}

// Dial connects to a TCP address.
func (TCP) Dial(ctx context.Context, _, addr string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", addr)
}
