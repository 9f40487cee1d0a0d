package client

import (
	"context"
	"net/http"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Command is one command for a browser.
type Command struct {
	// Action is the name or an alias of an action.
	Action string
	// Args are written as JSON: a struct or map, or a json.RawMessage that holds
	// an object; nil means none.
	Args any
	// Session is the session's name; empty means protocol.DefaultSession.
	Session string
	// Browser is where the session must be; empty leaves it to the daemon.
	Browser protocol.Browser
	// ID is the command's id, which must not be that of a pending one of the
	// session; empty lets the daemon make one.
	ID string
	// Timeout is the time that the command has, from 1 ms to 120 s. 0 means what
	// the context leaves, or 30 s if it has no deadline.
	Timeout time.Duration
}

// Do sends a command, once, and waits for its answer. See the package's comment
// for its errors. The Answer has the command's id also with an error, if the
// command has one.
func (c *Client) Do(ctx context.Context, cmd Command) (Answer, error) {
	answer := Answer{ID: cmd.ID}
	times, err := plan(ctx, cmd.Timeout, c.limits)
	if err != nil {
		return answer, err
	}
	env, err := newEnvelope(cmd, times.daemon)
	if err != nil {
		return answer, err
	}
	if env.size() > c.limits.Body {
		return answer, protocol.Errorf(protocol.TooLarge, "the command has %d bytes as JSON, and at most %d may be sent", env.size(), c.limits.Body)
	}
	ctx, cancel := context.WithDeadline(ctx, times.client)
	defer cancel()
	res, body, err := c.exchange(ctx, http.MethodPost, "/command", env)
	if err != nil {
		return answer, err
	}
	return decodeAnswer(res, body, cmd.ID)
}
