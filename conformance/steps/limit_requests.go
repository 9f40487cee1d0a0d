package steps

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/oh-my-webbridge/omw/sim"
)

// registerRequests adds the sentences about requests that are not whole:
//
//	288 requests whose bodies have not come      their headers have
//	300 requests that are refused before their bodies
//	3 requests whose headers have not come
//	one of the requests comes whole              the requests are given up
//	the requests are still open                  the requests are cut off
//	1023 open connections                        one more is opened
//	the connections are closed                   the last connection is still open
//	a click's body comes byte by byte over 29s
func registerRequests(sc sentences, s *scene) {
	r := &requests{scene: s}
	sc.Given(`^([0-9]+) requests whose bodies have not come$`, r.withoutBodies)
	sc.Given(`^([0-9]+) requests that are refused before their bodies$`, r.refusedEarly)
	sc.Given(`^([0-9]+) requests whose headers have not come$`, r.withoutHeaders)
	sc.When(`^one of the requests comes whole$`, r.oneWhole)
	sc.When(`^the requests are given up$`, r.givenUp)
	sc.Then(`^the requests are (still open|cut off)$`, r.areInState)
	sc.Given(`^([0-9]+) open connections$`, r.connections)
	sc.When(`^one more is opened$`, func(ctx context.Context) error { return r.connections(ctx, "1") })
	sc.Then(`^the connections are (still open|closed)$`, r.connectionsAre)
	sc.Then(`^the last connection is (still open|closed)$`, r.lastConnectionIs)
	sc.When(`^a click's body comes byte by byte over (\S+)$`, r.slowBody)
}

type requests struct {
	*scene
	pending []*pending
	conns   []*watched
}

// pending is a request that is not whole, and what came back for it.
type pending struct {
	call *sim.Call
	over chan struct{}
	resp sim.Response
	err  error
}

// unfinished is the body of such a request, of which nothing is sent.
const unfinished = `{"action":"no such action"}`

func (r *requests) start(ctx context.Context, count string, a *sim.Agent) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	for range n {
		call, err := a.Start(ctx, sim.Post("/command", unfinished))
		if err != nil {
			return fmt.Errorf("connect: %w", err)
		}
		p := &pending{call: call, over: make(chan struct{})}
		r.w.Cleanup(func() error {
			_ = call.Close()
			<-p.over
			return nil
		})
		go func() {
			defer close(p.over)
			p.resp, p.err = call.Read(context.Background())
		}()
		if err := call.SendHead(); err != nil {
			return fmt.Errorf("send a header: %w", err)
		}
		r.pending = append(r.pending, p)
	}
	r.w.Clock.Settle()
	return nil
}

func (r *requests) withoutBodies(ctx context.Context, count string) error {
	a, err := r.agent(ctx)
	if err != nil {
		return err
	}
	return r.start(ctx, count, a)
}

func (r *requests) refusedEarly(ctx context.Context, count string) error {
	a, err := r.agent(ctx)
	if err != nil {
		return err
	}
	a.Token = "no token of this daemon"
	if err := r.start(ctx, count, a); err != nil {
		return err
	}
	for _, p := range r.pending {
		if !r.reached(ctx, p.done) {
			return errors.New("a request that is to be refused has no answer")
		}
	}
	return nil
}

func (p *pending) done() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

func (r *requests) oneWhole(ctx context.Context) error {
	p := r.pending[0]
	if err := p.call.SendBody([]byte(unfinished)); err != nil {
		return fmt.Errorf("send the body: %w", err)
	}
	if !r.reached(ctx, p.done) {
		return errors.New("the request that came whole has no answer")
	}
	return nil
}

func (r *requests) givenUp(context.Context) error {
	for _, p := range r.pending {
		_ = p.call.Close()
	}
	r.w.Clock.Settle()
	return nil
}

func (r *requests) areInState(ctx context.Context, state string) error {
	if state == "still open" {
		r.w.Clock.Settle()
		for _, p := range r.pending {
			if p.done() {
				return r.w.Fail("cut-early", "a request whose body has not come was answered %d", p.resp.Status)
			}
		}
		return nil
	}
	for _, p := range r.pending {
		if !r.reached(ctx, p.done) {
			return r.w.Fail("not-cut", "a request whose body has not come is still open")
		}
		if p.err == nil && p.resp.Status != 408 {
			return r.w.Fail("cut-status", "a request whose body has not come was answered %d; want 408, or the end of the connection", p.resp.Status)
		}
	}
	return nil
}

func (r *requests) slowBody(ctx context.Context, over string) error {
	d, err := duration(over)
	if err != nil {
		return err
	}
	sp, err := parsePhrase("a click")
	if err != nil {
		return err
	}
	c := r.newCommand(sp, behaviour{})
	body := c.body(c.mark)
	if err := r.open(ctx, c, sim.Post("/command", body)); err != nil {
		return err
	}
	if err := c.call.SendHead(); err != nil {
		return err
	}
	for i := range len(body) {
		if err := c.call.SendBody([]byte(body[i : i+1])); err != nil {
			return err
		}
		if err := r.w.Clock.Elapse(ctx, d/time.Duration(len(body))); err != nil {
			return err
		}
	}
	c.sent = r.w.Clock.Now()
	return nil
}

// watched is a connection on which nothing is sent.
type watched struct {
	conn net.Conn
	over chan struct{}
}

func (r *requests) connections(ctx context.Context, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	d, err := r.w.Daemon(ctx)
	if err != nil {
		return err
	}
	for range n {
		conn, err := d.Dial(ctx, "tcp", d.Addr())
		if err != nil {
			return fmt.Errorf("connect: %w", err)
		}
		w := &watched{conn, make(chan struct{})}
		r.conns = append(r.conns, w)
		r.w.Cleanup(func() error {
			_ = conn.Close()
			<-w.over
			return nil
		})
		go func() {
			defer close(w.over)
			buf := make([]byte, 1024)
			for {
				if _, err := conn.Read(buf); err != nil {
					return
				}
			}
		}()
	}
	r.w.Clock.Settle()
	return nil
}

func (r *requests) withoutHeaders(ctx context.Context, count string) error {
	if err := r.connections(ctx, count); err != nil {
		return err
	}
	for _, w := range r.conns {
		if _, err := w.conn.Write([]byte("POST /command HT")); err != nil {
			return fmt.Errorf("send a part of a header: %w", err)
		}
	}
	return nil
}

func (r *requests) connectionsAre(ctx context.Context, state string) error {
	for _, w := range r.conns {
		if err := r.is(ctx, w, state); err != nil {
			return err
		}
	}
	return nil
}

func (r *requests) lastConnectionIs(ctx context.Context, state string) error {
	return r.is(ctx, r.conns[len(r.conns)-1], state)
}

func (r *requests) is(ctx context.Context, w *watched, state string) error {
	closed := func() bool {
		select {
		case <-w.over:
			return true
		default:
			return false
		}
	}
	if state == "closed" {
		if !r.reached(ctx, closed) {
			return r.w.Fail("connection-open", "a connection is still open and should be closed")
		}
		return nil
	}
	r.w.Clock.Settle()
	if closed() {
		return r.w.Fail("connection-closed", "a connection is closed and should be open")
	}
	return nil
}
