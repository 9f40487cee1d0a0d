package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/report"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

var update = flag.Bool("update", false, "write the golden files again")

// everything is a stream with each outcome and each cause.
func everything() *verdict.Stream {
	s := &verdict.Stream{Header: &verdict.Header{
		Schema: verdict.Schema, Suite: "1.2.3", Protocol: "omw.v1", Role: ledger.Daemon, Lane: ledger.Virtual, Seed: 7,
		Target:  verdict.Target{Kind: "exec", Name: "stranger"},
		Command: []string{"omw-conformance", "run", "--target", "exec:it's mine.json", "--seed", "7"},
		Started: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), Rules: []verdict.Rule{}, Scenarios: []verdict.Planned{},
		Expect: []verdict.Expectation{
			{Kind: verdict.Failing, Name: "E-01", Reason: "ticket 12", Line: 1, State: verdict.Selected},
			{Kind: verdict.Failing, Name: "A-01", Reason: "ticket 13", Line: 2, State: verdict.Selected},
			{Kind: verdict.Failing, Name: "Z-99", Reason: "ticket 14", File: "known.txt", Line: 3, State: verdict.Unmatched},
			{Kind: verdict.Flaky, Name: "E-02", Reason: "ticket 15 | a # race", File: "flaky.txt", Line: 1, State: verdict.Selected},
			{Kind: verdict.Skip, Name: "E-03", Reason: "it burns the machine", File: "skip.txt", Line: 1, State: verdict.Selected},
			{Kind: verdict.Failing, Name: "E-04", Reason: "ticket 16", File: "known.txt", Line: 4, State: verdict.Selected},
			{Kind: verdict.Flaky, Name: "E-05/late", Reason: "ticket 17", File: "flaky.txt", Line: 2, State: verdict.Selected},
		},
	}, Footer: &verdict.Footer{Took: 12340 * time.Millisecond}}
	rule := func(id, sentence string, judged bool) {
		s.Header.Rules = append(s.Header.Rules, verdict.Rule{
			ID: id, Level: ledger.Seed, Observers: []ledger.Observer{ledger.Wire}, Judged: judged, Selected: true, Scenarios: 1, Sentence: sentence,
		})
	}
	add := func(e *verdict.Finished) {
		e.Level, e.Lane, e.Took, e.Elapsed = ledger.Seed, ledger.Virtual, 1500*time.Microsecond, 5*time.Minute
		e.Scenario = "x/" + strings.ToLower(e.Rule) + ".feature:" + e.Scenario
		s.Header.Scenarios = append(s.Header.Scenarios, verdict.Planned{ID: e.Scenario, Rule: e.Rule, Level: e.Level})
		s.Started = append(s.Started, &verdict.Started{Scenario: e.Scenario, Rule: e.Rule})
		if e.Outcome == verdict.Failed {
			s.Steps = append(s.Steps, &verdict.Step{Scenario: e.Scenario, Rule: e.Rule, Step: e.Step, Cause: e.Cause, Check: e.Check, Reason: e.Reason})
		}
		s.Finished = append(s.Finished, e)
	}
	rule("A-01", "It passes.", true)
	add(&verdict.Finished{Rule: "A-01", Scenario: "plainly", Outcome: verdict.Passed})
	add(&verdict.Finished{Rule: "A-01", Scenario: "allowed", Outcome: verdict.Allowed, Allowed: []string{"clamped"}})
	rule("B-01", "It is broken, and its sentence is so long that no line of a report could ever hold the whole of it at once.", true)
	add(&verdict.Finished{
		Rule: "B-01", Scenario: "its age/row 2", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "B-01/late",
		Step: `it is "refused" <at once>`, Reason: "it took 31s, want exactly 30s",
		Transcript: []world.Line{
			{At: 0, Actor: "agent", Dir: ">", Text: "POST /command\nContent-Type: application/json\n{\"a\":\"<&>\"}"},
			{At: 30*time.Second + 1, Actor: "chrome", Dir: "<", Text: "{}"},
		},
	})
	for _, c := range []verdict.Cause{
		verdict.CauseUnexpected, verdict.CauseLeak, verdict.CauseHang, verdict.CauseTarget, verdict.CauseUndefined, verdict.CausePending,
		verdict.CauseSkipped, verdict.CauseAmbiguous, verdict.CausePanic, verdict.CauseHarness,
	} {
		add(&verdict.Finished{Rule: "B-01", Scenario: string(c), Outcome: verdict.Failed, Cause: c, Reason: "because of " + string(c)})
	}
	rule("C-01", "It shows in part.", true)
	add(&verdict.Finished{Rule: "C-01", Scenario: "here", Outcome: verdict.Passed})
	add(&verdict.Finished{Rule: "C-01", Scenario: "there", Outcome: verdict.Unobservable, Reason: "it has no log"})
	rule("C-02", "It does not show.", true)
	add(&verdict.Finished{Rule: "C-02", Scenario: "nowhere", Outcome: verdict.Unobservable, Reason: "it has no log"})
	rule("D-01", "It did not run.", true)
	s.Header.Scenarios = append(s.Header.Scenarios, verdict.Planned{ID: "x/d-01.feature:never", Rule: "D-01", Level: ledger.OMW})
	rule("D-02", "It has no scenario.", true)
	s.Header.Rules[len(s.Header.Rules)-1].Scenarios = 0
	rule("D-03", "It shows in the other lane alone.", true)
	rule("E-01", "It fails as expected.", true)
	add(&verdict.Finished{Rule: "E-01", Scenario: "of course", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "E-01/no", Reason: "no"})
	rule("E-02", "It is flaky.", true)
	add(&verdict.Finished{Rule: "E-02", Scenario: "now and then", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "E-02/no", Reason: "no"})
	add(&verdict.Finished{Rule: "E-02", Scenario: "mostly", Outcome: verdict.Passed})
	rule("E-03", "It is skipped.", true)
	add(&verdict.Finished{Rule: "E-03", Scenario: "not here", Outcome: verdict.Skipped, Reason: "it burns the machine"})
	rule("E-04", "It was expected to fail, and the target died.", true)
	add(&verdict.Finished{Rule: "E-04", Scenario: "not like that", Outcome: verdict.Failed, Cause: verdict.CauseTarget, Reason: "it died"})
	rule("E-05", "One of its checks is flaky.", true)
	add(&verdict.Finished{Rule: "E-05", Scenario: "late", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "E-05/late", Reason: "late"})
	rule("F-01", "It is not judged yet.", false)
	rule("G-01", "It was not asked for.", true)
	s.Header.Rules[len(s.Header.Rules)-1].Selected = false
	s.Count(s.Footer)
	return s
}

