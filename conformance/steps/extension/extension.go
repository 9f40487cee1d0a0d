// Package extension is what the sentences of the scenarios mean that judge an
// extension, and the simulator as one. The suite plays the daemon, and what it
// judges is what passes on the wire alone.
package extension

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// Sentences is where sentences are registered.
type Sentences interface {
	Given(expr string, does any)
	When(expr string, does any)
	Then(expr string, does any)
}

// Register adds the sentences of one scenario. Those of one matter stand in a
// file of their own, listed at its register function.
func Register(sc Sentences, w *world.World) {
	x := &ext{w: w, token: strings.Repeat("t", 40) + "-_0", code: "271828", named: map[string]*command{}, inboxes: map[*sim.Socket]*inbox{}}
	registerManners(sc, x)
	registerLink(sc, x)
	registerTries(sc, x)
	registerHello(sc, x)
	registerDoor(sc, x)
	registerCommands(sc, x)
	registerAnswers(sc, x)
	registerTabs(sc, x)
	registerLarge(sc, x)
	registerPictures(sc, x)
	registerBuffer(sc, x)
	registerSimulator(sc, x)
}

// ext is what the sentences about an extension share. Steps run one after the
// other.
type ext struct {
	w *world.World

	token, code string
	setup       target.BrowserSetup
	manners     sim.Manners
	d           *sim.Daemon
	// via is the address of what stands before the daemon, "" if nothing does.
	via string
	b   target.Browser
	// stopped is when the background was stopped last.
	stopped time.Time

	orders  []*command
	named   map[string]*command
	inboxes map[*sim.Socket]*inbox
	// unread is the connection that the daemon has stopped reading.
	unread *sim.Socket
}

// daemon returns the daemon that the suite plays, which listens from the first
// call on.
func (x *ext) daemon(ctx context.Context) (*sim.Daemon, error) {
	if x.d != nil {
		return x.d, nil
	}
	ln, err := x.w.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("play the daemon: %w", err)
	}
	x.w.Transcript.Secret(x.token)
	x.d = sim.NewDaemon(ln, sim.DaemonConfig{Token: x.token, Code: x.code, Trace: x.trace})
	x.d.Behave(x.manners)
	x.w.Cleanup(x.d.Close)
	return x.d, nil
}

func (x *ext) trace(e sim.TraceEvent) {
	switch {
	case e.Kind == "end":
		x.w.Transcript.Note("daemon", "connection %d ended: %s", e.Conn, e.Frame)
	case e.Dir == sim.In:
		x.w.Transcript.Sent("extension", e.Frame)
	default:
		x.w.Transcript.Sent("daemon", e.Frame)
	}
}

// start starts the browser with the extension under test.
func (x *ext) start(ctx context.Context) error {
	if x.b != nil {
		return errors.New("the extension was started already")
	}
	d, err := x.daemon(ctx)
	if err != nil {
		return err
	}
	x.setup.Addr, x.setup.Token, x.setup.Code = cmp.Or(x.via, d.Addr()), x.token, x.code
	x.b, err = x.w.Open(ctx, x.setup)
	return err
}

// connects starts the extension and waits until it has said hello and was
// welcomed.
func (x *ext) connects(ctx context.Context) error {
	if err := x.start(ctx); err != nil {
		return err
	}
	if _, ok := x.welcomedBy(ctx, 1); !ok {
		return x.fail("not-connected", "connects to the daemon at the address that it was given, asks for the proof, "+
			"opens the WebSocket /extension and says hello", "it has not come: %s", x.seen())
	}
	return nil
}

// welcomedBy waits for the n-th connection that was welcomed.
func (x *ext) welcomedBy(ctx context.Context, n int) (*sim.Socket, bool) {
	var s *sim.Socket
	ok := x.reached(ctx, func() bool {
		all := x.welcomed()
		if len(all) >= n {
			s = all[n-1]
		}
		return s != nil
	})
	return s, ok
}

// welcomed returns the connections that were welcomed so far.
func (x *ext) welcomed() []*sim.Socket {
	var all []*sim.Socket
	for _, s := range x.d.Sockets() {
		if _, ok := s.Welcomed(); ok {
			all = append(all, s)
		}
	}
	return all
}

// link returns the last connection that was welcomed.
func (x *ext) link() (*sim.Socket, error) {
	if x.d != nil {
		if all := x.welcomed(); len(all) > 0 {
			return all[len(all)-1], nil
		}
	}
	return nil, errors.New("no extension is connected in this scenario yet")
}

// reached is scene's: by now in the virtual lane, in good time in the real one.
func (x *ext) reached(ctx context.Context, cond func() bool) bool {
	if x.w.Clock.Exact() {
		x.w.Clock.Settle()
		return cond()
	}
	return x.w.Clock.Until(ctx, cond) == nil
}

// seen says what the daemon has seen of the extension, for reasons.
func (x *ext) seen() string {
	asked := x.d.Requests()
	if len(asked) == 0 {
		return fmt.Sprintf("%d connections, no request", len(x.d.Contacts()))
	}
	last := asked[len(asked)-1]
	return fmt.Sprintf("%d connections, %d requests, the last one %s %s at %s, answered %d",
		len(x.d.Contacts()), len(asked), last.Method, last.Path(), x.at(last.At), last.Status)
}

// at returns a moment as the time since the scenario began.
func (x *ext) at(t time.Time) string { return "+" + x.since(t).String() }

func (x *ext) since(t time.Time) time.Duration {
	return x.w.Elapsed() - x.w.Clock.Since(t)
}

// fail returns the failure of an assertion of the scenario's rule: what was
// seen, and what a conformant extension does.
func (x *ext) fail(check, does, format string, a ...any) error {
	return x.w.Fail(check, "%s (at %s); a conformant extension %s", fmt.Sprintf(format, a...), x.at(x.w.Clock.Now()), does)
}

// browser returns the browser that the extension under test runs in.
func (x *ext) browser() (protocol.Browser, error) {
	e, err := x.w.Extension()
	if err != nil {
		return "", err
	}
	return e.Browser(), nil
}

// grace is how long something may be under way on a busy machine.
const grace = time.Second

// browserNamed returns the browser that a sentence calls Chrome or Firefox.
func browserNamed(name string) protocol.Browser { return protocol.Browser(strings.ToLower(name)) }
