package player

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/memnet"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// faults are the rules that every browser has: lines of the tape decide, also
// about commands that have come before them.
func (b *browser) faults() []sim.Rule { return []sim.Rule{{Fault: script{b}}} }

// script is the fault by which the tape decides what becomes of commands.
type script struct{ b *browser }

// Arrive is sim.Arrival's.
func (s script) Arrive(x *sim.Exchange) sim.Verdict {
	b := s.b
	b.p.mu.Lock()
	how := b.unread
	b.unread = ""
	if c := b.receiptOf(x.Start.Conn, x.Start.ID); c != nil && how != "" {
		c.unread = true
		b.lost(c)
	}
	b.p.mu.Unlock()
	switch how {
	case "":
		return sim.Proceed
	case "rst":
		x.Reset()
	default:
		x.Drop()
	}
	return sim.Unread
}

// lost says of the event of a command's arrival that it was never read. p.mu is
// held.
func (b *browser) lost(c *receipt) {
	for i := len(b.p.events) - 1; i >= 0; i-- {
		if e := &b.p.events[i]; e.To == b.name && e.ID == c.r.id && e.Kind == Message {
			e.Kind = Lost
			return
		}
	}
}

// Answer is sim.Fault's.
func (s script) Answer(x *sim.Exchange, frame []byte, next func([]byte)) {
	s.b.p.mu.Lock()
	c := s.b.receiptOf(x.Start.Conn, x.Start.ID)
	muted := c != nil && c.muted && !c.pass
	if c != nil {
		c.pass = false
	}
	s.b.p.mu.Unlock()
	if !muted {
		next(frame)
	}
}

// mute keeps the extension from saying anything about a command by itself.
func (b *browser) mute(l *tape.Line) error {
	return b.eachReceipt(l, func(c *receipt) error {
		b.p.mu.Lock()
		defer b.p.mu.Unlock()
		c.muted = true
		return nil
	})
}

// busy answers the next commands busy.
func (b *browser) busy(l *tape.Line) error {
	times, ok := number(l, "times")
	if !ok {
		times = 1
	}
	b.sim.Inject(sim.Rule{Fault: sim.Busy{}, Times: times})
	b.p.note(b.name, fmt.Sprintf("answers the next %d busy", times), "")
	return nil
}

// heal ends the faults of the network, and busy. A background that is frozen
// stays so.
func (b *browser) heal(*tape.Line) error {
	b.sim.Heal()
	b.sim.Inject(b.faults()...)
	b.p.mu.Lock()
	b.net.in, b.net.out = nil, nil
	b.p.mu.Unlock()
	b.network()
	b.p.note(b.name, "is well again", "")
	return nil
}

// network applies the faults of the network, unless nothing passes at all.
func (b *browser) network() {
	b.p.mu.Lock()
	in, out, frozen := b.net.in, b.net.out, b.frozen
	b.p.mu.Unlock()
	if !frozen {
		b.sim.NetIn(in...)
		b.sim.NetOut(out...)
	}
}

// way adds a fault of the network to what the browser sends, or reads.
func (b *browser) way(l *tape.Line, f memnet.Fault, what string) error {
	if err := b.mustBeOpen(); err != nil {
		return err
	}
	faults, of := &b.net.out, "sends"
	if way, _ := l.Arg("of"); way == "in" {
		faults, of = &b.net.in, "reads"
	}
	b.p.mu.Lock()
	*faults = append(*faults, f)
	b.p.mu.Unlock()
	b.network()
	b.p.note(b.name, "from now on what it "+of+" is "+what, "")
	return nil
}

func (b *browser) cut(l *tape.Line) error {
	n, _ := number(l, "after")
	what := fmt.Sprintf("cut after %d bytes", n)
	if by, _ := l.Arg("by"); by == "rst" {
		return b.way(l, memnet.Reset{After: int64(n)}, what+" by a reset")
	}
	return b.way(l, memnet.CutAfter{Bytes: int64(n)}, what)
}

func (b *browser) split(l *tape.Line) error {
	n, err := strconv.Atoi(l.Word(0))
	if err != nil {
		return err
	}
	return b.way(l, memnet.Split{Size: n}, fmt.Sprintf("split into %d bytes", n))
}

// freeze is stall and thaw.
func (b *browser) freeze(l *tape.Line) error {
	if err := b.mustBeOpen(); err != nil {
		return err
	}
	b.p.mu.Lock()
	b.frozen = l.Verb == "stall"
	b.p.mu.Unlock()
	if l.Verb == "stall" {
		b.p.note(b.name, "freezes", "")
		b.sim.Freeze()
		return nil
	}
	b.p.note(b.name, "thaws", "")
	b.sim.Thaw()
	b.network()
	return nil
}

// deafen is deafen and listen.
func (b *browser) deafen(l *tape.Line) error {
	if err := b.mustBeOpen(); err != nil {
		return err
	}
	if l.Verb == "listen" {
		b.p.note(b.name, "reads again", "")
		b.sim.ResumeReading()
		return nil
	}
	b.p.note(b.name, "reads nothing more", "")
	b.sim.StopReading()
	return nil
}

func (b *browser) garbage(l *tape.Line) error {
	message := []byte("}{ no JSON")
	if name := l.Word(0); name != "" {
		var err error
		if message, err = b.p.payload(l, name); err != nil {
			return err
		}
	}
	if n, ok := number(l, "bytes"); ok {
		message = []byte(strings.Repeat("x", n))
	}
	return b.say(message)
}

func (b *browser) frame(l *tape.Line) error {
	message, err := b.p.payload(l, l.Word(0))
	if err != nil {
		return err
	}
	return b.say(message)
}

func (b *browser) ping(*tape.Line) error { return b.say(protocol.PingFrame) }

// say sends a text message as it is.
func (b *browser) say(message []byte) error {
	if err := b.mustBeOpen(); err != nil {
		return err
	}
	return b.sim.SendText(message)
}

func (b *browser) closeTab(l *tape.Line) error {
	id, err := strconv.ParseInt(l.Word(0), 10, 64)
	if err != nil {
		return err
	}
	b.p.note(b.name, "the person closes tab "+l.Word(0), "")
	if !b.sim.CloseTab(id) {
		return fmt.Errorf("%s has no tab %d", b.name, id)
	}
	return nil
}
