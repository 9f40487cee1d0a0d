package report_test

import (
	_ "embed"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/report"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

//go:embed contrast.js
var contrast string

// run is a stream with each kind of outcome, whose failures are those of real
// runs of broken daemons.
func run(t *testing.T) *verdict.Stream {
	s := &verdict.Stream{
		Header: &verdict.Header{
			Schema: verdict.Schema, Suite: "1.2.3", Protocol: "omw.v1", Role: ledger.Daemon, Lane: ledger.Virtual, Seed: 7,
			Target:  verdict.Target{Kind: "exec", Name: "stranger <script>alert(1)</script>"},
			Command: []string{"omw-conformance", "run", "--target", "exec:mine.json"}, Started: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC),
			Expect: []verdict.Expectation{
				{Kind: verdict.Failing, Name: "FILE-01", Reason: "ticket 12", Line: 1, State: verdict.Selected},
				{Kind: verdict.Flaky, Name: "FILE-02", Reason: "ticket 13", Line: 1, State: verdict.Selected},
				{Kind: verdict.Skip, Name: "FILE-03", Reason: "it burns", Line: 1, State: verdict.Selected},
				{Kind: verdict.Failing, Name: "LIMIT-01", Reason: "ticket 14", Line: 2, State: verdict.Selected},
			},
		},
		Footer: &verdict.Footer{Took: 12 * time.Second},
	}
	add := func(e *verdict.Finished) {
		if n := len(s.Header.Rules); n == 0 || s.Header.Rules[n-1].ID != e.Rule {
			s.Header.Rules = append(s.Header.Rules, verdict.Rule{
				ID: e.Rule, Level: ledger.Seed, Observers: []ledger.Observer{ledger.Wire}, Judged: true, Selected: true, Scenarios: 1,
				Sentence: "The sentence of " + e.Rule + ", which is so long that it does not fit into the line that is given to it on a page.",
			})
		}
		e.Level, e.Lane, e.Took = ledger.Seed, ledger.Virtual, 3*time.Millisecond
		s.Header.Scenarios = append(s.Header.Scenarios, verdict.Planned{ID: e.Scenario, Rule: e.Rule, Level: e.Level})
		s.Started = append(s.Started, &verdict.Started{Scenario: e.Scenario, Rule: e.Rule})
		s.Finished = append(s.Finished, e)
	}
	for _, rule := range []string{"AUTH-01", "AUTH-02", "AUTH-03"} {
		add(&verdict.Finished{Rule: rule, Scenario: "auth/" + rule + ".feature:it is kept", Outcome: verdict.Passed})
	}
	add(&verdict.Finished{Rule: "AUTH-03", Scenario: "auth/AUTH-03.feature:it has a log", Outcome: verdict.Unobservable, Reason: "it has no log"})
	add(&verdict.Finished{Rule: "AUTH-04", Scenario: "auth/AUTH-04.feature:it has a log", Outcome: verdict.Unobservable, Reason: "it has no log"})
	failures, err := filepath.Glob("../../conformance/report/sequence/testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, failures)
	for i, file := range failures {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		e := &verdict.Finished{}
		require.NoError(t, json.Unmarshal(data, e))
		e.Rule = []string{"CMD-01", "CMD-02"}[i*2/len(failures)]
		add(e)
	}
	no := func(rule string) *verdict.Finished {
		return &verdict.Finished{
			Rule: rule, Scenario: "file/" + rule + ".feature:it is broken", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: rule + "/no", Reason: "no",
		}
	}
	add(no("FILE-01"))
	add(no("FILE-02"))
	add(&verdict.Finished{Rule: "FILE-03", Scenario: "file/FILE-03.feature:it burns", Outcome: verdict.Skipped, Reason: "it burns"})
	add(&verdict.Finished{Rule: "LIMIT-01", Scenario: "limit/LIMIT-01.feature:it passes", Outcome: verdict.Passed})
	add(&verdict.Finished{Rule: "LIMIT-02", Scenario: "limit/LIMIT-02.feature:never"})
	s.Started, s.Finished = s.Started[:len(s.Started)-1], s.Finished[:len(s.Finished)-1]
	s.Header.Rules = append(s.Header.Rules, verdict.Rule{ID: "TAB-01", Level: ledger.Seed, Sentence: "It is not judged yet."})
	s.Count(s.Footer)
	return s
}

func write(t *testing.T, s *verdict.Stream) string {
	path := filepath.Join(t.TempDir(), "run.html")
	file, err := os.Create(path)
	require.NoError(t, err)
	_, err = report.Write(file, report.HTML, s)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	return path
}

// shown are the rules that the page shows.
func shown(t *testing.T, p *tab) []string {
	return value[[]string](t, p, `[...document.querySelectorAll("details.rule")].filter((r) => r.checkVisibility()).map((r) => r.id)`)
}

func TestRunPage(t *testing.T) {
	p := open(t, write(t, run(t)))
	require.Len(t, shown(t, p), 12)
	require.Equal(t, "12 of 12 rules", value[string](t, p, `document.getElementById("shown").textContent`))
	require.Equal(t, 6, value[int](t, p, `document.querySelectorAll("figure svg.omw-seq").length`))
	require.Equal(t, 6, value[int](t, p, `document.querySelectorAll("figure .omw-marked").length`), "each picture marks what is wrong")
	ids := value[[]string](t, p, `[...document.querySelectorAll("[id]")].map((e) => e.id)`)
	unique := map[string]bool{}
	for _, id := range ids {
		require.False(t, unique[id], "the id %s stands there twice", id)
		unique[id] = true
	}
	require.Contains(t, value[string](t, p, `document.querySelector("h1").textContent`), "<script>alert(1)</script>")
	p.picture(t, "run-light")
	p.legible(t, "light")
	p.legible(t, "dark")
	p.calm(t)
}

func TestRunPageInTheDark(t *testing.T) {
	p := open(t, write(t, run(t)))
	p.scheme(t, "dark")
	p.picture(t, "run-dark")
	dark := value[string](t, p, `getComputedStyle(document.body).backgroundColor`)
	p.scheme(t, "light")
	require.NotEqual(t, dark, value[string](t, p, `getComputedStyle(document.body).backgroundColor`))
	p.calm(t)
}

// TestFiltersByKeyboard uses no pointer.
func TestFiltersByKeyboard(t *testing.T) {
	p := open(t, write(t, run(t)))
	focus := func() string {
		return value[string](t, p, `document.activeElement.id || document.activeElement.textContent.trim()`)
	}

	p.keys(t, "/")
	require.Equal(t, "text", focus())
	p.keys(t, "not_connected")
	require.Equal(t, "not_connected", value[string](t, p, `document.getElementById("text").value`))
	require.NotEmpty(t, shown(t, p))
	require.Subset(t, []string{"CMD-01", "CMD-02"}, shown(t, p), "it is found in a transcript")
	require.Equal(t, "#text=not_connected", value[string](t, p, `location.hash`))
	p.keys(t, " nowhere at all")
	require.Empty(t, shown(t, p))
	require.True(t, value[bool](t, p, `document.getElementById("nothing").checkVisibility()`))
	p.keys(t, "\u001b")
	require.Len(t, shown(t, p), 12)
	require.NotEqual(t, "text", focus())
	require.Empty(t, value[string](t, p, `location.hash`))

	// The chips of the verdicts come first after the links to what is broken.
	value[bool](t, p, `(document.querySelector("nav a:last-of-type").focus(), true)`)
	p.keys(t, "\t")
	require.Contains(t, focus(), "failed")
	p.keys(t, " ")
	require.Equal(t, []string{"CMD-01", "CMD-02"}, shown(t, p))
	require.Equal(t, "true", value[string](t, p, `document.activeElement.getAttribute("aria-pressed")`))
	p.keys(t, "\t ")
	require.Equal(t, []string{"CMD-01", "CMD-02", "LIMIT-02"}, shown(t, p), "verdicts add up")
	require.Equal(t, "failed,did not run", value[string](t, p, `new URLSearchParams(location.hash.slice(1)).get("verdict")`))

	// From rule to rule, and a rule is opened and closed.
	p.keys(t, "j")
	require.Equal(t, "CMD-01", value[string](t, p, `document.activeElement.closest("details").id`))
	p.keys(t, "jj")
	require.Equal(t, "LIMIT-02", value[string](t, p, `document.activeElement.closest("details").id`))
	p.keys(t, "j")
	require.Equal(t, "LIMIT-02", value[string](t, p, `document.activeElement.closest("details").id`), "it is the last")
	p.keys(t, "k")
	require.True(t, value[bool](t, p, `document.getElementById("CMD-02").open`))
	p.keys(t, "\r")
	require.False(t, value[bool](t, p, `document.getElementById("CMD-02").open`))
	p.keys(t, "\u001b")
	require.Len(t, shown(t, p), 12)

	// The area is chosen by its first letters.
	value[bool](t, p, `(document.getElementById("area").focus(), true)`)
	p.keys(t, "F")
	require.Equal(t, []string{"FILE-01", "FILE-02", "FILE-03"}, shown(t, p))
	p.calm(t)
}

// TestLinkToWhatIsShown: an address holds the filters, and leads to a rule.
func TestLinkToWhatIsShown(t *testing.T) {
	file := write(t, run(t))
	p := open(t, file+"#"+url.Values{"verdict": {"passed"}, "area": {"AUTH"}, "text": {"kept"}}.Encode())
	require.Equal(t, []string{"AUTH-01", "AUTH-02"}, shown(t, p))
	value[bool](t, p, `(location.hash = "FILE-03", true)`)
	require.Len(t, shown(t, p), 12, "a link to a rule shows it")
	require.True(t, value[bool](t, p, `document.getElementById("FILE-03").open`))
	p.calm(t)
}

// TestKillMatrix looks at the page that the golden test of the matrix keeps.
func TestKillMatrix(t *testing.T) {
	file, err := filepath.Abs("../../conformance/mutants/testdata/matrix.html")
	require.NoError(t, err)
	p := open(t, file)
	require.Equal(t, 8, value[int](t, p, `document.querySelectorAll("tbody td a").length`))
	require.Equal(t, 1, value[int](t, p, `(document.querySelector("td a.stray").click(), document.querySelectorAll("article:target").length)`))
	require.Equal(t, "#daemon-AUTH-02-stray", value[string](t, p, `location.hash`))
	p.picture(t, "matrix-light")
	p.legible(t, "light")
	p.legible(t, "dark")
	p.calm(t)
}
