//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"testing/fstest"
	"time"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// lies is a suite in which everything goes wrong that can: a rule each.
var lies = suite{
	plan: func() (*plan.Plan, error) {
		l, err := ledger.Parse(lyingLedger)
		if err != nil {
			return nil, fault(err)
		}
		p, err := plan.Parse(fstest.MapFS{"x/lies.feature": {Data: []byte(lyingFeature)}}, l)
		if err != nil {
			return nil, fault(err)
		}
		return p, nil
	},
	register: func(sc *godog.ScenarioContext, w *world.World) {
		sc.Given(`^it works$`, func() {})
		sc.Given(`^it fails$`, func() error { return w.Fail("broken", "it is broken") })
		sc.Given(`^it is hidden$`, func() error { return w.Unobservable("it has no log") })
		sc.Given(`^it is pending$`, func() error { return godog.ErrPending })
		sc.Given(`^it skips$`, func() error { return godog.ErrSkip })
		sc.Given(`^it panics$`, func() { panic("oh no") })
		sc.Given(`^it panics elsewhere$`, func() {
			done := make(chan struct{})
			go func() {
				defer close(done)
				panic("oh no, there")
			}()
			<-done
		})
		sc.Given(`^it is one of two$`, func() {})
		sc.Given(`^it is one of (two)$`, func(string) {})
		sc.Given(`^it hangs$`, func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		sc.Given(`^it leaks$`, func() { go func() { select {} }() })
		sc.Given(`^it would burn the machine$`, func() { panic("it burns") })
	},
	daemon: newDaemon,
}

const (
	lyingLedger = "id\tsource\tlevel\trole\tjudged\tobserver\tlanes\twait\tbrowser\tallowed\trule\n" +
		"A-01\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIt works.\n" +
		"A-02\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIt fails.\n" +
		"A-03\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIt is hidden.\n" +
		"B-01\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIts step is undefined.\n" +
		"B-02\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIts step is pending.\n" +
		"B-03\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIts step skips.\n" +
		"B-04\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIts step means two things.\n" +
		"B-05\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIt panics.\n" +
		"B-06\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIt panics elsewhere.\n" +
		"B-07\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIt hangs.\n" +
		"B-08\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIt leaks.\n" +
		"B-09\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tIt must not run.\n"

	lyingFeature = `Feature: Lies

  @A-01
  Scenario Outline: works
    * it works

    Examples:
      | n |
      | 1 |
      | 2 |
      | 3 |
      | 4 |

  @A-02
  Scenario: fails
    * it fails

  @A-02
  Scenario: passes beside it
    * it works

  @A-03
  Scenario: hidden
    * it is hidden

  @B-01
  Scenario: undefined
    * it works
    * it is nowhere defined

  @B-02
  Scenario: pending
    * it is pending

  @B-03
  Scenario: skips
    * it skips

  @B-04
  Scenario: ambiguous
    * it is one of two

  @B-05
  Scenario: panics
    * it panics

  @B-06
  Scenario: panics elsewhere
    * it panics elsewhere

  @B-07
  Scenario: hangs
    * it hangs

  @B-08
  Scenario: leaks
    * it leaks

  @B-09
  Scenario: burns
    * it would burn the machine
`
)

// tardy is our suite with a daemon that gives a command that names no time a
// second too long.
var tardy = suite{ours.plan, ours.register, func(dir string, limits protocol.Limits, log *slog.Logger) (target.Server, error) {
	limits.DefaultTimeout += time.Second
	return newDaemon(dir, limits, log)
}}

// frail is a daemon that says that it is up and then fails its user: it ends
// at the n-th connection, or it does not end when it is told to.
func frail() {
	if err := frailly(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "frail:", err)
		os.Exit(1)
	}
}

func frailly(how, dir, addr string) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if how == "deaf" {
		ctx = context.WithoutCancel(ctx)
	} else {
		n, err := strconv.Atoi(how)
		if err != nil {
			return errors.Join(err, ln.Close())
		}
		ln = &mortal{ln, n}
	}
	d, err := daemon.New(daemon.Config{Dir: dir, Version: "0"})
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	fmt.Println("up")
	return d.Serve(ctx, ln)
}

// mortal ends the program at its left-th connection.
type mortal struct {
	net.Listener
	left int
}

func (m *mortal) Accept() (net.Conn, error) {
	c, err := m.Listener.Accept()
	if m.left--; m.left <= 0 {
		fmt.Println("my heart")
		os.Exit(9)
	}
	return c, err
}
