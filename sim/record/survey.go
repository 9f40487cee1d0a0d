package record

import (
	"fmt"
	"slices"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
)

// survey is what happened, with everything in its relation: which frame is whose
// command, which result ends it. The lines are written with the whole of it
// known.
type survey struct {
	entries []entry
	calls   map[int]*call
	links   map[int]*link
	// frames are the messages of links, decoded.
	frames map[*relay.Message]*frame
	// byID are the commands by the daemon's ids, the latest of each.
	byID map[string]*command
	open []*command
	asks []*ask
	// waiting are the commands that have not gone out.
	waiting []*sender
	// agents is true if an agent acts.
	agents    bool
	called    int
	asked     int
	commanded int
	end       time.Time
}

// call is one HTTP request.
type call struct {
	// id is its name in the tape; "" if it is not written.
	id      string
	request *relay.Request
	// command is what it asks, if its body is a good command.
	command *protocol.Command
	// sent is the command on a link that it became.
	sent   *command
	answer *relay.Answer
	link   *link
}

// link is one connection of an extension, or a try.
type link struct {
	actor   string
	browser protocol.Browser
	open    bool
	// greeted: a hello was sent. welcomed: it was welcomed.
	greeted, welcomed bool
	// closing is the first close frame of either side.
	closing *relay.Close
	// ended is when the connection ended; zero if it did not.
	ended time.Time
	// artifacts are the bytes that the daemon read, by the artifact's name.
	artifacts map[string][]byte
	// closed are the last close_session of each session.
	closed map[string]*command
}

// frame is a decoded message.
type frame struct {
	decoded protocol.Frame
	err     error
	command *command
	ask     *ask
	// internal: the daemon's own reading of artifacts, or its answer.
	internal bool
	// again: a result for a command that has one already.
	again bool
}

// ask is a request of an extension.
type ask struct {
	id      string
	wire    string
	command protocol.Command
	done    bool
}

func newSurvey(entries []entry) *survey {
	s := &survey{
		entries: entries, calls: map[int]*call{}, links: map[int]*link{},
		frames: map[*relay.Message]*frame{}, byID: map[string]*command{},
	}
	for _, e := range entries {
		if r, ok := e.event.(*relay.Request); ok && recorded(r) {
			s.agents = true
		}
	}
	for _, e := range entries {
		s.end = e.at
		s.event(e.at, e.event)
	}
	return s
}

func (s *survey) event(at time.Time, e relay.Event) {
	switch e := e.(type) {
	case *relay.Request:
		s.request(e)
	case *relay.Answer:
		if k := s.calls[e.Call]; k != nil {
			k.answer = e
			if k.link != nil {
				k.link.open = e.Status == 101
			}
		}
	case *relay.Message:
		if l := s.links[e.Call]; l != nil && e.Opcode == relay.Text {
			s.frames[e] = s.message(at, l, e)
		}
	case *relay.Close:
		if l := s.links[e.Call]; l != nil && l.closing == nil {
			l.closing = e
		}
	case *relay.End:
		if l := s.links[e.Call]; l != nil {
			l.open, l.ended = false, at
		}
	}
}

func (s *survey) request(e *relay.Request) {
	k := &call{request: e}
	s.calls[e.Call] = k
	switch {
	case isUpgrade(e):
		k.link = &link{browser: browserOf(e), artifacts: map[string][]byte{}, closed: map[string]*command{}}
		k.link.actor = s.actor(k.link.browser)
		// Until it is answered the place is taken.
		k.link.open = true
		s.links[e.Call] = k.link
	case recorded(e):
		s.called++
		k.id = fmt.Sprintf("a%d", s.called)
		if c, err := protocol.DecodeCommand(e.Body, protocol.DefaultLimits()); err == nil && pathOf(e) == "/command" && !e.Cut {
			k.command = &c
			s.waiting = append(s.waiting, &sender{id: k.id, command: &c, call: k, over: func() bool { return k.answer != nil }})
		}
	}
}

// actor returns the name of a browser that is not connected.
func (s *survey) actor(b protocol.Browser) string {
	for n := 1; ; n++ {
		name := string(b)
		if n > 1 {
			name += fmt.Sprint(n)
		}
		taken := false
		for _, l := range s.links {
			taken = taken || l.actor == name && l.open
		}
		if !taken {
			return name
		}
	}
}

func (s *survey) message(at time.Time, l *link, e *relay.Message) *frame {
	f := &frame{}
	if f.decoded, f.err = protocol.DecodeFrame(e.Data); f.err != nil || e.Size != int64(len(e.Data)) {
		return f
	}
	switch d := f.decoded.(type) {
	case *protocol.Hello:
		l.greeted = true
	case *protocol.Welcome:
		l.welcomed = true
	case *protocol.CommandFrame:
		if e.From == relay.Server {
			f.command = s.arrived(at, l, d)
			f.internal = f.command.internal
		}
	case *protocol.Request:
		if c, err := protocol.DecodeRequest(d.Raw, protocol.DefaultLimits()); err == nil && e.From == relay.Client {
			s.asked++
			f.ask = &ask{id: fmt.Sprintf("r%d", s.asked), wire: c.ID, command: c}
			s.asks = append(s.asks, f.ask)
			s.waiting = append(s.waiting, &sender{id: f.ask.id, command: &c, asked: true, over: func() bool { return f.ask.done }})
		}
	case *protocol.Result:
		if e.From == relay.Server {
			f.ask = s.askOf(d.ID)
			break
		}
		s.result(at, l, d, f)
	}
	return f
}

// arrived is a command on its way to a browser.
func (s *survey) arrived(at time.Time, l *link, d *protocol.CommandFrame) *command {
	c := &command{frame: d, link: l, at: at}
	a, known := protocol.LookupAction(d.Action)
	c.internal = known && a.Internal
	s.byID[d.ID] = c
	if c.internal {
		return c
	}
	for _, o := range s.open {
		if o.link == l && o.frame.Session == d.Session && o.result == nil && !beside(o.frame.Action) {
			c.ahead++
		}
	}
	c.id, c.asked = s.owner(d, c)
	if c.id == "" && !s.agents {
		s.commanded++
		c.id = fmt.Sprintf("c%d", s.commanded)
	}
	s.open = append(s.open, c)
	if d.Action == "close_session" {
		l.closed[d.Session] = c
	}
	return c
}

// beside reports whether an action runs beside the queue of its session.
func beside(action string) bool {
	a, ok := protocol.LookupAction(action)
	return ok && a.Reserved
}

// result is a browser's answer to a command.
func (s *survey) result(at time.Time, l *link, d *protocol.Result, f *frame) {
	c := s.byID[d.ID]
	f.command = c
	switch {
	case c == nil:
		return
	case c.internal:
		f.internal = true
		s.artifact(l, c, d)
		return
	case c.result != nil:
		f.again = true
		return
	}
	c.result, c.resultAt, c.resultOn = d, at, l
	if o := l.closed[c.frame.Session]; o != nil && o != c && !o.at.Before(c.at) {
		c.closedBy = o
	}
	s.open = slices.DeleteFunc(s.open, func(o *command) bool { return o == c })
}

// artifact puts a part of an artifact into its place.
func (s *survey) artifact(l *link, c *command, d *protocol.Result) {
	name, ok := protocol.StringArg(c.frame.Args, "artifact")
	encoded, has := protocol.StringArg(d.Data, "base64")
	if !d.OK || d.Bad != nil || !ok || !has {
		return
	}
	part, err := decode64(encoded)
	if err == nil {
		l.artifacts[name] = append(l.artifacts[name], part...)
	}
}
