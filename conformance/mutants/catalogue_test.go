package mutants

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const root = "../.."

func catalogue(t *testing.T) []Mutant {
	t.Helper()
	all, err := Catalogue()
	require.NoError(t, err)
	return all
}

func TestEveryPatchAppliesToTheSourceAsItIs(t *testing.T) {
	for _, m := range catalogue(t) {
		if m.Limit != nil || m.Simulated != nil {
			continue
		}
		_, err := overlay(root, t.TempDir(), m.Patches)
		require.NoError(t, err, m.Name)
	}
}

func TestEveryJudgedRuleHasAMutant(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	of, names := map[Judged]bool{}, map[string]bool{}
	for _, m := range catalogue(t) {
		rule, known := l.Rule(m.Rule)
		require.True(t, known, m.Name)
		require.True(t, rule.JudgedFor(m.Role), m.Name)
		require.True(t, strings.HasPrefix(m.Name, m.Rule+"-"), m.Name)
		require.NotEmpty(t, m.Breaks, m.Name)
		name := string(m.Role) + " " + m.Name
		require.False(t, names[name], "%s stands there twice", name)
		names[name] = true
		for other, why := range m.Collateral {
			known, ok := l.Rule(other)
			require.True(t, ok && known.JudgedFor(m.Role), "%s: collateral %s", m.Name, other)
			require.NotEmpty(t, why, m.Name)
		}
		of[Judged{m.Role, m.Rule}] = true
	}
	for _, role := range roles {
		for _, r := range l.For(role) {
			if r.JudgedFor(role) {
				require.True(t, of[Judged{role, r.ID}], "%s has no mutant of the role %s", r.ID, role)
			}
		}
	}
}

func TestLimitsAreOffByOneStepBothWays(t *testing.T) {
	seen := map[string]int{}
	for _, m := range limits() {
		seen[m.Limit.Field]++
		require.NotEqual(t, protocol.DefaultLimits(), m.Limit.Apply(), m.Name)
	}
	require.Equal(t, 2, seen["Commands"])
	require.Equal(t, 2, seen["MaxTimeout"])
	got := Limit{"MaxTimeout", 1_000_000}.Apply()
	require.Equal(t, protocol.DefaultLimits().MaxTimeout+1_000_000, got.MaxTimeout)
}

func TestOverlayRefusesWhatBreaksNothing(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("one two two"), 0o600))
	for old, fault := range map[string]string{"three": "0 times", "two": "2 times"} {
		_, err := overlay(dir, t.TempDir(), []Patch{{"a.go", old, "x"}})
		require.ErrorContains(t, err, fault)
	}
	out := t.TempDir()
	file, err := overlay(dir, out, []Patch{{"a.go", "one", "1"}, {"a.go", "1 two", "12"}})
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), filepath.Join(dir, "a.go"))
	patched, err := os.ReadFile(filepath.Join(out, "a.go"))
	require.NoError(t, err)
	require.Equal(t, "12 two", string(patched))
}

func TestParse(t *testing.T) {
	good := "rule: AUTH-05\nbreaks: It.\ncollateral: AUTH-01 since so\n-- a.go --\n<<<<<<<\nold\n=======\nnew\n>>>>>>>\n<<<<<<<\ngone\n=======\n>>>>>>>\n"
	m, err := parse("AUTH-05-x", []byte(good))
	require.NoError(t, err)
	require.Equal(t, []Patch{{"a.go", "old", "new"}, {"a.go", "gone", ""}}, m.Patches)
	require.Equal(t, map[string]string{"AUTH-01": "since so"}, m.Collateral)
	for name, text := range map[string]string{
		"of another rule":  strings.Replace(good, "rule: AUTH-05", "rule: AUTH-06", 1),
		"says nothing":     strings.Replace(good, "breaks: It.\n", "", 1),
		"unknown field":    "what: is\n" + good,
		"unknown lane":     "lane: fast\n" + good,
		"no reason":        strings.Replace(good, " since so", "", 1),
		"no replacement":   good[:strings.Index(good, "-- a.go")],
		"broken by format": strings.Replace(good, "=======", "", 1),
	} {
		_, err := parse("AUTH-05-x", []byte(text))
		require.Error(t, err, name)
	}
}

