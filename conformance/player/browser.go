package player

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/memnet"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// browser is one browser of the tape. What is below sim is guarded by the
// play's mutex.
type browser struct {
	name    string
	p       *play
	profile sim.Profile
	// runs: it says hello by itself.
	runs bool
	sim  *sim.Browser

	// auto: the simulated pages answer these actions, all if it is empty.
	auto        bool
	autoActions []string
	// unread ends the connection when the next command arrives, by that.
	unread string

	// conn numbers the connections; open is true while the last one lives,
	// welcome since its welcome.
	conn          int
	open, welcome bool
	// net are the faults of what the connection reads and sends, frozen says that
	// its background stands still, which is one, too.
	net    struct{ in, out []memnet.Fault }
	frozen bool
	// closing is the daemon's close frame on the last connection, nil if there
	// was none; ended is when that connection ended.
	closing *closing
	ended   time.Time
	// receipts are the commands that came, pongs when pongs did.
	receipts []*receipt
	pongs    []time.Time
	expected int
}

type closing struct {
	code   string
	reason string
}

// browser does a line of a browser.
func (p *play) browser(l *tape.Line) error {
	b := p.browserOf(l.Actor)
	if f, ok := browserVerbs[l.Verb]; ok {
		return f(b, l)
	}
	return notPlayed(l)
}

// browserVerbs are the verbs of browsers.
var browserVerbs map[string]func(*browser, *tape.Line) error

func init() {
	browserVerbs = map[string]func(*browser, *tape.Line) error{
		"connect": (*browser).connect, "hello": (*browser).hello, "join": (*browser).join, "run": (*browser).run,
		"expect": (*browser).expect, "expect nothing": (*browser).expectNothing, "expect close": (*browser).expectClose,
		"expect pong": (*browser).expectPong, "started": (*browser).expectStarted, "starts": (*browser).expectStarts,
		"reply": (*browser).reply, "error": (*browser).fail, "release": (*browser).release,
		"auto": (*browser).setAuto, "hold": (*browser).setAuto, "mute": (*browser).mute, "busy": (*browser).busy,
		"late": (*browser).late, "replay": (*browser).replay, "wrong-connection": (*browser).wrongConnection,
		"oversize": (*browser).oversize, "garbage": (*browser).garbage, "frame": (*browser).frame, "ask": (*browser).ask,
		"ping": (*browser).ping, "close": (*browser).close, "drop": (*browser).drop, "cut": (*browser).cut,
		"split": (*browser).split, "heal": (*browser).heal, "stall": (*browser).freeze, "thaw": (*browser).freeze,
		"deafen": (*browser).deafen, "listen": (*browser).deafen, "suspend": (*browser).suspend, "resume": (*browser).resume,
		"close-tab": (*browser).closeTab, "page": (*browser).page,
	}
}

// browserOf returns the browser of that name, made when it first acts.
func (p *play) browserOf(name string) *browser {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.browsers[name]; b != nil {
		return b
	}
	profile, _ := sim.ProfileOf(protocol.Browser(strings.TrimRight(name, "0123456789")))
	b := &browser{name: name, p: p, profile: profile}
	cfg := sim.Config{
		Dial: p.stage.Daemon.Dial, Addr: p.stage.Daemon.Addr(), Token: p.token, SocketOnly: true, Profile: profile,
		Seed: p.seed, Respond: b.respond, Trace: b.trace, Faults: b.faults(), Sessions: p.sessionsOf(name),
	}
	if site := p.siteOf(name); site != nil {
		cfg.Site, cfg.SiteOnly = site, true
	}
	b.runs = p.runs(name)
	if !b.runs {
		unsaid := ""
		cfg.Hello = &unsaid
	}
	b.sim = sim.New(cfg)
	p.browsers[name] = b
	p.order = append(p.order, b)
	return b
}

// runs reports whether a browser lives by itself.
func (p *play) runs(name string) bool {
	return slices.ContainsFunc(p.t.Lines, func(l tape.Line) bool { return l.Actor == name && l.Verb == "run" })
}