// good is a stream in which everything passed.
func good() *verdict.Stream {
	s := everything()
	s.Header.Expect = nil
	s.Header.Rules = s.Header.Rules[:1]
	s.Header.Scenarios = s.Header.Scenarios[:2]
	s.Started, s.Steps, s.Finished = s.Started[:2], nil, s.Finished[:2]
	s.Footer = &verdict.Footer{Took: time.Second}
	s.Count(s.Footer)
	return s
}

// nothing is a run whose target did not start.
func nothing() *verdict.Stream {
	s := good()
	s.Started, s.Finished = nil, nil
	s.Footer = &verdict.Footer{Fatal: "start the daemon: it ended: exit status 7", Cause: verdict.CauseTarget}
	s.Count(s.Footer)
	return s
}

func TestGolden(t *testing.T) {
	for name, s := range map[string]*verdict.Stream{"everything": everything(), "good": good(), "nothing": nothing()} {
		for _, f := range report.Formats {
			t.Run(name+"/"+string(f), func(t *testing.T) {
				var got bytes.Buffer
				_, err := report.Write(&got, f, s)
				require.NoError(t, err)
				path := filepath.Join("testdata", name+"."+string(f))
				if *update {
					require.NoError(t, os.WriteFile(path, got.Bytes(), 0o600))
				}
				want, err := os.ReadFile(path)
				require.NoError(t, err)
				require.Equal(t, string(want), got.String())
			})
		}
	}
}

func TestLastLine(t *testing.T) {
	for name, tc := range map[string]struct {
		s    *verdict.Stream
		want string
		exit verdict.Exit
	}{
		"good":       {good(), "2 passed, 0 failed", verdict.Conformant},
		"everything": {everything(), "4 passed, 13 failed", verdict.Fault},
		"nothing":    {nothing(), "0 passed, 2 failed", verdict.Died},
	} {
		var got strings.Builder
		v, err := report.Write(&got, report.Console, tc.s)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimRight(got.String(), "\n"), "\n")
		require.Equal(t, tc.want, lines[len(lines)-1], name)
		require.Equal(t, tc.exit, v.Exit, name)
	}
}

