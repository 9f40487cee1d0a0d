package extension

import (
	"context"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
)

// registerTries adds the sentences about an extension that cannot connect:
//
//	it has tried 8 times                         waits for the tries, as long as they may take
//	its tries keep to the back-off
//	the delays of its tries differ               the jitter
//	it tries again 500ms after the connection's end
//	it tries again 500ms after the refusal
func registerTries(sc Sentences, x *ext) {
	sc.When(`^the extension has tried ([0-9]+) times$`, x.hasTried)
	sc.Then(`^its tries keep to the back-off$`, x.keepsBackOff)
	sc.Then(`^the long delays of its tries differ, and fill what they may$`, x.differs)
	sc.Then(`^the long delays of its tries differ$`, x.jitters)
	sc.Then(`^the extension tries again (\S+) after the (?:end|refusal)$`, x.triesAgain)
}

// try is one attempt to connect: everything that an extension does at once,
// asking for the proof, the upgrade and asking for the reason.
type try struct{ began, ended time.Time }

// apart is how long nothing may happen within one try. In the virtual lane a
// try takes no time at all.
func (x *ext) apart() time.Duration {
	if x.w.Clock.Exact() {
		return 0
	}
	return 150 * time.Millisecond
}

// tries returns the attempts so far, the successful ones too.
func (x *ext) tries() []try {
	var all []try
	for _, c := range x.d.Contacts() {
		if n := len(all); n > 0 && c.Opened.Sub(all[n-1].ended) <= x.apart() {
			all[n-1].ended = later(all[n-1].ended, c.Last)
			continue
		}
		all = append(all, try{c.Opened, c.Last})
	}
	return all
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// The bounds of the back-off (LIFE-04).
const (
	leastWait = 500 * time.Millisecond
	mostWait  = 30 * time.Second
)

// envelope returns the bounds of the delay after the n-th failure in a row, from 0.
func envelope(n int) (least, most time.Duration) {
	d := mostWait
	if n < 6 {
		d = leastWait << n
	}
	return max(leastWait, d/2), d
}

func (x *ext) hasTried(ctx context.Context, n int) error {
	left := time.Duration(n) * (mostWait + time.Second)
	for waited := time.Duration(0); ; {
		x.w.Clock.Settle()
		if len(x.tries()) >= n {
			return nil
		}
		if waited > left {
			return x.fail("gave-up", backsOff, "it has tried %d times within %s; want %d: %s", len(x.tries()), waited, n, x.seen())
		}
		step := 100 * time.Millisecond
		if err := x.w.Clock.Elapse(ctx, step); err != nil {
			return err
		}
		waited += step
	}
}

const backsOff = "waits after the n-th failed try, from 0, for a delay drawn from [max(0.5 s, d/2), d] with d = min(30 s, 0.5 s x 2^n), " +
	"also after a 409, and starts again at 0.5 s after a welcome"

// delays returns how long the extension waited before each try but the first.
func (x *ext) delays() []time.Duration {
	var all []time.Duration
	tries := x.tries()
	for i := 1; i < len(tries); i++ {
		all = append(all, tries[i].began.Sub(tries[i-1].ended))
	}
	return all
}

func (x *ext) keepsBackOff() error {
	for n, got := range x.delays() {
		least, most := envelope(n)
		if !x.w.Clock.Exact() {
			least, most = least-x.apart(), most+grace
		}
		if got < least || got > most {
			return x.fail("envelope", backsOff, "try %d came %s after the end of the one before, which was failure %d in a row; want %s to %s. All delays: %s",
				n+2, got, n, least, most, listed(x.delays()))
		}
	}
	return nil
}

// long returns the delays at the cap.
func (x *ext) long() []time.Duration {
	all := x.delays()
	return all[min(len(all), 7):]
}

func (x *ext) jitters() error {
	long := x.long()
	if len(long) < 3 {
		return fmt.Errorf("%d long delays show no jitter", len(long))
	}
	for _, d := range long[1:] {
		if off := d - long[0]; off > 20*time.Millisecond || off < -20*time.Millisecond {
			return nil
		}
	}
	return x.fail("no-jitter", backsOff, "its delays at the cap are all alike: %s", listed(long))
}

// differs looks at many delays: of 40 uniform ones in [15 s, 30 s], none lies
// in the first third or none in the last with a chance of 2 in ten million.
func (x *ext) differs() error {
	long := x.long()
	if len(long) < 40 {
		return fmt.Errorf("%d long delays do not show how they are spread", len(long))
	}
	least, most := long[0], long[0]
	for _, d := range long {
		least, most = min(least, d), max(most, d)
	}
	if least > 20*time.Second || most < 25*time.Second {
		return x.fail("spread", backsOff, "its %d delays at the cap lie within %s and %s", len(long), least, most)
	}
	return nil
}

func (x *ext) triesAgain(ctx context.Context, text string) error {
	want, err := words.Duration(text)
	if err != nil {
		return err
	}
	before := x.tries()
	if len(before) == 0 {
		return fmt.Errorf("the extension has not tried yet")
	}
	last := before[len(before)-1]
	if left := want - x.w.Clock.Since(last.ended); left > 0 {
		if err := x.w.Clock.Elapse(ctx, left); err != nil {
			return err
		}
	}
	more := func() bool { return len(x.tries()) > len(before) }
	if !x.reached(ctx, more) {
		return x.fail("no-try", backsOff, "it has not tried again %s after %s: %s", want, x.at(last.ended), x.seen())
	}
	next := x.tries()[len(before)]
	if err := x.near(next.began.Sub(last.ended), want); err != nil {
		return x.fail("first-delay", backsOff, "it tried again %s after the end at %s: %s", next.began.Sub(last.ended), x.at(last.ended), err)
	}
	return nil
}
