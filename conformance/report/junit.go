package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Stamp    string       `xml:"timestamp,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Time    string       `xml:"time,attr"`
	Failure *junitDetail `xml:"failure"`
	Error   *junitDetail `xml:"error"`
	Skipped *junitDetail `xml:"skipped"`
	Out     string       `xml:"system-out,omitempty"`
}

type junitDetail struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
}

// junit writes a suite a rule that was planned. What breaks a rule is a
// failure; what keeps the rule from being judged is an error; what the target
// cannot show, what a file says to skip, and what failed as expected or as is
// known of it, is skipped. A verdict that is not the target's is an error of a
// suite of its own, since no test case shows it.
func junit(w io.Writer, s *verdict.Stream, v *verdict.Verdict) error {
	h := s.Header
	all := junitSuites{Name: fmt.Sprintf("%s %s:%s %s", h.Protocol, h.Target.Kind, h.Target.Name, h.Lane), Time: seconds(s.Footer.Took.Seconds()), Stamp: h.Started.UTC().Format("2006-01-02T15:04:05")}
	for i := range v.Rules {
		if r := &v.Rules[i]; len(r.Of) > 0 {
			all.add(junitRule(h, r))
		}
	}
	if v.Exit != verdict.Conformant && v.Exit != verdict.Nonconformant {
		run := junitSuite{Name: "run"}
		run.add(&junitCase{Class: "run", Name: "the run itself", Time: "0.000", Error: &junitDetail{
			Type: fmt.Sprintf("exit %d", v.Exit), Message: v.Why,
		}})
		all.add(run)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitRule(h *verdict.Header, r *verdict.RuleVerdict) junitSuite {
	suite := junitSuite{Name: r.ID, Properties: []junitProperty{
		{"rule", r.Sentence},
		{"level", string(r.Level)},
		{"verdict", string(r.Mark)},
		{"lane", string(h.Lane)},
		{"seed", fmt.Sprint(h.Seed)},
	}}
	took := 0.0
	for i := range r.Of {
		suite.add(junitScenario(h, &r.Of[i]))
		if e := r.Of[i].Event; e != nil {
			took += e.Took.Seconds()
		}
	}
	suite.Time = seconds(took)
	return suite
}

func junitScenario(h *verdict.Header, s *verdict.ScenarioVerdict) *junitCase {
	c := &junitCase{Class: s.Rule, Name: s.ID, Time: "0.000"}
	e := s.Event
	if e == nil {
		c.Error = &junitDetail{Type: "did not run", Message: "the scenario was planned and did not run"}
		return c
	}
	c.Time = seconds(e.Took.Seconds())
	switch {
	case s.Surprise:
		c.Error = &junitDetail{Type: "unexpected pass", Message: "it passed, although it was expected to fail: " + s.Expected}
	case e.Outcome == verdict.Unobservable:
		c.Skipped = &junitDetail{Message: "unobservable: " + e.Reason}
	case e.Outcome == verdict.Allowed:
		c.Out = "allowed: " + strings.Join(e.Allowed, ", ")
	case e.Outcome == verdict.Skipped:
		c.Skipped = &junitDetail{Message: "skipped: " + e.Reason}
	case s.Excused() && s.Expected != "":
		c.Skipped = &junitDetail{Message: "failed as expected: " + s.Expected}
	case s.Excused():
		c.Skipped = &junitDetail{Message: "failed, and is known to be flaky: " + s.Flaky}
	case e.Outcome == verdict.Failed:
		detail := &junitDetail{Type: string(e.Cause), Message: because(e)}
		if e.Cause.AboutRule() {
			c.Failure = detail
		} else {
			c.Error = detail
		}
		c.Out = evidence(h, e)
	}
	return c
}

// evidence is a failed scenario's step, transcript and the command that
// repeats it.
func evidence(h *verdict.Header, e *verdict.Finished) string {
	var b strings.Builder
	if e.Step != "" {
		fmt.Fprintf(&b, "at %s\n", e.Step)
	}
	for _, line := range e.Transcript {
		fmt.Fprintf(&b, "%s\n", line)
	}
	fmt.Fprintf(&b, "again: %s\n", Repeat(h, e.Scenario))
	return b.String()
}

func (s *junitSuite) add(c *junitCase) {
	s.Cases = append(s.Cases, *c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func (s *junitSuites) add(suite junitSuite) {
	if suite.Time == "" {
		suite.Time = "0.000"
	}
	s.Suites = append(s.Suites, suite)
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Errors += suite.Errors
	s.Skipped += suite.Skipped
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
