package steps

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// command is a command that the scenario sent: over HTTP, or as a request of an
// extension.
type command struct {
	spec
	// mark stands in its arguments where the action has some that can hold it.
	mark string
	does behaviour
	// sent is when its last byte went out, or was about to.
	sent time.Time
	// call is its connection; nil for a request of an extension.
	call *sim.Call
	// over is closed when it is answered, or cannot be any more. What follows is
	// read after that alone.
	over   chan struct{}
	answer sim.Answer
	err    error

	// link is the daemon's id of a command without a mark, guarded by scene.mu.
	link string
}

func (c *command) String() string {
	if c.name != "" {
		return "the " + c.action + " " + c.name
	}
	return "the " + c.action
}

// done reports whether the command is answered, or cannot be any more.
func (c *command) done() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// value returns the data of a good answer to this command, its own where the
// action has room for that.
func (c *command) value() jsontext.Value {
	switch c.action {
	case "evaluate":
		return jsontext.Value(`{"value":` + strconv.Quote(c.mark) + `}`)
	case "close_session":
		return jsontext.Value(`{"closed":[],"released":[]}`)
	case "dialog":
		return jsontext.Value(`{"type":"alert","message":` + strconv.Quote(c.mark) + `}`)
	}
	return jsontext.Value(`{}`)
}

// saidBy is the message of the errors that the browser answers with.
func saidBy(c *command) string { return "so says the extension of " + c.mark }

// behaviour is what a browser does with a command.
type behaviour struct {
	kind  behaviourKind
	after time.Duration
	code  string
}

type behaviourKind int

const (
	answersAtOnce behaviourKind = iota
	answersAfter
	fails
	worksOn
	neverAnswers
)

// parseBehaviour reads what follows "that Chrome".
func parseBehaviour(text string) (behaviour, error) {
	switch {
	case text == "answers":
		return behaviour{kind: answersAtOnce}, nil
	case text == "works on":
		return behaviour{kind: worksOn}, nil
	case text == "never answers":
		return behaviour{kind: neverAnswers}, nil
	case strings.HasPrefix(text, "answers after "):
		d, err := duration(strings.TrimPrefix(text, "answers after "))
		return behaviour{kind: answersAfter, after: d}, err
	case strings.HasPrefix(text, "answers with "):
		code := strings.TrimPrefix(text, "answers with ")
		if !protocol.Code(code).Known() {
			return behaviour{}, fmt.Errorf("%q is no code", code)
		}
		return behaviour{kind: fails, code: code}, nil
	}
	return behaviour{}, fmt.Errorf("no browser %s", text)
}

// reply returns what comes of the command in the browser.
func (b behaviour) reply(c *command) sim.Reply {
	good := sim.Default()
	if c.action == "evaluate" {
		good = sim.Data(string(c.value()))
	}
	switch b.kind {
	case answersAfter:
		return sim.After(b.after, good)
	case fails:
		return sim.Fail(protocol.Code(b.code), saidBy(c))
	case worksOn, neverAnswers:
		return sim.Hold()
	}
	return good
}

// newCommand gives a command its mark and remembers it.
func (s *scene) newCommand(sp spec, does behaviour) *command {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.marks++
	c := &command{spec: sp, mark: fmt.Sprintf("m%04d", s.marks), does: does, over: make(chan struct{})}
	if !c.saysBrowser && s.main != "" {
		c.browser = strconv.Quote(string(s.main))
	}
	if !c.saysID {
		c.id = strconv.Quote(c.mark)
	}
	s.commands = append(s.commands, c)
	return c
}

// command returns the command of that name; it is the last one.
func (s *scene) command(who string) (*command, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.commands) - 1; i >= 0; i-- {
		if c := s.commands[i]; who == "it" && c.name != probe || who != "it" && c.name == who {
			return c, nil
		}
	}
	return nil, fmt.Errorf("the scenario has sent no command %q", who)
}

// commandsNamed returns the commands of a list of names.
func (s *scene) commandsNamed(who string) ([]*command, error) {
	var all []*command
	for _, name := range several(who) {
		c, err := s.command(name)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// commandOf returns which command a browser received, or nil. A command that
// carries no mark is the oldest of that action and session that was not
// received before.
func (s *scene) commandOf(st sim.Start) *command {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.commands {
		if c.link == st.ID || bytes.Contains(st.Args, []byte(c.mark)) {
			return c
		}
	}
	for _, c := range s.commands {
		if _, carries := marked[c.action]; carries && c.args == "" || c.link != "" {
			continue
		}
		if a, ok := protocol.LookupAction(c.action); !ok || a.Name != st.Action {
			continue
		}
		if name, err := sessionName(c.session); err == nil && name == st.Session {
			c.link = st.ID
			return c
		}
	}
	return nil
}
