package client

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Session is a session by its name: a value that can be copied, and that holds
// nothing open. Its methods are the actions.
type Session struct {
	client  *Client
	name    string
	browser protocol.Browser
	timeout time.Duration
}

// Session returns the session of that name; empty means protocol.DefaultSession.
func (c *Client) Session(name string) Session { return Session{client: c, name: name} }

// On returns the session with every command addressed to that browser. A
// session that is bound to the other one answers session_bound.
func (s Session) On(b protocol.Browser) Session {
	s.browser = b
	return s
}

// Within returns the session with that time for every command, from 1 ms to
// 120 s; 0 means what the context leaves, or 30 s.
func (s Session) Within(d time.Duration) Session {
	s.timeout = d
	return s
}

// Name returns the session's name.
func (s Session) Name() string {
	if s.name == "" {
		return protocol.DefaultSession
	}
	return s.name
}

// noArgs are the arguments of an action that takes none.
type noArgs struct{}

// call sends a command of the session and reads its data.
func call[D any](ctx context.Context, s Session, action string, args any) (D, error) {
	var data D
	answer, err := s.client.Do(ctx, Command{Action: action, Args: args, Session: s.name, Browser: s.browser, Timeout: s.timeout})
	if err != nil {
		return data, err
	}
	if err := json.Unmarshal(answer.Data, &data); err != nil {
		var none D
		return none, unknown("%s answered ok with data that this version cannot read", action)
	}
	return data, nil
}

// Picture returns the bytes of a picture that came in the answer.
func (d ScreenshotData) Picture() ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(d.Base64)
	if err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	return b, nil
}
