package record

import (
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// command is one command on its way through a link.
type command struct {
	// id is its name in the tape, its call's; "" if nobody who was recorded sent it.
	id     string
	frame  *protocol.CommandFrame
	link   *link
	at     time.Time
	result *protocol.Result
	// resultAt is when the result came, resultOn the link on which it did.
	resultAt time.Time
	resultOn *link
	// ahead is how many of its session were waiting or running when it came.
	ahead int
	// closedBy is the close_session that came after it and before its result.
	closedBy *command
	// internal commands are the daemon's own, asked ones the extension's.
	internal, asked bool
}

// deadline is when the extension itself gives a command up: the daemon's
// deadline comes after it.
func (c *command) deadline() time.Time {
	left := c.left()
	return c.at.Add(left - min(protocol.DefaultExtensionLimits().Margin, left/4))
}

// left is how long the daemon waits.
func (c *command) left() time.Duration { return time.Duration(c.frame.DeadlineMS) * time.Millisecond }

// silent reports whether the browser let its own deadline pass without a word,
// as the simulated one does only if it is told.
func (c *command) silent(end time.Time, profile map[string]string) bool {
	lived := end
	if !c.link.ended.IsZero() {
		lived = c.link.ended
	}
	if c.result != nil {
		if c.byItself(profile) {
			return false
		}
		if c.resultAt.Before(lived) {
			lived = c.resultAt
		}
	}
	return lived.After(c.deadline())
}

// early is how long before its deadline a browser may give a command up by it:
// clocks of two processes do not begin at the same time.
const early = 100 * time.Millisecond

// byItself reports whether a simulated browser gives that answer without being
// told, so that a line that says it would come too late.
func (c *command) byItself(profile map[string]string) bool {
	e := c.result.Error
	if c.result.OK || c.result.Bad != nil || e == nil {
		return false
	}
	switch e.Code {
	case protocol.Busy:
		return c.ahead > protocol.DefaultExtensionLimits().Waiting && !beside(c.frame.Action)
	case protocol.SessionClosed:
		return c.closedBy != nil
	case protocol.OutcomeUnknown:
		return c.closedBy != nil || !c.resultAt.Before(c.deadline().Add(-early)) && c.resultAt.Before(c.at.Add(c.left()))
	case protocol.Unsupported:
		_, ok := profile[c.frame.Action]
		return ok
	}
	return false
}
