package steps

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// addresses is what a scenario about where daemons listen has started.
type addresses struct {
	*auth
	daemon *world.Daemon
}

func registerAddress(sc sentences, a *auth) {
	l := &addresses{auth: a}
	sc.When(`^a daemon is told to listen at a free port of 127\.0\.0\.1$`, func(ctx context.Context) error { return l.start(ctx, target.Setup{}) })
	sc.When(`^a daemon is told to listen at (\S+)$`, l.startAt)
	sc.When(`^a daemon is told no address$`, func(ctx context.Context) error { return l.start(ctx, target.Setup{DefaultAddr: true}) })
	sc.Then(`^it refuses to start$`, a.refusesToStart)
	sc.Then(`^it answers there$`, l.answers)
	sc.Then(`^at no other address of this machine$`, l.answersNowhereElse)
	sc.Then(`^it listens at 127\.0\.0\.1:17373, or says that this is taken$`, l.listensAtDefault)
}

// start starts a daemon that may refuse. The listener of a daemon in this
// process is the suite's own and shows nothing.
func (l *addresses) start(ctx context.Context, setup target.Setup) error {
	if l.w.Target().Kind == "inproc" {
		return l.w.Unobservable("a daemon in the process is given its listener")
	}
	l.daemon, l.starting = l.w.Start(ctx, setup)
	if _, hidden := target.IsUnobservable(l.starting); hidden {
		return l.starting
	}
	return nil
}

func (l *addresses) startAt(ctx context.Context, addr string) error {
	addr, err := machineNamed(addr)
	if err != nil {
		return err
	}
	return l.start(ctx, target.Setup{Addr: addr})
}

// refusesToStart judges the last start of a daemon that should not come up.
func (a *auth) refusesToStart() error {
	if a.starting == nil {
		return a.w.Fail("started", "the daemon starts all the same")
	}
	e, ok := errors.AsType[*target.StartError](a.starting)
	switch {
	case !ok:
		return a.starting
	case !e.Exited:
		return a.w.Fail("not-refused", "the daemon neither started nor ended: %s", e.Reason)
	case e.Status == 0:
		return a.w.Fail("status", "the daemon ended with status 0, as if it had done what it was told")
	}
	return nil
}

func (l *addresses) answers() error {
	if l.starting != nil {
		return l.w.Fail("no-start", "the daemon does not start at 127.0.0.1: %v", l.starting)
	}
	if !dials(l.daemon.Addr()) {
		return l.w.Fail("no-answer", "nobody listens at %s", l.daemon.Addr())
	}
	return nil
}

// answersNowhereElse dials the daemon's port at every other address that this
// machine has, and at another one of its loopback network.
func (l *addresses) answersNowhereElse() error {
	_, port, err := net.SplitHostPort(l.daemon.Addr())
	if err != nil {
		return err
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return fmt.Errorf("list the addresses of this machine: %w", err)
	}
	hosts := []string{"127.0.0.2", "::1"}
	for _, addr := range all {
		ip, ok := addr.(*net.IPNet)
		if ok && !ip.IP.IsLinkLocalUnicast() && ip.IP.String() != "127.0.0.1" {
			hosts = append(hosts, ip.IP.String())
		}
	}
	for _, host := range hosts {
		if dials(net.JoinHostPort(host, port)) {
			return l.w.Fail("elsewhere", "the daemon's port answers at %s, too", host)
		}
	}
	return nil
}

// listensAtDefault takes either proof that the daemon wanted its default
// address: it stands there, or says that somebody else does.
func (l *addresses) listensAtDefault() error {
	if e, ok := errors.AsType[*target.StartError](l.starting); ok {
		if !strings.Contains(e.Output, "17373") {
			return l.w.Fail("default", "the daemon does not start without an address and does not say that port 17373 is taken: %s", e.Reason)
		}
		return nil
	}
	if l.starting != nil {
		return l.starting
	}
	if got := l.daemon.Addr(); got != protocol.DefaultAddr {
		return l.w.Fail("default", "the daemon listens at %s when it is told nothing", got)
	}
	return l.answers()
}

func dials(addr string) bool {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err == nil {
		_ = c.Close()
	}
	return err == nil
}
