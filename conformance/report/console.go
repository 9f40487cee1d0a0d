package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// width is how much of a rule's sentence stands in its line.
const width = 76

// console writes what is printable alone: what came over the wire must neither
// steer a terminal nor make the report a binary file.
func console(out *strings.Builder, s *verdict.Stream, v *verdict.Verdict) {
	b := &strings.Builder{}
	text(b, s, v)
	out.WriteString(printable(b.String()))
}

// printable writes what cannot be printed as Go escapes it. Line breaks stay.
func printable(s string) string {
	var out strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) || r == '\n' {
			out.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return out.String()
}

func text(b *strings.Builder, s *verdict.Stream, v *verdict.Verdict) {
	h := s.Header
	fmt.Fprintf(b, "suite %s of %s, role %s, target %s:%s, %s lane, seed %d", h.Suite, h.Protocol, h.Role, h.Target.Kind, h.Target.Name, h.Lane, h.Seed)
	if h.Shard != nil {
		fmt.Fprintf(b, ", part %s", h.Shard)
	}
	b.WriteString("\n\n")
	for i := range v.Rules {
		// Whoever selects some rules wants to read about these.
		if r := &v.Rules[i]; r.Selected || len(r.Of) > 0 {
			ruleLine(b, h, r)
		}
	}
	b.WriteString("\n")
	for _, line := range v.Stale {
		fmt.Fprintf(b, "expectations: %s\n", line)
	}
	summary(b, s, v)
}

func ruleLine(b *strings.Builder, h *verdict.Header, r *verdict.RuleVerdict) {
	var took time.Duration
	ok, ran := 0, 0
	for i := range r.Of {
		e := r.Of[i].Event
		if e == nil {
			continue
		}
		ran++
		took += e.Took
		if e.Outcome == verdict.Passed || e.Outcome == verdict.Allowed {
			ok++
		}
	}
	count, spent := "", ""
	if len(r.Of) > 0 {
		count, spent = fmt.Sprintf("%d/%d", ok, len(r.Of)), round(took)
	}
	fmt.Fprintf(b, "%-16s %-8s %6s %8s  %s\n", r.Mark, r.ID, count, spent, ledger.Short(r.Sentence, width))
	for i := range r.Of {
		detail(b, h, &r.Of[i])
	}
}

// detail says of a scenario what its rule's line does not.
func detail(b *strings.Builder, h *verdict.Header, s *verdict.ScenarioVerdict) {
	e := s.Event
	switch {
	case e == nil:
		fmt.Fprintf(b, "    did not run: %s\n", s.ID)
	case s.Surprise:
		fmt.Fprintf(b, "    passed, although it was expected to fail (%s): %s\n", s.Expected, s.ID)
	case e.Outcome == verdict.Unobservable:
		fmt.Fprintf(b, "    unobservable: %s: %s\n", s.ID, e.Reason)
	case e.Outcome == verdict.Allowed:
		fmt.Fprintf(b, "    allowed: %s: %s\n", s.ID, strings.Join(e.Allowed, ", "))
	case e.Outcome == verdict.Skipped:
		fmt.Fprintf(b, "    skipped (%s): %s\n", e.Reason, s.ID)
	case s.Excused() && s.Expected != "":
		fmt.Fprintf(b, "    failed as expected (%s): %s\n", s.Expected, s.ID)
	case s.Excused():
		fmt.Fprintf(b, "    failed, and is known to be flaky (%s): %s: %s\n", s.Flaky, s.ID, because(e))
	case e.Outcome == verdict.Failed:
		failure(b, h, s)
	}
}

func failure(b *strings.Builder, h *verdict.Header, s *verdict.ScenarioVerdict) {
	e := s.Event
	fmt.Fprintf(b, "    %s\n", s.ID)
	if e.Step != "" {
		fmt.Fprintf(b, "      at    %s\n", e.Step)
	}
	fmt.Fprintf(b, "      %-5s %s\n", "why", because(e))
	if s.Expected+s.Flaky != "" {
		fmt.Fprintf(b, "      it was expected to fail (%s), but not like that\n", s.Expected+s.Flaky)
	}
	for _, line := range e.Transcript {
		first, rest, _ := strings.Cut(line.String(), "\n")
		fmt.Fprintf(b, "      | %s\n", first)
		for more := range strings.Lines(rest) {
			fmt.Fprintf(b, "      |   %s\n", strings.TrimRight(more, "\n"))
		}
	}
	fmt.Fprintf(b, "      again %s\n", Repeat(h, s.ID))
}

// because says in a line why a scenario failed.
func because(e *verdict.Finished) string {
	if e.Check != "" {
		return e.Check + ": " + e.Reason
	}
	return string(e.Cause) + ": " + e.Reason
}

func summary(b *strings.Builder, s *verdict.Stream, v *verdict.Verdict) {
	marks := make(map[verdict.Mark]int)
	var elapsed time.Duration
	for i := range v.Rules {
		marks[v.Rules[i].Mark]++
	}
	for _, e := range s.Finished {
		elapsed += e.Elapsed
	}
	var parts []string
	for _, m := range []verdict.Mark{
		verdict.Kept, verdict.Part, verdict.Broken, verdict.Expected, verdict.FailedFlaky, verdict.Hidden, verdict.LeftOut,
		verdict.Missing, verdict.Untested, verdict.Unplanned, verdict.Unjudged,
	} {
		if marks[m] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", marks[m], m))
		}
	}
	fmt.Fprintf(b, "%d rules: %s\n", len(v.Rules), strings.Join(parts, ", "))
	for _, l := range v.Levels {
		fmt.Fprintf(b, "level %s: %s\n", l.Level, counts(&l.Counts))
	}
	fmt.Fprintf(b, "%d scenarios: %s; %s by the wall", len(v.Scenarios), counts(&v.Counts), round(s.Footer.Took))
	if s.Header.Lane == ledger.Virtual {
		fmt.Fprintf(b, ", %s of virtual time", elapsed.Round(time.Second))
	}
	fmt.Fprintf(b, "\n%s (exit code %d); the last line counts scenarios\n", v.Why, v.Exit)
	fmt.Fprintf(b, "%d passed, %d failed\n", v.Passed, v.Failed+v.Missing)
}

// counts says how the scenarios came out. What a file of expectations says is
// named where there is any.
func counts(c *verdict.Counts) string {
	text := fmt.Sprintf("%d passed, %d failed, %d failed as expected, ", c.Passed, c.Failed, c.Expected)
	if c.Flaky > 0 {
		text += fmt.Sprintf("%d flaky, ", c.Flaky)
	}
	if c.Skipped > 0 {
		text += fmt.Sprintf("%d skipped, ", c.Skipped)
	}
	return text + fmt.Sprintf("%d unobservable, %d did not run", c.Unobservable, c.Missing)
}

func round(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Microsecond).String()
}
