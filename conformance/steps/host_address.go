package steps

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// addresses is what a scenario about where daemons listen has started.
type addresses struct {
	w      *world.World
	daemon *world.Daemon
	err    error
}

func registerAddress(sc *godog.ScenarioContext, s *scene) {
	l := &addresses{w: s.w}
	sc.When(`^a daemon is told to listen at a free port of 127\.0\.0\.1$`, func(ctx context.Context) error { return l.start(ctx, target.Setup{}) })
	sc.When(`^a daemon is told to listen at (\S+)$`, l.startAt)
	sc.When(`^a daemon is told no address$`, func(ctx context.Context) error { return l.start(ctx, target.Setup{DefaultAddr: true}) })
	sc.Then(`^it refuses to start$`, l.refuses)
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
	l.daemon, l.err = l.w.Start(ctx, setup)
	if _, hidden := target.IsUnobservable(l.err); hidden {
		return l.err
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

func (l *addresses) refuses() error {
	if l.err == nil {
		return l.w.Fail("elsewhere", "the daemon listens at %s", l.daemon.Addr())
	}
	e, ok := errors.AsType[*target.StartError](l.err)
	switch {
	case !ok:
		return l.err
	case !e.Exited:
		return l.w.Fail("not-refused", "the daemon neither started nor ended: %s", e.Reason)
	case e.Status == 0:
		return l.w.Fail("status", "the daemon ended with status 0, as if it had done what it was told")
	}
	return nil
}

func (l *addresses) answers() error {
	if l.err != nil {
		return l.w.Fail("no-start", "the daemon does not start at 127.0.0.1: %v", l.err)
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
	if e, ok := errors.AsType[*target.StartError](l.err); ok {
		if !strings.Contains(e.Output, "17373") {
			return l.w.Fail("default", "the daemon does not start without an address and does not say that port 17373 is taken: %s", e.Reason)
		}
		return nil
	}
	if l.err != nil {
		return l.err
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
