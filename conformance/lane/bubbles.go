package lane

import (
	"errors"
	"flag"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Bubbles runs functions in bubbles of testing/synctest, as many at a time as
// its user asks for. It is safe for concurrent use.
type Bubbles struct{ t *testing.T }

// InTest returns bubbles for a Go test. They must not be used after t has ended.
func InTest(t *testing.T) *Bubbles { return &Bubbles{t} }

var host struct {
	once    sync.Once
	bubbles *Bubbles
	err     error
}

// InProcess returns bubbles for an ordinary program. The testing package gives
// a *testing.T to tests alone and ends its process after them, so the first
// call starts one test in a goroutine that lasts as long as the program, which
// ends by returning from main as always. The program's own flags are not read.
func InProcess() (*Bubbles, error) {
	host.once.Do(func() {
		// A program that a test binary plays has not had its flags parsed.
		if testing.Testing() && flag.Parsed() {
			host.err = errors.New("start bubbles: a Go test has bubbles of its own, by InTest")
			return
		}
		host.bubbles = start()
	})
	return host.bubbles, host.err
}

func start() *Bubbles {
	testing.Init()
	if !flag.Parsed() {
		// Parsing no arguments keeps the testing package from parsing os.Args.
		_ = flag.CommandLine.Parse(nil)
	}
	started := make(chan *testing.T)
	forever := func(t *testing.T) {
		started <- t
		select {}
	}
	all := func(_, _ string) (bool, error) { return true, nil }
	go testing.Main(all, []testing.InternalTest{{Name: "bubbles", F: forever}}, nil, nil)
	return &Bubbles{<-started}
}

// Run runs f in a bubble of its own and returns when f and every goroutine
// that it started have ended. A panic of f is a *Panic, goroutines that are
// left behind or a wait without end are a *Leak; these never end. A bubble
// that does not come to rest, because a goroutine in it waits for a mutex, a
// file or a real socket, is a *Hang after patience by the wall.
//
// A panic in another goroutine that f started ends the process, as it would
// anywhere.
func (b *Bubbles) Run(patience time.Duration, f func()) error {
	done := make(chan error, 1)
	var id atomic.Value
	id.Store("")
	go func() {
		// synctest.Test ends this goroutine when the race detector has found
		// something in the bubble.
		err := error(&Panic{Value: "the race detector reported a race, see standard error"})
		defer func() {
			if v := recover(); v != nil {
				err = deadlock(v, id.Load().(string))
			}
			done <- err
		}()
		err = b.run(func() {
			id.Store(bubble())
			f()
		})
	}()
	err := await(done, patience)
	if hang, ok := errors.AsType[*Hang](err); ok {
		hang.Stacks = stacks(id.Load().(string))
	}
	return err
}

func (b *Bubbles) run(f func()) error {
	var failed error
	synctest.Test(b.t, func(*testing.T) {
		done := make(chan error, 1)
		// A goroutine of its own, since runtime.Goexit in the one of a test ends
		// the process.
		go guard(done, f)
		failed = <-done
	})
	return failed
}

// guard runs f and sends what became of it.
func guard(done chan<- error, f func()) {
	err := error(&Panic{Value: "the scenario's goroutine ended early"})
	defer func() {
		if v := recover(); v != nil {
			err = &Panic{Value: fmt.Sprint(v), Stack: string(debug.Stack())}
		}
		done <- err
	}()
	f()
	err = nil
}

// deadlock returns the error of what synctest.Test panicked with.
func deadlock(v any, bubble string) error {
	err, ok := v.(error)
	if !ok {
		return &Panic{Value: fmt.Sprint(v), Stack: string(debug.Stack())}
	}
	return &Leak{Reason: err.Error(), Stacks: stacks(bubble)}
}
