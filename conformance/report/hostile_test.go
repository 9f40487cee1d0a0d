package report_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/report"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

// hostile is a run whose every text came from somebody who means ill.
func hostile() *verdict.Stream {
	const evil = "</script></style></details><script>alert(1)</script>```\n| a | b |\n[x](javascript:alert(1)) <img src=http://evil.example/x onerror=alert(1)> \x1b[31m\u202e ]]> &lt; `"
	s := everything()
	s.Header.Target.Name = evil
	s.Header.Rules[1].Sentence = evil
	e := s.Finished[2]
	e.Reason, e.Step, e.Check = evil, evil, "B-01/"+evil
	e.Transcript = []world.Line{
		{Actor: evil, Dir: ">", Text: "POST /command\n\n" + evil},
		{Actor: "chrome", Dir: "<", Text: evil},
		{Actor: "suite", Dir: "-", Text: evil},
	}
	s.Header.Expect[0].Reason = evil
	return s
}

func render(t *testing.T, f report.Format, s *verdict.Stream) string {
	var b strings.Builder
	_, err := report.Write(&b, f, s)
	require.NoError(t, err)
	return b.String()
}

// lacks is NotContains that does not print a whole page.
func lacks(t *testing.T, text, part string) {
	t.Helper()
	require.False(t, strings.Contains(text, part), "%q stands there", part)
}

func TestPageIsNotMisled(t *testing.T) {
	got := render(t, report.HTML, hostile())
	require.Equal(t, 1, strings.Count(got, "<script"))
	require.Equal(t, 1, strings.Count(got, "</script>"))
	lacks(t, got, "<img")
	require.Equal(t, strings.Count(got, "<details"), strings.Count(got, "</details>"))
	require.Equal(t, strings.Count(got, "<article"), strings.Count(got, "</article>"))
	lacks(t, got, "\x1b")
	lacks(t, got, "\u202e")
	// The addresses that are left are the name of SVG's language and text.
	for _, m := range regexp.MustCompile(`(?:src|href|action)="?([^"> ]*)`).FindAllStringSubmatch(got, -1) {
		if !strings.Contains(m[0], "http://evil.example") { // as text, its < is escaped
			require.True(t, strings.HasPrefix(m[1], "#"), m[0])
		}
	}
}

func TestMarkdownIsNotMisled(t *testing.T) {
	got := render(t, report.Markdown, hostile())
	lacks(t, got, "\x1b")
	require.Equal(t, strings.Count(got, "<details>"), strings.Count(got, "\n</details>\n"), "what is ours stands alone in its line")
	// Each row of a table has the columns of its head.
	bar := regexp.MustCompile(`(?:^|[^\\])\|`)
	columns := 0
	for line := range strings.Lines(got) {
		switch {
		case !strings.HasPrefix(line, "|"):
			columns = 0
		case columns == 0:
			columns = len(bar.FindAllString(line, -1))
		default:
			require.NotRegexp(t, `[^\\]\]\(`, line)
			require.Len(t, bar.FindAllString(line, -1), columns, line)
		}
	}
	// What a reader of Markdown takes for code is closed where it is ours to.
	open := ""
	for line := range strings.Lines(got) {
		line = strings.TrimRight(line, "\n")
		mark := regexp.MustCompile("^`{3,}").FindString(line)
		if strings.Contains(line[len(mark):], "`") {
			mark = "" // a span of code: what opens a block has no more of them in its line
		}
		switch {
		case open == "" && mark != "":
			open = mark
		case open != "" && line == open:
			open = ""
		case open != "":
			require.Less(t, len(mark), len(open), line)
		}
	}
	require.Empty(t, open)
}

func TestMarkdownFitsASummary(t *testing.T) {
	s := everything()
	long := strings.Repeat("x ", 1000)
	for i := range 3000 {
		id := fmt.Sprintf("x/b-01.feature:again/row %d", i)
		s.Header.Scenarios = append(s.Header.Scenarios, verdict.Planned{ID: id, Rule: "B-01", Level: ledger.Seed})
		s.Started = append(s.Started, &verdict.Started{Scenario: id, Rule: "B-01"})
		s.Finished = append(s.Finished, &verdict.Finished{Scenario: id, Rule: "B-01", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Reason: long})
	}
	*s.Footer = verdict.Footer{}
	s.Count(s.Footer)
	got := render(t, report.Markdown, s)
	require.Less(t, len(got), 1<<20)
	require.Regexp(t, `\n[0-9]+ more failures have no room here\.\n$`, got)
}

// TestPageDrawsSomeOfMany: a gate that is broken fails everything alike.
func TestPageDrawsSomeOfMany(t *testing.T) {
	s := everything()
	for rule := range 60 {
		id := fmt.Sprintf("M-%02d", rule)
		s.Header.Rules = append(s.Header.Rules, verdict.Rule{ID: id, Level: ledger.Seed, Judged: true, Selected: true, Scenarios: 5, Sentence: "Many."})
		for i := range 5 {
			name := fmt.Sprintf("x/%s.feature:row %d", id, i)
			s.Header.Scenarios = append(s.Header.Scenarios, verdict.Planned{ID: name, Rule: id, Level: ledger.Seed})
			s.Started = append(s.Started, &verdict.Started{Scenario: name, Rule: id})
			s.Finished = append(s.Finished, &verdict.Finished{
				Scenario: name, Rule: id, Outcome: verdict.Failed, Cause: verdict.CauseCheck, Reason: "no",
				Transcript: []world.Line{{Actor: "agent", Dir: ">", Text: "GET /ping"}},
			})
		}
	}
	*s.Footer = verdict.Footer{}
	s.Count(s.Footer)
	got := render(t, report.HTML, s)
	require.Equal(t, 160, strings.Count(got, `<svg `))
	require.Equal(t, 301, strings.Count(got, `<details class="transcript">`), "a transcript has each of them")
	of := func(rule string) int {
		_, rest, found := strings.Cut(got, `id="`+rule+`"`)
		require.True(t, found)
		rest, _, _ = strings.Cut(rest, `<details class="rule"`)
		return strings.Count(rest, `<svg `)
	}
	require.Equal(t, 4, of("M-00"))
	require.Zero(t, of("M-59"))
}

// TestReportsAreFunctions: of the same stream the same bytes.
func TestReportsAreFunctions(t *testing.T) {
	for _, f := range report.Formats {
		require.Equal(t, render(t, f, everything()), render(t, f, everything()), f)
	}
}

func TestEventsComeBack(t *testing.T) {
	first := render(t, report.Events, everything())
	s, err := verdict.Read(strings.NewReader(first))
	require.NoError(t, err)
	require.Equal(t, first, render(t, report.Events, s))
	for _, f := range report.Formats {
		require.Equal(t, render(t, f, everything()), render(t, f, s), f)
	}
}

// TestEventsAreWhatTheSchemaSays: what does not follow it is not published.
func TestEventsAreWhatTheSchemaSays(t *testing.T) {
	for _, change := range []func(*verdict.Stream){
		func(s *verdict.Stream) { s.Header.Target.Kind = "rumour" },
		func(s *verdict.Stream) { s.Finished[0].Offset = -1 },
		func(s *verdict.Stream) { s.Finished[2].Transcript[0].Dir = "?" },
	} {
		s := everything()
		change(s)
		var b strings.Builder
		_, err := report.Write(&b, report.Events, s)
		require.ErrorContains(t, err, "does not follow the schema")
		require.Empty(t, b.String())
	}
}
