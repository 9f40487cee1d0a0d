package page

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Do performs an action of the wire for a session, as the extension would: args
// are the action's arguments as they stand on the link, which the daemon has
// checked. It waits where the action waits, for elements at most until the
// deadline of ctx. At the end of ctx it returns outcome_unknown.
func (t *Tabs) Do(ctx context.Context, session, action string, args jsontext.Value) Result {
	a, ok := protocol.LookupAction(action)
	if !ok {
		return Result{Err: protocol.Errorf(protocol.BadRequest, "the extension knows no action of that name")}
	}
	if a.Name == "close_session" {
		return t.CloseSession(session)
	}
	c := &call{t: t, ctx: ctx, session: session, action: a.Name, args: args}
	t.mu.Lock()
	defer t.mu.Unlock()
	return c.result(c.run())
}

// call is one action that is being performed. Tabs.mu is held but in outside.
type call struct {
	t       *Tabs
	ctx     context.Context
	session string
	action  string
	args    jsontext.Value
	// raised is the dialog that this action opened.
	raised *dialog
	// next are the navigations that the action began.
	next []navigation
}

// content is a picture or a PDF, with the data that stand beside it.
type content struct {
	bytes  []byte
	fields any
}

func (c *call) run() (any, error) {
	if c.ctx.Err() != nil {
		// It was settled before its turn came: its session may be closed.
		return nil, errEnded
	}
	if act, ok := ofTabs[c.action]; ok {
		return act(c)
	}
	b, err := c.tab()
	if err != nil {
		return nil, err
	}
	if c.action != "dialog" {
		if err := c.noDialog(b); err != nil {
			return nil, err
		}
	}
	if err := c.ready(b); err != nil {
		return nil, err
	}
	if c.action != "dialog" {
		c.settle(b)
	}
	acts := onPage
	if b.doc() == nil {
		acts = onMadeUp
	}
	act, ok := acts[c.action]
	if !ok {
		return struct{}{}, nil
	}
	data, err := act(c, b)
	if err != nil {
		return nil, err
	}
	c.follow()
	return data, nil
}

// outside runs f without the lock.
func (c *call) outside(f func()) {
	c.t.mu.Unlock()
	defer c.t.mu.Lock()
	f()
}

// pause waits without the lock; false if ctx ended first.
func (c *call) pause(wait time.Duration) (ok bool) {
	c.outside(func() {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			ok = true
		case <-c.ctx.Done():
		}
	})
	return ok
}

func (c *call) result(v any, err error) Result {
	if err != nil {
		return Result{Err: protocol.AsError(err)}
	}
	var r Result
	if made, ok := v.(content); ok {
		r.Content, v = made.bytes, made.fields
	}
	data, ok := v.(jsontext.Value)
	if !ok {
		data, err = json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return Result{Err: protocol.Errorf(protocol.Internal, "the simulated browser failed to write its data")}
		}
	}
	r.Data = data
	if d := c.raised; d != nil {
		shown, err := json.Marshal(d.shown(), jsontext.AllowInvalidUTF8(true))
		if err == nil {
			r.Data = protocol.ReplaceArg(r.Data, "dialog", shown)
		}
	}
	return r
}

func (c *call) text(name string) string {
	s, _ := protocol.StringArg(c.args, name)
	return s
}

func (c *call) has(name string) bool {
	_, ok := protocol.Arg(c.args, name)
	return ok
}

func (c *call) flag(name string) bool {
	v, _ := protocol.Arg(c.args, name)
	return string(v) == "true"
}

// int64 returns an integer argument; false if it is not there.
func (c *call) int64(name string) (int64, bool) {
	v, ok := protocol.Arg(c.args, name)
	if !ok {
		return 0, false
	}
	var n int64
	return n, json.Unmarshal(v, &n) == nil
}

// number returns a number argument; false if it is not there.
func (c *call) number(name string) (float64, bool) {
	v, ok := protocol.Arg(c.args, name)
	if !ok {
		return 0, false
	}
	var n float64
	return n, json.Unmarshal(v, &n) == nil
}

func fail(code protocol.Code, format string, a ...any) error {
	return protocol.Errorf(code, format, a...)
}