// respond decides what comes of a command that has started.
func (b *browser) respond(_ context.Context, s sim.Start) sim.Reply {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	if c := b.receiptOf(s.Conn, s.ID); c != nil {
		c.start = s
		b.hasBegun(c)
		b.p.wake()
	}
	if b.auto && (len(b.autoActions) == 0 || slices.Contains(b.autoActions, s.Action)) {
		return sim.Default()
	}
	return sim.Hold()
}

// hasBegun counts a command that a browser has begun: once for each time that it
// was received. p.mu is held.
func (b *browser) hasBegun(c *receipt) {
	if !c.started {
		c.started, c.startedAt = true, b.p.stage.Clock.Now()
		// What agents outside of the tape are told, nobody here knows.
		if outside := c.r.actor == "?" && b.p.noAgent; !outside {
			b.p.honesty.count.Started(c.r.id)
		}
	}
}

// receiptOf finds the command with the daemon's id. p.mu is held.
func (b *browser) receiptOf(conn int, id string) *receipt {
	for _, c := range slices.Backward(b.receipts) {
		if c.conn == conn && c.id == id {
			return c
		}
	}
	return nil
}

// trace records a message of the browser's link.
func (b *browser) trace(e sim.TraceEvent) {
	p := b.p
	p.mu.Lock()
	defer p.mu.Unlock()
	ev := Event{From: b.name, To: daemonName, Kind: Message, Text: string(e.Frame)}
	if e.Dir == sim.In {
		ev.From, ev.To = ev.To, ev.From
	}
	switch e.Kind {
	case "open":
		b.conn, b.open, b.welcome, b.closing, b.frozen = e.Conn, true, false, nil, false
		b.net.in, b.net.out = nil, nil
		ev.Kind, ev.Text = Open, "connects"
	case "end":
		if e.Conn != b.conn {
			return
		}
		b.open, b.welcome, b.ended = false, false, p.stage.Clock.Now()
		ev.Kind = Drop
	case "close":
		if e.Dir == sim.In {
			code, reason, _ := strings.Cut(string(e.Frame), " ")
			b.closing = &closing{code, reason}
		}
		ev.Text = "close " + ev.Text
	case "text":
		ev.ID = b.frameOf(e)
	case "binary":
		ev.Text = fmt.Sprintf("%d bytes, binary", len(e.Frame))
	case "raw":
		ev.Text = fmt.Sprintf("%d bytes under the WebSocket", len(e.Frame))
	}
	if p.ctx.Err() != nil {
		// The curtain has fallen.
		p.wake()
		return
	}
	p.event(ev)
}

// frameOf takes note of a frame and returns the request that it is about. p.mu
// is held.
func (b *browser) frameOf(e sim.TraceEvent) string {
	frame, err := protocol.DecodeFrame(e.Frame)
	if err != nil {
		return ""
	}
	switch f := frame.(type) {
	case *protocol.Welcome:
		b.welcome = true
	case protocol.Pong:
		b.pongs = append(b.pongs, b.p.stage.Clock.Now())
	case *protocol.CommandFrame:
		if c := b.p.received(b, e.Conn, f); c != nil {
			return c.r.id
		}
	case *protocol.Result:
		if e.Dir == sim.In {
			return b.askedAs(f.ID)
		}
		return b.answered(f, e.Frame)
	case *protocol.Request:
		return b.askedAs(f.ID)
	}
	return ""
}

// askedAs returns the tape's name for a request of this extension, which is its
// id on the wire too.
func (b *browser) askedAs(id string) string {
	if r := b.p.byID[id]; r != nil && r.asked {
		return r.id
	}
	return ""
}

// answered takes note of a result that the browser sent, on whatever connection.
// A browser that says that it has done a command has, whether or not it was its
// turn: what a tape has a browser say is not the daemon's lie.
func (b *browser) answered(f *protocol.Result, frame []byte) string {
	for _, other := range b.p.order {
		for _, c := range slices.Backward(other.receipts) {
			if c.id == f.ID {
				if f.OK && c.answers == 0 {
					b.hasBegun(c)
				}
				c.answers++
				c.last = slices.Clone(frame)
				return c.r.id
			}
		}
	}
	return ""
}
