package extension

import (
	"context"
)

// registerBuffer adds the sentences about a daemon that does not take what
// an extension sends:
//
//	the daemon reads nothing more
//	the daemon reads again
//	the daemon asks for 15 results of 4194304 bytes, called B1 to B15
//	the connection has ended when the daemon reads again
func registerBuffer(sc Sentences, x *ext) {
	sc.When(`^the daemon reads nothing more$`, func() error { return x.reads(false) })
	sc.When(`^the daemon reads again$`, func() error { return x.reads(true) })
	sc.When(`^the daemon asks for results of ([0-9]+) bytes, called ([A-Z][0-9]+) to ([A-Z][0-9]+)$`, x.asksMany)
	sc.Then(`^the extension has ended the connection$`, x.hasEnded)
}

func (x *ext) reads(on bool) error {
	s, err := x.link()
	if err != nil {
		return err
	}
	if on {
		x.unread.ResumeReading()
	} else {
		x.unread = s
		s.StopReading()
	}
	x.w.Clock.Settle()
	return nil
}

// asksMany asks for large results, each in a session of its own, which must
// have a tab.
func (x *ext) asksMany(ctx context.Context, n int, from, to string) error {
	names, err := namesFrom(from, to)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := x.sendsLarge(`"shop"`, n, name); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (x *ext) hasEnded(ctx context.Context) error {
	s := x.unread
	ended := func() bool { _, _, ok := s.Ended(); return ok }
	if !x.reached(ctx, ended) {
		return x.fail("still-there", "holds at most 64 MiB of frames behind the 4 MiB of its socket, and closes a connection on which nothing could be sent for 30 seconds",
			"connection %d stands; it has sent %d messages", s.N, len(s.Heard()))
	}
	return nil
}
