package page

import (
	"context"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// waited is the data of wait.
type waited struct {
	Milliseconds int64 `json:"waited_ms"`
}

func (c *call) wait(b *tab) (any, error) {
	began := time.Now()
	if ms, ok := c.int64("ms"); ok {
		if ms > 0 && !c.pause(time.Duration(ms)*time.Millisecond) {
			return nil, errEnded
		}
		return waited{ms}, nil
	}
	holds, what, err := c.condition(b)
	if err != nil {
		return nil, err
	}
	gone := c.flag("gone")
	switch err := c.until(b, func() bool { return holds() != gone }); {
	case err == context.DeadlineExceeded && gone:
		return nil, fail(protocol.NotFound, "%s is still there", what)
	case err == context.DeadlineExceeded:
		return nil, fail(protocol.NotFound, "%s did not come", what)
	case err != nil:
		return nil, err
	}
	return waited{time.Since(began).Milliseconds()}, nil
}

// condition is what the command waits for, and its name.
func (c *call) condition(b *tab) (holds func() bool, what string, err error) {
	switch {
	case c.has("text"):
		text := oneLine(c.text("text"))
		return func() bool { return strings.Contains(oneLine(b.addressed().pageText()), text) }, "the text " + quoted(text), nil
	case c.has("selector"):
		css := c.text("selector")
		if _, ok := referenceOf(css); !ok {
			if _, err := c.query(b, css); err != nil {
				return nil, "", err
			}
		}
		return func() bool { return c.anyShown(b, css) }, css, nil
	case c.has("url"):
		pattern := c.text("url")
		return func() bool { return matches(pattern, b.url()) }, "a URL like " + pattern, nil
	}
	// A page is loaded before the action that loads it is answered.
	return func() bool { return true }, "the page", nil
}

// anyShown reports whether an element matches and is visible.
func (c *call) anyShown(b *tab, css string) bool {
	if number, ok := referenceOf(css); ok {
		e, err := c.t.hold(c.session).refs.find(number, b)
		return err == nil && e.d.shown(e.n)
	}
	all, err := c.query(b, css)
	if err != nil {
		return false
	}
	for _, e := range all {
		if e.d.shown(e.n) {
			return true
		}
	}
	return false
}
