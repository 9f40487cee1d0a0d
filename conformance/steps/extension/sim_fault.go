package extension

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// registerSimulator adds the sentences about the simulator itself: what it does
// wrongly on demand is judged at the daemon's end of the wire.
//
//	its answers to clicks fail by "never"        every way of KIT-07, see faults
//	its answers to the first 2 clicks fail by "twice"
//	another browser is connected, too            the other one of the two
//	its answers to clicks go to the other browser's connection
//	each of its writes takes 10ms
//	the simulator closes with the code 4321
//	A was answered twice                         once, not at all
//	A was answered on the other browser's connection alone
//	the answer of A has 300000 bytes
//	the answer of A came in pieces of 10, 10ms each
//	the extension has said what is no JSON
//	the connection has ended by a reset | without a close frame | by a close frame with 4321
func registerSimulator(sc Sentences, x *ext) {
	s := &simulator{ext: x}
	sc.Given(`^its answers to (?:the first ([0-9]+) )?(click|close_tab)s fail by "(.*)"$`, s.fails)
	sc.Given(`^another browser is connected, too$`, s.another)
	sc.Given(`^its answers to clicks go to the other browser's connection$`, s.wrongConnection)
	sc.Given(`^each of its writes takes (\S+)$`, s.slows)
	sc.When(`^the simulator closes with the code ([0-9]+)$`, s.closes)
	sc.When(`^the simulator (freezes|thaws)$`, s.freezes)
	sc.When(`^the daemon sends a click ([A-Z][0-9]*) to the browser under test$`, s.clicks)
	sc.Then(`^the extension has sent no ping$`, s.noPing)
	sc.Then(`^([A-Z][0-9]*) was answered (once|twice|not at all)$`, s.answeredTimes)
	sc.Then(`^([A-Z][0-9]*) was answered on the other browser's connection alone$`, s.answeredElsewhere)
	sc.Then(`^the answer of ([A-Z][0-9]*) has ([0-9]+) bytes$`, s.hasBytes)
	sc.Then(`^the answer of ([A-Z][0-9]*) came in pieces of ([0-9]+), (\S+) each$`, s.tookWrites)
	sc.Then(`^the extension has said what is (no JSON|no result that keeps to its schema|a result that nobody asked for)$`, s.saidWrong)
	sc.Then(`^the connection has ended (by a reset|without a close frame|by a close frame with [0-9]+|by a close frame without a code)$`, s.endedBy)
	registerProfiles(sc, s)
	registerTapes(sc, s)
}

// simulator is what the sentences about the simulator share.
type simulator struct {
	*ext
	other *sim.Browser
}

// simulated returns the simulated browser under test.
func (s *simulator) simulated() (*sim.Browser, error) {
	if s.b == nil {
		return nil, errors.New("the extension was not started yet")
	}
	return target.Simulator(s.b)
}

// faultOf returns the way in which an answer fails.
func faultOf(name string) (sim.Fault, error) {
	var n int
	var text string
	switch {
	case name == "never":
		return sim.NeverReply{}, nil
	case scans(name, "late by %s", &text):
		d, err := words.Duration(text)
		return sim.Late{D: d}, err
	case name == "twice":
		return sim.Twice{}, nil
	case name == "out of order":
		return &sim.OutOfOrder{}, nil
	case name == "cut before reading":
		return sim.CutBeforeReading{}, nil
	case name == "cut before reading, by a reset":
		return sim.CutBeforeReading{RST: true}, nil
	case name == "cut after reading":
		return sim.CutAfterReading{}, nil
	case name == "cut after reading, by a reset":
		return sim.CutAfterReading{RST: true}, nil
	case scans(name, "pieces of %d", &n):
		return sim.Split{Bytes: n}, nil
	case name == "stall":
		return sim.Stall{}, nil
	case name == "garbage":
		return sim.Garbage{}, nil
	case scans(name, "a message of %d", &n):
		return sim.Oversize{Bytes: n}, nil
	case scans(name, "close code %d", &n):
		return sim.CloseCode{Code: n}, nil
	case name == "reset":
		return sim.Reset{}, nil
	case name == "busy":
		return sim.Busy{}, nil
	case name == "another id":
		return sim.WrongID{}, nil
	case name == "no result":
		return sim.NoResult{}, nil
	case name == "a result and an error":
		return sim.ResultAndError{}, nil
	case name == "an error that is none":
		return sim.BadError{}, nil
	}
	return nil, fmt.Errorf("the simulator has no fault %q", name)
}

func (s *simulator) fails(times, action, name string) error {
	b, err := s.simulated()
	if err != nil {
		return err
	}
	f, err := faultOf(name)
	if err != nil {
		return err
	}
	n := 0
	if times != "" {
		if _, err := fmt.Sscan(times, &n); err != nil {
			return err
		}
	}
	b.Inject(sim.Rule{Fault: f, On: sim.ByAction(action), Times: n})
	return nil
}

// another connects the browser that is not under test.
func (s *simulator) another(ctx context.Context) error {
	b, err := s.browser()
	if err != nil {
		return err
	}
	p := sim.Firefox
	if b == p.Browser {
		p = sim.Chrome
	}
	s.other = sim.New(sim.Config{Dial: s.w.Dial, Addr: s.d.Addr(), Token: s.token, Profile: p})
	s.w.Cleanup(s.other.Close)
	if err := s.other.Connect(ctx); err != nil {
		return fmt.Errorf("connect the other browser: %w", err)
	}
	return nil
}

