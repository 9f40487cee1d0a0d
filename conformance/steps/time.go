package steps

import (
	"context"
	"fmt"
	"time"
)

func registerTime(sc sentences, s *scene) {
	sc.When(`^([0-9].*?) (?:more )?pass(?:es)?$`, s.passes)
	sc.When(`^(`+oneName+`) is ([0-9].*) old$`, s.isOld)
	sc.When(`^(Chrome|Firefox)'s connection is ([0-9].*) old$`, s.connectionIsOld)
}

func (s *scene) passes(ctx context.Context, text string) error {
	d, err := duration(text)
	if err != nil {
		return err
	}
	return s.w.Clock.Elapse(ctx, s.w.Clock.Adapt(d))
}

func (s *scene) isOld(ctx context.Context, who, age string) error {
	c, err := s.command(who)
	if err != nil {
		return err
	}
	return s.reachAge(ctx, c.sent, age)
}

func (s *scene) connectionIsOld(ctx context.Context, name, age string) error {
	b, err := s.of(name)
	if err != nil {
		return err
	}
	return s.reachAge(ctx, b.opened, age)
}

// reachAge lets time pass until that long after since. In the real lane the
// daemon's own clock for it started later than since, by what it took to reach
// it, and an age just after an edge is a second after it.
func (s *scene) reachAge(ctx context.Context, since time.Time, age string) error {
	d, err := duration(age)
	if err != nil {
		return err
	}
	left := s.w.Clock.Adapt(d) - s.w.Clock.Since(since)
	if left < 0 {
		return fmt.Errorf("it is older than %s already, by %s", d, -left)
	}
	return s.w.Clock.Elapse(ctx, left)
}
