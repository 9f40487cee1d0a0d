package extension

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerLink adds the sentences about the life of a connection:
//
//	30s pass                                     44.999999999s pass
//	the daemon sends a pong                      an unknown frame, no JSON at all, …
//	the daemon sends a pong every 5s for 60s
//	the daemon closes the connection with 1001   drops it, resets it
//	the browser stops the background
//	the extension has sent pings after 20s and 40s     since its welcome
//	the connection stands
//	the extension has closed the connection      the one that it came by
//	the extension has closed the connection, 45s after it last heard the daemon
//	the extension has made 1 connection          welcomed ones, and no other contact between
//	the extension is connected again             … within 30s of the stop
func registerLink(sc Sentences, x *ext) {
	sc.When(`^([0-9].*?) (?:more )?pass(?:es)?$`, x.passes)
	sc.When(`^the daemon sends (a pong|an unknown frame|an unknown frame with a command inside|a frame without a type|no JSON at all|a result that nobody asked for|a binary message|a pong with a field that is unknown)$`, x.says)
	sc.When(`^the daemon sends (a pong|an unknown frame) every (\S+) for (\S+)$`, x.saysEvery)
	sc.When(`^the daemon (drops|resets) the connection$`, x.ends)
	sc.When(`^the daemon closes the connection with ([0-9]+)$`, x.closes)
	sc.When(`^the browser stops the background$`, x.suspends)
	sc.Then(`^the extension has sent pings after (.+)$`, x.hasPinged)
	sc.Then(`^the connection stands$`, x.stands)
	sc.Then(`^the extension has closed the connection$`, x.hasClosed)
	sc.Then(`^the extension has closed the connection, (\S+) after it last heard the daemon$`, x.hasClosedAfter)
	sc.Then(`^the extension has made ([0-9]+) connections?$`, x.hasMade)
	sc.Then(`^the extension is connected again$`, x.again)
	sc.Then(`^the extension is connected again, (\S+) at most after the stop$`, x.againAfterStop)
	sc.Then(`^the extension has come back in steps of (\S+)$`, x.cameInSteps)
}

func (x *ext) passes(ctx context.Context, text string) error {
	d, err := words.Duration(text)
	if err != nil {
		return err
	}
	return x.w.Clock.Elapse(ctx, x.w.Clock.Adapt(d))
}

// saying are messages of a daemon that ask for nothing.
var saying = map[string]string{
	"a pong":                              string(protocol.PongFrame),
	"a pong with a field that is unknown": `{"type":"pong","mood":{"is":["good"]}}`,
	"an unknown frame":                    `{"type":"weather","sky":"clear"}`,
	"an unknown frame with a command inside": `{"type":"weather","command":{"type":"command","id":"x","session":"shop",` +
		`"action":"tabs","args":{},"deadline_ms":1000}}`,
	"a frame without a type":         `{"sky":"clear"}`,
	"no JSON at all":                 `}{`,
	"a result that nobody asked for": `{"type":"result","id":"nobody","ok":true,"data":{}}`,
}

func (x *ext) says(what string) error {
	s, err := x.link()
	if err != nil {
		return err
	}
	if what == "a binary message" {
		s.SendBinary([]byte{0, 1, 2})
		return nil
	}
	s.Send([]byte(saying[what]))
	return nil
}

func (x *ext) saysEvery(ctx context.Context, what, every, long string) error {
	step, err := words.Duration(every)
	if err != nil {
		return err
	}
	total, err := words.Duration(long)
	if err != nil {
		return err
	}
	for gone := step; gone <= total; gone += step {
		if err := x.w.Clock.Elapse(ctx, step); err != nil {
			return err
		}
		if err := x.says(what); err != nil {
			return err
		}
	}
	x.w.Clock.Settle()
	return nil
}

func (x *ext) ends(how string) error {
	s, err := x.link()
	if err != nil {
		return err
	}
	if how == "resets" {
		s.Reset()
	} else {
		s.Drop()
	}
	x.w.Clock.Settle()
	return nil
}

func (x *ext) closes(code int) error {
	s, err := x.link()
	if err != nil {
		return err
	}
	s.Close(code, "")
	x.w.Clock.Settle()
	return nil
}

func (x *ext) suspends(ctx context.Context) error {
	s, err := x.link()
	if err != nil {
		return err
	}
	if err := x.b.Suspend(ctx); err != nil {
		return err
	}
	x.stopped = x.w.Clock.Now()
	ended := func() bool { _, _, ok := s.Ended(); return ok }
	if !x.reached(ctx, ended) {
		return fmt.Errorf("the background was stopped, and its connection stands: the target cannot stop it")
	}
	return nil
}

// pings returns the pings of a connection, as the time since its welcome.
func pings(s *sim.Socket) []time.Duration {
	welcomed, _ := s.Welcomed()
	var all []time.Duration
	for _, h := range s.Heard() {
		if h.Opcode == sim.OpText && bytes.Equal(bytes.TrimSpace(h.Payload), protocol.PingFrame) {
			all = append(all, h.At.Sub(welcomed))
		}
	}
	return all
}

func (x *ext) hasPinged(_ context.Context, text string) error {
	s, err := x.link()
	if err != nil {
		return err
	}
	x.w.Clock.Settle()
	const does = "sends one ping every 20 seconds from the beginning of its connection, whatever else happens on it"
	got := pings(s)
	want := words.Several(text)
	if len(got) != len(want) {
		return x.fail("pings", does, "it has sent %d pings, %s after its welcome; by now it is %s", len(got), listed(got), listed(want))
	}
	for i, at := range want {
		d, err := words.Duration(at)
		if err != nil {
			return err
		}
		if err := x.near(got[i], d); err != nil {
			return x.fail("ping-time", does, "ping %d came %s after the welcome: %s", i+1, got[i], err)
		}
	}
	return nil
}

