package client

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/door"
)

// registerDaemon adds what the daemon before a client does.
//
//	the daemon answers every click with outcome_unknown     any code of the list, or ok
//	the daemon closes the connection of every click
//	the daemon never answers a click
//	the daemon has no room for 3s, and says so | and does not say how long
//	the daemon holds the commands of session "slow"
//	the daemon refuses what it holds with bad_request       with the status of a refusal
func registerDaemon(sc Sentences, c *scene) {
	sc.Given(`^the daemon answers every (\w+) with (\w+)$`, c.answersWith)
	sc.Given(`^the daemon (closes the connection of every|never answers a) (\w+)$`, c.keepsSilent)
	sc.Given(`^the daemon has no room for ([0-9]\S*), and (says so|does not say how long)$`, c.hasNoRoom)
	sc.Given(`^the daemon holds the commands of session "([^"]*)"$`, c.holds)
	sc.When(`^the daemon refuses what it holds with (\w+)$`, c.releases)
}

// manner is how the daemon answers. Its fields are changed between two
// commands, and read by the goroutines that answer.
type manner struct {
	mu sync.Mutex
	// replies are what the commands of an action get.
	replies map[string]door.Reply
	// decide, if set, decides instead.
	decide func(door.Request) door.Reply
	// full is how long there is no room from the first command on, since when,
	// and whether the refusal says so.
	full   time.Duration
	since  time.Time
	retry  bool
	held   string
	answer chan door.Reply
}

// answer is what comes of a command.
func (c *scene) answer(q door.Request) door.Reply {
	action, session := asked(q)
	c.manner.mu.Lock()
	defer c.manner.mu.Unlock()
	m := &c.manner
	if m.full > 0 {
		if m.since.IsZero() {
			m.since = q.At
		}
		if left := m.full - q.At.Sub(m.since); left > 0 {
			return c.refusal(left)
		}
	}
	if m.decide != nil {
		return m.decide(q)
	}
	if m.held != "" && session == m.held {
		return door.Held(m.answer)
	}
	if r, ok := m.replies[action]; ok {
		return r
	}
	return door.OK(`{"text":"- document","nodes":1,"truncated":false,"url":"http://shop.test/","title":"Shop","tab":1,"value":null}`)
}

// refusal is what a command gets while there is no room.
func (c *scene) refusal(left time.Duration) door.Reply {
	if c.manner.retry {
		return door.Full(int((left + time.Second - 1) / time.Second))
	}
	return door.Fail(protocol.Errorf(protocol.Busy, "128 commands are waiting for this browser; ask again later"))
}

// asked returns the action and the session of a command.
func asked(q door.Request) (action, session string) {
	command, err := protocol.DecodeCommand(q.Body, protocol.DefaultLimits())
	if err != nil {
		return "", ""
	}
	return command.Action.Name, command.Session
}

// each has decide answer every command from now on.
func (c *scene) each(decide func(door.Request) door.Reply) {
	c.manner.mu.Lock()
	defer c.manner.mu.Unlock()
	c.manner.decide = decide
}

func (c *scene) behave(action string, r door.Reply) {
	c.manner.mu.Lock()
	defer c.manner.mu.Unlock()
	if c.manner.replies == nil {
		c.manner.replies = map[string]door.Reply{}
	}
	c.manner.replies[action] = r
}

func (c *scene) answersWith(_ context.Context, action, code string) error {
	r, err := doorReply(code)
	if err != nil {
		return err
	}
	c.behave(action, r)
	return nil
}

// doorReply is the answer with that code, or ok.
func doorReply(code string) (door.Reply, error) {
	if code == "ok" {
		return door.OK(`{}`), nil
	}
	for _, known := range protocol.Codes {
		if string(known) != code {
			continue
		}
		e := protocol.Errorf(known, "it is told to say so")
		if known == protocol.OutcomeUnknown {
			e = protocol.Unknown(protocol.DeliveredUnknown, "it is told to say so; look at the page before you ask again")
		}
		return door.Fail(e), nil
	}
	return door.Reply{}, fmt.Errorf("there is no code %q", code)
}

func (c *scene) keepsSilent(_ context.Context, how, action string) error {
	if strings.HasPrefix(how, "closes") {
		c.behave(action, door.Cut())
	} else {
		c.behave(action, door.Never())
	}
	return nil
}

func (c *scene) hasNoRoom(_ context.Context, text, says string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	c.manner.mu.Lock()
	defer c.manner.mu.Unlock()
	c.manner.full, c.manner.retry = d, says == "says so"
	return nil
}

func (c *scene) holds(_ context.Context, session string) error {
	c.manner.mu.Lock()
	defer c.manner.mu.Unlock()
	c.manner.held, c.manner.answer = session, make(chan door.Reply, 1)
	return nil
}

func (c *scene) releases(_ context.Context, code string) error {
	c.manner.answer <- door.Refuse(protocol.Errorf(protocol.Code(code), "it is told to say so"))
	return nil
}
