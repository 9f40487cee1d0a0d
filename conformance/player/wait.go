package player

import (
	"context"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/sim/tape"
)

const (
	// usualWithin is how long an expectation waits if its line does not say.
	usualWithin = 5 * time.Second
	// grace is how late a thing may be in the real lane, beside what the machine
	// was late before.
	grace = time.Second
)

// patience is how long a line waits for what it is about.
func (p *play) patience(l *tape.Line) time.Duration {
	d, said := l.Duration("within")
	if !said {
		d = usualWithin
	}
	now := p.elapsed()
	if at, ok := l.Duration("at"); ok {
		d = max(d, at-now+usualWithin)
	}
	if took, ok := l.Duration("took"); ok && !said {
		d = max(d, took+usualWithin)
	}
	return d
}

// until waits until cond holds, which is asked with p.mu held each time
// something has happened; false if it did not within d, or ctx ended.
func (p *play) until(d time.Duration, cond func() bool) bool {
	ctx, cancel := context.WithTimeout(p.ctx, d)
	defer cancel()
	for {
		p.mu.Lock()
		ok, changed := cond(), p.changed
		p.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			// What happens at the very end has happened.
			p.rest()
			p.mu.Lock()
			defer p.mu.Unlock()
			return cond()
		}
	}
}

// wake lets those who wait look again. p.mu is held.
func (p *play) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// timed judges when something happened, by at= and took= of the line. slip is
// how far the clock was ahead of the tape when the line began.
func (p *play) timed(l *tape.Line, happened time.Time, sent time.Time, slip time.Duration) error {
	if want, ok := l.Duration("at"); ok {
		p.nominal = max(p.nominal, want)
		got := happened.Sub(p.began)
		switch {
		case p.stage.Clock.Exact() && got != want:
			return fmt.Errorf("it happened at %s, not at %s", offset(got), offset(want))
		case got < want:
			return fmt.Errorf("it happened at %s, before %s", offset(got), offset(want))
		case !p.stage.Clock.Exact() && got > want+slip+grace:
			return fmt.Errorf("it happened at %s, later than %s and what the machine may be late", offset(got), offset(want))
		}
	}
	if want, ok := l.Duration("took"); ok {
		if err := p.stage.Clock.Took(max(0, happened.Sub(sent)), want, grace); err != nil {
			return fmt.Errorf("it %w", err)
		}
	}
	return nil
}

// slip is how far the clock is ahead of what the tape's lines say.
func (p *play) slip() time.Duration { return max(0, p.elapsed()-p.nominal) }

// offset is a time since the tape's start as transcripts write it.
func offset(d time.Duration) string { return "+" + tape.Duration(d) }