// trial judges a mutant of AUTH-05 by a stream of these events.
func trial(events ...*verdict.Finished) Trial {
	m := Mutant{Rule: "AUTH-05", Collateral: map[string]string{"AUTH-06": "so it is"}}
	t := Trial{Rule: m.Rule}
	t.judge(m, &verdict.Stream{Finished: events})
	return t
}

func TestOnlyACheckOfItsOwnRuleKills(t *testing.T) {
	own := &verdict.Finished{Rule: "AUTH-05", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "AUTH-05/query"}
	dead := trial(own)
	require.True(t, dead.Clean())

	for name, f := range map[string]*verdict.Finished{
		"passed":                 {Rule: "AUTH-05", Outcome: verdict.Passed},
		"unobservable":           {Rule: "AUTH-05", Outcome: verdict.Unobservable},
		"broke for some reason":  {Rule: "AUTH-05", Outcome: verdict.Failed, Cause: verdict.CauseUnexpected},
		"by a check of another":  {Rule: "AUTH-05", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "KIT-10/started-twice"},
		"a scenario of another":  {Rule: "AUTH-07", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "AUTH-07/x"},
		"expected of another":    {Rule: "AUTH-06", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "AUTH-06/x"},
		"left goroutines behind": {Rule: "AUTH-05", Outcome: verdict.Failed, Cause: verdict.CauseLeak},
	} {
		alive := trial(f)
		require.Empty(t, alive.Killed, name)
	}
}

func TestAnotherRulesFailureIsAFalseKill(t *testing.T) {
	own := &verdict.Finished{Rule: "AUTH-05", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "AUTH-05/query"}
	stray := &verdict.Finished{Rule: "AUTH-07", Outcome: verdict.Failed, Cause: verdict.CauseLeak, Scenario: "s"}
	both := trial(own, stray)
	require.False(t, both.Clean())
	require.Equal(t, []string{"AUTH-07: leak (s)"}, both.Strays)

	excused := trial(own, &verdict.Finished{Rule: "AUTH-06", Outcome: verdict.Failed})
	require.True(t, excused.Clean())
	require.Equal(t, []string{"AUTH-06"}, excused.Collateral)
}

func TestMatrixIsGoodOnlyWhole(t *testing.T) {
	killed := Trial{Name: "AUTH-05-x", Role: ledger.Daemon, Rule: "AUTH-05", Killed: []string{"AUTH-05/query"}}
	rules := []Judged{{ledger.Daemon, "AUTH-05"}}
	good := Matrix{Rules: rules, Trials: []Trial{killed}, Silly: []SillyTrial{{Name: "null", Role: ledger.Daemon, Failed: 1}}}
	require.True(t, good.Good())
	var b strings.Builder
	require.NoError(t, good.WriteText(&b))
	require.True(t, strings.HasSuffix(b.String(), "\n1 rules, 1 mutants, 1 killed, 0 false kills\n"), b.String())

	for name, m := range map[string]Matrix{
		"a rule without one":         {Rules: append(rules, Judged{ledger.Daemon, "AUTH-06"}), Trials: []Trial{killed}},
		"a rule of another role":     {Rules: append(rules, Judged{ledger.Extension, "AUTH-05"}), Trials: []Trial{killed}},
		"one that survived":          {Rules: rules, Trials: []Trial{{Role: ledger.Daemon, Rule: "AUTH-05"}}},
		"a false kill":               {Rules: rules, Trials: []Trial{{Role: ledger.Daemon, Rule: "AUTH-05", Killed: killed.Killed, Strays: []string{"AUTH-07: leak"}}}},
		"one without verdict":        {Rules: rules, Trials: []Trial{{Role: ledger.Daemon, Rule: "AUTH-05", Killed: killed.Killed, Error: "it does not build"}}},
		"a silly daemon that passed": {Rules: rules, Trials: []Trial{killed}, Silly: []SillyTrial{{Name: "200", Passed: []string{"AUTH-05"}}}},
	} {
		require.False(t, m.Good(), name)
	}
}
