// Command omw is the daemon of oh-my-webbridge and everything that talks to it:
// pairing, commands for a browser, its status, a simulated browser.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		// The first signal ends what is under way, the second one the process.
		// Both are kept, so that none is lost between the two.
		<-signals
		cancel()
		<-signals
		os.Exit(exitFailed)
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
