package client

import (
	"context"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// grace is how much longer than the daemon this side waits where no context
// says how long: an answer that says what happened is worth some seconds.
const grace = 5 * time.Second

// schedule is when the daemon's time for a command ends, and when this side
// gives up, which is later (CMD-16).
type schedule struct{ daemon, client time.Time }

// plan returns the schedule of a command that asks for that much time; 0 means
// what the context leaves, or the default.
func plan(ctx context.Context, asked time.Duration, l protocol.Limits) (schedule, error) {
	now := time.Now()
	until, limited := ctx.Deadline()
	left := until.Sub(now)
	if asked != 0 && (asked < time.Millisecond || asked > l.MaxTimeout) {
		return schedule{}, protocol.Errorf(protocol.BadRequest, "a timeout is from 1 ms to %s, the longest one, and %s is asked", l.MaxTimeout, asked)
	}
	inContext := left - margin(left)
	switch {
	case asked == 0 && !limited:
		asked = l.DefaultTimeout
	case asked == 0 && inContext > l.MaxTimeout:
		return schedule{}, protocol.Errorf(protocol.BadRequest,
			"the context leaves %s, and the longest timeout is %s: give the command a timeout, or the context a nearer deadline", left.Round(time.Millisecond), l.MaxTimeout)
	case limited && (asked == 0 || asked > inContext):
		asked = inContext
	}
	if asked < time.Millisecond {
		return schedule{}, notSent(context.DeadlineExceeded)
	}
	s := schedule{daemon: now.Add(asked), client: now.Add(asked + grace)}
	if limited && until.Before(s.client) {
		s.client = until
	}
	return s, nil
}

// margin is what one hop keeps back of the time that is left.
func margin(left time.Duration) time.Duration {
	return min(protocol.DefaultExtensionLimits().Margin, left/4)
}
