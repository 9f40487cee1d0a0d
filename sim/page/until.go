package page

import (
	"context"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// poll is how often a condition is looked at again while nothing is due.
const poll = 100 * time.Millisecond

// until waits until holds, at most until the deadline of the action's context: then
// it returns context.DeadlineExceeded. It returns outcome_unknown when the
// context ends before, tab_gone when the tab is closed, and dialog_open when a
// dialog keeps the page from going on.
func (c *call) until(b *tab, holds func() bool) error {
	for {
		c.settle(b)
		if b.closed {
			return fail(protocol.TabGone, "the tab was closed")
		}
		if holds() {
			return nil
		}
		if c.raised == nil {
			if err := c.noDialog(b); err != nil {
				return err
			}
		}
		wait := poll
		if d := b.doc(); d != nil {
			wait = min(wait, d.nextDue())
		}
		if end, ok := c.ctx.Deadline(); ok {
			left := time.Until(end)
			if left <= 0 {
				return context.DeadlineExceeded
			}
			wait = min(wait, left)
		}
		if !c.pause(wait) {
			return errEnded
		}
	}
}

var errEnded = protocol.Errorf(protocol.OutcomeUnknown, "the command ended while it waited")