func TestConsoleIsPrintable(t *testing.T) {
	s := everything()
	s.Finished[2].Reason = "got \x1b[31mred\x1b[0m\x00 and \u202eright to left\t☃"
	s.Finished[2].Transcript[0].Text = "bell \a\r\nnext"
	var got strings.Builder
	_, err := report.Write(&got, report.Console, s)
	require.NoError(t, err)
	require.Contains(t, got.String(), `got \x1b[31mred\x1b[0m\x00 and \u202eright to left\t☃`)
	require.Contains(t, got.String(), `bell \a\r`)
	for _, r := range got.String() {
		require.True(t, unicode.IsPrint(r) || r == '\n', "%q", r)
	}
}

// TestJUnitAddsUp reads the XML back and counts what a CI system would.
func TestJUnitAddsUp(t *testing.T) {
	var out bytes.Buffer
	_, err := report.Write(&out, report.JUnit, everything())
	require.NoError(t, err)
	type testcase struct {
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
	}
	var doc struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Cases []testcase `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(out.Bytes(), &doc))
	tests, failures, errs, skipped := 0, 0, 0, 0
	for _, suite := range doc.Suites {
		for _, c := range suite.Cases {
			tests++
			switch {
			case c.Failure != nil:
				failures++
			case c.Error != nil:
				errs++
			case c.Skipped != nil:
				skipped++
			}
		}
	}
	require.Equal(t, []int{doc.Tests, doc.Failures, doc.Errors, doc.Skipped}, []int{tests, failures, errs, skipped})
	// 23 scenarios and the run itself; check, unexpected, leak and hang are about
	// the rule; two that are unobservable, the expected failure, two flaky ones and
	// the one that is to be skipped are skipped; two passed and should not have.
	require.Equal(t, []int{24, 4, 12, 6}, []int{tests, failures, errs, skipped})
}

func TestWriteRefuses(t *testing.T) {
	_, err := report.Write(&bytes.Buffer{}, "pdf", good())
	require.ErrorContains(t, err, `"pdf" is none of`)
	s := good()
	s.Footer = nil
	_, err = report.Write(&bytes.Buffer{}, report.Console, s)
	require.ErrorIs(t, err, verdict.ErrCut)
	_, err = report.Parse("xml")
	require.Error(t, err)
}

func TestRepeat(t *testing.T) {
	require.Equal(t,
		`omw-conformance run --target 'exec:it'\''s mine.json' --seed 7 --scenario 'x/y.feature:its <age>/row 2'`,
		report.Repeat(everything().Header, "x/y.feature:its <age>/row 2"))
}

func events(t *testing.T) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.EventsSchema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("events.schema.json", doc))
	schema, err := c.Compile("events.schema.json")
	require.NoError(t, err)
	return schema
}

func TestEventsFollowTheirSchema(t *testing.T) {
	schema := events(t)
	s := everything()
	all := []verdict.Event{s.Header, s.Footer, nothing().Footer}
	for _, e := range s.Started {
		all = append(all, e)
	}
	for _, e := range s.Steps {
		all = append(all, e)
	}
	for _, e := range s.Finished {
		all = append(all, e)
	}
	for _, e := range all {
		var line bytes.Buffer
		require.NoError(t, verdict.Write(&line, e))
		v, err := jsonschema.UnmarshalJSON(&line)
		require.NoError(t, err)
		require.NoError(t, schema.Validate(v))
	}
}

func TestSchemaRefuses(t *testing.T) {
	schema := events(t)
	for _, line := range []string{
		`{}`,
		`{"type":"rumour"}`,
		`{"type":"started","scenario":"a","rule":"A-1","offset_ns":0}`,
		`{"type":"started","scenario":"a","rule":"A-01","offset_ns":-1}`,
		`{"type":"started","scenario":"a","rule":"A-01","offset_ns":0,"more":1}`,
		`{"type":"finished","scenario":"a","rule":"A-01","level":"seed","lane":"real","verdict":"failed","offset_ns":0,"took_ns":0,"elapsed_ns":0}`,
		`{"type":"finished","scenario":"a","rule":"A-01","level":"seed","lane":"real","verdict":"skipped","offset_ns":0,"took_ns":0,"elapsed_ns":0}`,
	} {
		var v any
		require.NoError(t, json.Unmarshal([]byte(line), &v))
		require.Error(t, schema.Validate(v), line)
	}
}
