package player

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/sim/tape"
)

// WriteText writes the transcript for people: what happened, each with its time
// since the start, and between it the verdicts on the lines of the tape.
func (t *Transcript) WriteText(w io.Writer) error {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(t.Title + "\n")
	}
	fmt.Fprintf(&b, "%s, %s lane, seed %d\n\n", t.Tape, t.Lane, t.Seed)
	checks := t.Checks
	for _, e := range t.Said() {
		for len(checks) > 0 && checks[0].Line < e.Line {
			t.verdict(&b, checks[0])
			checks = checks[1:]
		}
		what := e.Text
		if e.ID != "" {
			what = e.ID + ": " + what
		}
		who := e.From
		if e.To != "" {
			who = fmt.Sprintf("%-8s → %s", e.From, e.To)
		}
		fmt.Fprintf(&b, "%14s  %-19s %s\n", t.offset(e), who, what)
	}
	for _, c := range checks {
		t.verdict(&b, c)
	}
	b.WriteString("\n" + t.Verdict() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// offset is an event's time: whole in the virtual lane, in milliseconds in the
// real one.
func (t *Transcript) offset(e Event) string {
	if t.Lane == "real" {
		return fmt.Sprintf("+%.3fs", e.At.Seconds())
	}
	return "+" + tape.Duration(e.At)
}

func (t *Transcript) verdict(b *strings.Builder, c Check) {
	mark := map[Outcome]string{Held: "held", Failed: "FAILED", NotReached: "not reached"}[c.Outcome]
	fmt.Fprintf(b, "%14s  %s:%d: %s\n", mark, t.Tape, c.Line, strings.Join(strings.Fields(c.Text), " "))
	if c.Reason != "" {
		fmt.Fprintf(b, "%14s  %s\n", "", c.Reason)
	}
}

// Verdict is the transcript in one sentence.
func (t *Transcript) Verdict() string {
	held, all := 0, 0
	for _, c := range t.Checks {
		if c.Expects {
			all++
		}
		if c.Expects && c.Outcome == Held {
			held++
		}
	}
	if f := t.Failed(); f != nil {
		return fmt.Sprintf("%s:%d: not as the tape says: %s (%d of %s held)", t.Tape, f.Line, f.Reason, held, expectations(all))
	}
	if broken := t.Broken(); broken != "" {
		return fmt.Sprintf("%s: %d of %d expectations held, and yet: %s", t.Tape, held, all, broken)
	}
	return fmt.Sprintf("%s: as the tape says (%s held, %s of protocol time)", t.Tape, expectations(held), tape.Duration(t.Elapsed.Round(10*time.Millisecond)))
}

func expectations(n int) string {
	if n == 1 {
		return "1 expectation"
	}
	return fmt.Sprintf("%d expectations", n)
}