// near compares moments that are an extension's own: exactly in the virtual
// lane; in the real one a second early or late, since both ends of the interval
// travel.
func (x *ext) near(got, want time.Duration) error {
	if x.w.Clock.Exact() {
		return x.w.Clock.Took(got, want, 0)
	}
	if off := got - want; off < -grace || off > grace {
		return fmt.Errorf("want %s, a second more or less", want)
	}
	return nil
}

func listed[T any](all []T) string {
	if len(all) == 0 {
		return "none"
	}
	text := ""
	for i, v := range all {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(v)
	}
	return text
}

func (x *ext) stands() error {
	s, err := x.link()
	if err != nil {
		return err
	}
	x.w.Clock.Settle()
	if at, how, ok := s.Ended(); ok {
		return x.fail("gone", "keeps its connection", "connection %d ended at %s: %s", s.N, x.at(at), x.ending(s, how))
	}
	if code, reason, ok := s.Closing(); ok {
		return x.fail("closing", "keeps its connection", "it has sent a close frame, %d %q", code, reason)
	}
	return nil
}

func (x *ext) ending(s *sim.Socket, how error) string {
	if code, reason, ok := s.Closing(); ok {
		return "by a close frame, " + strconv.Itoa(code) + " " + strconv.Quote(reason)
	}
	return how.Error()
}

// left returns when the extension left: its close frame, else the end.
func (x *ext) left(ctx context.Context, s *sim.Socket) (time.Time, bool) {
	var at time.Time
	ok := x.reached(ctx, func() bool {
		for _, h := range s.Heard() {
			if h.Opcode == sim.OpClose {
				at = h.At
				return true
			}
		}
		ended, _, ok := s.Ended()
		at = ended
		return ok
	})
	return at, ok
}

const closesInSilence = "closes its connection 45 seconds after it last received anything, not before, and connects again"

// came returns the connection that the extension came by: one that it has
// closed is followed by another half a second later.
func (x *ext) came() (*sim.Socket, error) {
	if _, err := x.link(); err != nil {
		return nil, err
	}
	return x.welcomed()[0], nil
}

func (x *ext) hasClosed(ctx context.Context) error {
	s, err := x.came()
	if err != nil {
		return err
	}
	if _, ok := x.left(ctx, s); !ok {
		return x.fail("not-closed", closesInSilence, "connection %d stands, %s after it was opened", s.N, x.w.Clock.Since(s.Opened))
	}
	return nil
}

func (x *ext) hasClosedAfter(ctx context.Context, text string) error {
	want, err := words.Duration(text)
	if err != nil {
		return err
	}
	if err := x.hasClosed(ctx); err != nil {
		return err
	}
	s, err := x.came()
	if err != nil {
		return err
	}
	at, _ := x.left(ctx, s)
	said, ok := s.Said()
	if !ok {
		return fmt.Errorf("the daemon has said nothing on connection %d", s.N)
	}
	if err := x.near(at.Sub(said), want); err != nil {
		return x.fail("closed-when", closesInSilence, "connection %d was closed at %s, %s after the daemon's last message: %s", s.N, x.at(at), at.Sub(said), err)
	}
	return nil
}

func (x *ext) hasMade(n int) error {
	x.w.Clock.Settle()
	if all := x.d.Sockets(); len(all) != n {
		return x.fail("connections", "keeps one WebSocket to the daemon, and opens no second one beside it",
			"it has opened %d connections, the last one at %s; want %d", len(all), x.at(all[len(all)-1].Opened), n)
	}
	return nil
}

func (x *ext) again(ctx context.Context) error {
	before, err := x.link()
	if err != nil {
		return err
	}
	_, _, ended := before.Ended()
	stood := func() bool { s, err := x.link(); _, _, over := s.Ended(); return err == nil && !over }
	if !x.reached(ctx, stood) {
		return x.fail("not-again", "connects again by itself", "connection %d has ended (%t) and no other stands: %s", before.N, ended, x.seen())
	}
	return nil
}

const comesBack = "connects again at its alarm, which fires every 30 seconds, when its background was stopped"

func (x *ext) againAfterStop(ctx context.Context, text string) error {
	most, err := words.Duration(text)
	if err != nil {
		return err
	}
	if left := most - x.w.Clock.Since(x.stopped); left > 0 {
		if err := x.w.Clock.Elapse(ctx, left); err != nil {
			return err
		}
	}
	came := func() bool { s, err := x.link(); return err == nil && s.Opened.After(x.stopped) }
	if !x.reached(ctx, came) {
		return x.fail("not-back", comesBack, "its background was stopped at %s, and it has not come back: %s", x.at(x.stopped), x.seen())
	}
	s, err := x.link()
	if err != nil {
		return err
	}
	if took := s.Opened.Sub(x.stopped); took > most && (x.w.Clock.Exact() || took > most+grace) {
		return x.fail("back-late", comesBack, "it came back %s after its background was stopped, at %s", took, x.at(s.Opened))
	}
	return nil
}

// cameInSteps compares the times at which the extension came back after each
// stop of its background: the alarm's period lies between them.
func (x *ext) cameInSteps(text string) error {
	want, err := words.Duration(text)
	if err != nil {
		return err
	}
	all := x.welcomed()
	if len(all) < 3 {
		return fmt.Errorf("the extension has come back %d times; that shows no period", len(all)-1)
	}
	for i, s := range all[2:] {
		got := s.Opened.Sub(all[i+1].Opened)
		if err := x.near(got, want); err != nil {
			return x.fail("period", comesBack, "it came back at %s and at %s, %s apart: %s", x.at(all[i+1].Opened), x.at(s.Opened), got, err)
		}
	}
	return nil
}