func (s *simulator) wrongConnection() error {
	b, err := s.simulated()
	if err != nil {
		return err
	}
	b.Inject(sim.Rule{Fault: sim.WrongConnection{To: s.other}, On: sim.ByAction("click")})
	return nil
}

func (s *simulator) slows(text string) error {
	b, err := s.simulated()
	if err != nil {
		return err
	}
	d, err := words.Duration(text)
	if err != nil {
		return err
	}
	b.NetOut(memnet.Delay{D: d})
	return nil
}

func (s *simulator) closes(code int) error {
	b, err := s.simulated()
	if err != nil {
		return err
	}
	return b.CloseWith(code, "")
}

func (s *simulator) freezes(how string) error {
	b, err := s.simulated()
	if err != nil {
		return err
	}
	if how == "freezes" {
		b.Freeze()
	} else {
		b.Thaw()
	}
	s.w.Clock.Settle()
	return nil
}

// clicks sends a click on the first connection, that of the browser under test.
func (s *simulator) clicks(name string) error {
	link, err := s.came()
	if err != nil {
		return err
	}
	s.send(link, &command{name: name, action: "click", session: "shop", left: usualLeft, args: jsontext.Value(`{"ref":"e1"}`)})
	s.w.Clock.Settle()
	return nil
}

func (s *simulator) noPing() error {
	link, err := s.came()
	if err != nil {
		return err
	}
	if got := pings(link); len(got) != 0 {
		return s.fail("pinged", doesWrong, "it has sent pings %s after its welcome", listed(got))
	}
	return nil
}

const doesWrong = "does on demand exactly the wrong thing that it is told to, and nothing else"

// sent returns a command and its answers on the connection that it went out on.
func (s *simulator) sent(name string) (*command, []reply, error) {
	o, ok := s.named[name]
	if !ok {
		return nil, nil, fmt.Errorf("the daemon has sent no command %s", name)
	}
	s.w.Clock.Settle()
	return o, s.replies(o.link).by[o.id], nil
}

func (s *simulator) answeredTimes(ctx context.Context, name, how string) error {
	want := map[string]int{"not at all": 0, "once": 1, "twice": 2}[how]
	o, _, err := s.sent(name)
	if err != nil {
		return err
	}
	if want > 0 {
		s.reached(ctx, func() bool { return len(s.replies(o.link).by[o.id]) >= want })
	}
	_, all, _ := s.sent(name)
	if len(all) != want {
		return s.fail("times", doesWrong, "%s was answered %d times; want %s", o, len(all), how)
	}
	return nil
}

func (s *simulator) answeredElsewhere(ctx context.Context, name string) error {
	o, here, err := s.sent(name)
	if err != nil {
		return err
	}
	elsewhere := func() bool {
		for _, other := range s.d.Sockets() {
			if other != o.link && len(s.replies(other).by[o.id]) == 1 {
				return true
			}
		}
		return false
	}
	if there := s.reached(ctx, elsewhere); !there || len(here) != 0 {
		return s.fail("elsewhere", doesWrong, "%s was answered %d times on its own connection, and on the other one: %t", o, len(here), there)
	}
	return nil
}

// answerOf returns the message that answers a command.
func (s *simulator) answerOf(ctx context.Context, name string) (*command, sim.Heard, error) {
	o, _, err := s.sent(name)
	if err != nil {
		return nil, sim.Heard{}, err
	}
	if _, ok := s.replyTo(ctx, o); !ok {
		return o, sim.Heard{}, s.fail("unanswered", doesWrong, "%s has no answer", o)
	}
	for _, h := range o.link.Heard() {
		if strings.Contains(string(h.Payload[:min(len(h.Payload), 200)]), `"id":"`+o.id+`"`) {
			return o, h, nil
		}
	}
	return o, sim.Heard{}, fmt.Errorf("the answer of %s is not among the messages", o)
}

func (s *simulator) hasBytes(ctx context.Context, name string, n int) error {
	o, h, err := s.answerOf(ctx, name)
	if err != nil {
		return err
	}
	if len(h.Payload) != n {
		return s.fail("bytes", doesWrong, "the answer of %s has %d bytes; want %d", o, len(h.Payload), n)
	}
	return nil
}

// tookWrites compares how long an answer was under way with that many writes
// that take so long each: the message, its header and its mask.
func (s *simulator) tookWrites(ctx context.Context, name string, piece int, each string) error {
	d, err := words.Duration(each)
	if err != nil {
		return err
	}
	o, h, err := s.answerOf(ctx, name)
	if err != nil {
		return err
	}
	whole := len(sim.RawFrame{Opcode: sim.OpText, Payload: h.Payload}.AppendTo(nil))
	writes := (whole + piece - 1) / piece
	if err := s.w.Clock.Took(h.At.Sub(o.sent), time.Duration(writes)*d, grace); err != nil {
		return s.fail("writes", doesWrong, "the answer of %s, %d bytes on the wire, in pieces of %d: %s", o, whole, piece, err)
	}
	return nil
}
