package report

import (
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/report/sequence"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/sim/diagram"
)

// maxSummary is how long a summary may get before failures are counted alone:
// GitHub refuses one of more than 1 MiB.
const maxSummary = 900 << 10

// markdown writes GitHub's kind of Markdown: the verdict, the numbers, each rule
// that is not plainly kept, and each failure with its diagram, folded.
func markdown(b *strings.Builder, s *verdict.Stream, v *verdict.Verdict) error {
	h := s.Header
	sign := map[verdict.Exit]string{verdict.Conformant: "✅", verdict.Nonconformant: "❌"}[v.Exit]
	if sign == "" {
		sign = "⚠️"
	}
	fmt.Fprintf(b, "## %s %s %s: %s\n\n", sign, md(h.Protocol), md(string(h.Role)), md(v.Why))
	fmt.Fprintf(b, "Target %s, %s lane, seed %d, suite %s, %s, exit code %d.\n\n",
		code(h.Target.Kind+":"+h.Target.Name), h.Lane, h.Seed, md(h.Suite), h.Started.UTC().Format("2006-01-02 15:04:05 UTC"), v.Exit)
	b.WriteString("| level | passed | failed | as expected | flaky | unobservable | skipped | did not run |\n|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, l := range v.Levels {
		mdCounts(b, string(l.Level), &l.Counts)
	}
	mdCounts(b, "**all**", &v.Counts)
	for _, line := range v.Stale {
		fmt.Fprintf(b, "\n> [!WARNING]\n> %s\n", md(line))
	}
	mdRules(b, v)
	return mdFailures(b, h, v)
}

func mdCounts(b *strings.Builder, name string, c *verdict.Counts) {
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, c.Passed, c.Failed, c.Expected, c.Flaky, c.Unobservable, c.Skipped, c.Missing)
}

func mdRules(b *strings.Builder, v *verdict.Verdict) {
	kept, first := 0, true
	for i := range v.Rules {
		r := &v.Rules[i]
		switch r.Mark {
		case verdict.Kept:
			kept++
			continue
		case verdict.Unjudged, verdict.Unplanned:
			continue
		}
		if first {
			b.WriteString("\n| rule | verdict | |\n|---|---|---|\n")
			first = false
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", md(r.ID), md(string(r.Mark)), md(r.Sentence))
	}
	if kept > 0 {
		fmt.Fprintf(b, "\n%d rules are kept whole.\n", kept)
	}
}

func mdFailures(b *strings.Builder, h *verdict.Header, v *verdict.Verdict) error {
	left := 0
	for i := range v.Scenarios {
		s := &v.Scenarios[i]
		if !s.Failed() {
			continue
		}
		var one strings.Builder
		if err := mdFailure(&one, h, s); err != nil {
			return err
		}
		if b.Len()+one.Len() > maxSummary {
			left++
			continue
		}
		b.WriteString(one.String())
	}
	if left > 0 {
		fmt.Fprintf(b, "\n%d more failures have no room here.\n", left)
	}
	return nil
}

func mdFailure(b *strings.Builder, h *verdict.Header, s *verdict.ScenarioVerdict) error {
	e := s.Event
	fmt.Fprintf(b, "\n<details><summary>%s <b>%s</b></summary>\n\n", xmlText(s.Rule), xmlText(printable(s.ID)))
	if e.Step != "" {
		fmt.Fprintf(b, "at %s<br>\n", code(e.Step))
	}
	fmt.Fprintf(b, "%s\n\n", code(because(e)))
	if len(e.Transcript) > 0 {
		var drawn strings.Builder
		if err := diagram.Text(&drawn, sequence.Window(sequence.Of(h.Role, e))); err != nil {
			return fmt.Errorf("draw %q: %w", s.ID, err)
		}
		fence(b, "text", drawn.String())
	}
	fence(b, "sh", Repeat(h, s.ID)+"\n")
	b.WriteString("\n</details>\n")
	return nil
}

// md escapes a text for a line of Markdown or a cell of a table.
func md(s string) string {
	s = printable(strings.Join(strings.Fields(s), " "))
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
			continue
		case strings.ContainsRune("\\`*_{}[]|#!~&@$", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code writes a text as a span of code, longer than any run of backquotes in
// it.
func code(s string) string {
	s = printable(strings.Join(strings.Fields(s), " "))
	mark := strings.Repeat("`", longestRun(s, '`')+1)
	// A blank at either end belongs to the span, not to the text.
	return mark + " " + s + " " + mark
}

func fence(b *strings.Builder, language, text string) {
	mark := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	fmt.Fprintf(b, "%s%s\n%s%s\n", mark, language, printable(text), mark)
}

// longestRun returns how often a character stands in a row at most.
func longestRun(s string, c rune) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
