package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// tap writes TAP version 14 (https://testanything.org/tap-version-14-specification.html):
// a test point for each rule that was planned, its scenarios as its subtest.
// What the target cannot show and what a file says to skip are SKIP with the
// reason, failures that are expected or known to be flaky are TODO. TAP has no
// word for a verdict that is not the target's, so that one is a test point of
// its own, and a run that ended early bails out.
func tap(b *strings.Builder, s *verdict.Stream, v *verdict.Verdict) {
	h := s.Header
	b.WriteString("TAP version 14\n")
	fmt.Fprintf(b, "# suite %s of %s, role %s, target %s, %s lane, seed %d\n",
		h.Suite, h.Protocol, h.Role, tapText(h.Target.Kind+":"+h.Target.Name), h.Lane, h.Seed)
	n := 0
	for i := range v.Rules {
		if r := &v.Rules[i]; len(r.Of) > 0 {
			n++
			tapRule(b, h, r, n)
		}
	}
	if v.Exit != verdict.Conformant && v.Exit != verdict.Nonconformant {
		n++
		fmt.Fprintf(b, "not ok %d - the run itself\n", n)
		diagnosis(b, "  ", [][2]string{{"message", v.Why}, {"exit", fmt.Sprint(v.Exit)}})
	}
	fmt.Fprintf(b, "1..%d\n", n)
	if s.Footer.Fatal != "" {
		fmt.Fprintf(b, "Bail out! %s\n", tapText(s.Footer.Fatal))
	}
}

func tapRule(b *strings.Builder, h *verdict.Header, r *verdict.RuleVerdict, n int) {
	fmt.Fprintf(b, "# Subtest: %s\n", r.ID)
	surprise := false
	for i := range r.Of {
		tapScenario(b, h, &r.Of[i], i+1)
		surprise = surprise || r.Of[i].Surprise
	}
	fmt.Fprintf(b, "    1..%d\n", len(r.Of))
	point, directive := "ok", ""
	switch r.Mark {
	case verdict.Kept, verdict.Part:
		if surprise {
			point = "not ok"
		}
	case verdict.Hidden:
		directive = " # SKIP unobservable"
	case verdict.LeftOut:
		directive = " # SKIP skipped"
	case verdict.Expected, verdict.FailedFlaky:
		point, directive = "not ok", " # TODO "+string(r.Mark)
	default:
		point = "not ok"
	}
	fmt.Fprintf(b, "%s %d - %s %s%s\n", point, n, r.ID, tapText(ledger.Short(r.Sentence, width)), directive)
}

func tapScenario(b *strings.Builder, h *verdict.Header, s *verdict.ScenarioVerdict, n int) {
	const indent = "    "
	line := func(point, directive string) {
		fmt.Fprintf(b, "%s%s %d - %s%s\n", indent, point, n, tapText(s.ID), directive)
	}
	e := s.Event
	switch {
	case e == nil:
		line("not ok", "")
		diagnosis(b, indent+"  ", [][2]string{{"message", "it was planned and did not run"}})
	case e.Outcome == verdict.Unobservable:
		line("ok", " # SKIP unobservable: "+tapText(e.Reason))
	case e.Outcome == verdict.Skipped:
		line("ok", " # SKIP "+tapText(e.Reason))
	case s.Surprise:
		line("not ok", "")
		diagnosis(b, indent+"  ", [][2]string{{"message", "it passed, although it was expected to fail: " + s.Expected}})
	case s.Excused():
		line("not ok", " # TODO "+tapText(s.Expected+s.Flaky))
	case s.Failed():
		line("not ok", "")
		diagnosis(b, indent+"  ", [][2]string{
			{"message", because(e)},
			{"severity", severity(e)},
			{"cause", string(e.Cause)},
			{"check", e.Check},
			{"at", e.Step},
			{"duration_ms", fmt.Sprintf("%.3f", milliseconds(e.Took))},
			{"again", Repeat(h, s.ID)},
			{"transcript", said(e)},
		})
	default:
		line("ok", "")
	}
}

// severity is what TAP's tools know for what breaks a rule and for what keeps
// it from being judged.
func severity(e *verdict.Finished) string {
	if e.Cause.AboutRule() {
		return "fail"
	}
	return "error"
}

// said is a transcript as text.
func said(e *verdict.Finished) string {
	var b strings.Builder
	for _, l := range e.Transcript {
		fmt.Fprintf(&b, "%s\n", l)
	}
	return b.String()
}

// diagnosis writes a block of YAML. A JSON string is a YAML scalar, also of
// text that came over the wire.
func diagnosis(b *strings.Builder, indent string, pairs [][2]string) {
	b.WriteString(indent + "---\n")
	for _, p := range pairs {
		if p[1] == "" {
			continue
		}
		fmt.Fprintf(b, "%s%s: ", indent, p[0])
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		_ = e.Encode(p[1]) // a string into a strings.Builder never fails
	}
	b.WriteString(indent + "...\n")
}

// tapText makes a text fit for a line of TAP: what would begin a directive or
// end the line is escaped.
func tapText(s string) string {
	s = printable(strings.Join(strings.Fields(s), " "))
	return strings.NewReplacer(`\`, `\\`, `#`, `\#`).Replace(s)
}
