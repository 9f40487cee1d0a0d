package main

import (
	"fmt"
	"io"
	"time"
)

const (
	// quietTime is how long a command may take before a terminal is told that it
	// is under way.
	quietTime = 2 * time.Second
	// eraseLine goes to the line's begin and takes away what stands there.
	eraseLine = "\r\x1b[K"
)

// progress shows on a terminal how long a command is under way, in one line that
// is gone when end is called. End returns when nothing more will be written.
func progress(w io.Writer, limit time.Duration) (end func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		begin := time.Now()
		next := time.NewTimer(quietTime)
		defer next.Stop()
		for shown := false; ; shown = true {
			select {
			case <-next.C:
				_, _ = fmt.Fprintf(w, "%swaiting for the browser: %s of %s", eraseLine, time.Since(begin).Round(time.Second), limit)
				next.Reset(time.Second)
			case <-stop:
				if shown {
					_, _ = io.WriteString(w, eraseLine)
				}
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-done
	}
}
