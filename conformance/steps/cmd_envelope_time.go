package steps

import (
	"context"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/sim"
)

// registerToldTimes adds the sentences about the time that a browser is told a
// command has left:
//
//	Chrome was told 17s for A                    in its frame
//	Chrome was told 17s for each part of the artifact
func registerToldTimes(sc sentences, e *envelopes) {
	sc.Then(`^(Chrome|Firefox) was told (\S+) for (`+oneName+`)$`, e.wasTold)
	sc.Then(`^(Chrome|Firefox) was told (\S+) for each part of the artifact$`, e.wasToldForParts)
}

func (e *envelopes) wasTold(ctx context.Context, name, text, who string) error {
	c, err := e.command(who)
	if err != nil {
		return err
	}
	got, _, err := e.received(ctx, c)
	if err != nil {
		return e.w.Fail("not-sent", "%s: %v", name, err)
	}
	return e.saysLeft(got, text)
}

func (e *envelopes) wasToldForParts(ctx context.Context, name, text string) error {
	b, err := e.of(name)
	if err != nil {
		return err
	}
	var parts []sim.Start
	if !e.reached(ctx, func() bool {
		parts = nil
		for _, st := range b.Received() {
			if st.Action == "artifact_read" {
				parts = append(parts, st)
			}
		}
		return len(parts) > 1
	}) {
		return fmt.Errorf("%s was asked for %d parts of an artifact", name, len(parts))
	}
	for _, st := range parts {
		if err := e.saysLeft(st, text); err != nil {
			return err
		}
	}
	return nil
}

// saysLeft compares what a frame says is left with what was. In the real lane
// some of that has passed when the daemon looks, and none can come back.
func (e *envelopes) saysLeft(got sim.Start, text string) error {
	left, err := duration(text)
	if err != nil {
		return err
	}
	said, least := time.Duration(got.DeadlineMS)*time.Millisecond, left
	if !e.w.Clock.Exact() {
		least = max(time.Millisecond, left-grace)
	}
	switch {
	case said > left:
		return e.w.Fail("told-more", "the frame of a %s says that %s are left, and there are %s", got.Action, said, left)
	case said < least:
		return e.w.Fail("told-less", "the frame of a %s says that %s are left, and there are %s", got.Action, said, left)
	}
	return nil
}
