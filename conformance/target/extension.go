package target

import (
	"context"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Extension is a target of the role extension: a browser with the extension
// under test in it, which can be started as often as a run needs it. The suite
// plays the daemon. Its methods may be called from several goroutines.
//
// A run judges a Target, so an Extension is one, too, whose Start says that it
// is no daemon; NoDaemon is such a Start.
type Extension interface {
	Target
	// Browser says which browser it claims to be.
	Browser() protocol.Browser
	// Open starts a browser with the extension in it and returns; the extension
	// connects by itself. One that cannot be started is a *StartError. The caller
	// owns the browser and must call its Release.
	Open(ctx context.Context, setup BrowserSetup) (Browser, error)
}

// BrowserSetup says how one browser is to be started.
type BrowserSetup struct {
	// Scratch is a directory that the target may fill; the caller removes it
	// after the browser has ended.
	Scratch string
	// Network is where the daemon is dialled.
	Network Network
	// Addr is where the daemon listens, Token the token that it knows.
	Addr, Token string
	// Code is a pairing code that the daemon redeems for the token.
	Code string
	// PersonTabs are the URLs of tabs that the person has open.
	PersonTabs []string
	// Seed decides every chance that the target can be given.
	Seed uint64
}

// Browser is one browser that was started. Its methods may be called from
// several goroutines. What a target cannot do is an *Unobservable.
type Browser interface {
	// Suspend stops the extension's background, as the browser does with one that
	// is idle, and returns when it has stopped. The browser starts it again by
	// itself, at the extension's alarm.
	Suspend(ctx context.Context) error
	// PictureTime is how long it takes to make one picture, which the suite needs
	// to see how many are made at a time (LIMIT-10).
	PictureTime() (time.Duration, error)
	// Died returns why the browser ended without being asked to, or nil.
	Died() error
	// Logs returns what it has written to standard output and standard error,
	// the last 1 MiB of it.
	Logs() (string, error)
	// Release ends the browser.
	Release(ctx context.Context) error
}

// NoDaemon is a part of targets that are no daemons.
type NoDaemon struct{}

// Start says that the target is no daemon.
func (NoDaemon) Start(context.Context, Setup) (Instance, error) {
	return nil, Hidden("the target is no daemon")
}
