package plan_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/features"
)

const table = "id\tsource\tlevel\trole\tjudged\tobserver\tlanes\twait\tbrowser\tallowed\trule\n" +
	"A-01\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t31s\t\t\tOne.\n" +
	"A-02\tomw\tseed\tdaemon\tdaemon\twire\treal\t\t\t\tTwo.\n" +
	"B-01\tfield\tomw.v1\tdaemon, client\tdaemon\tfiles\tvirtual, real\t\t\t\tThree.\n" +
	"C-01\tomw\tseed\tclient\t\twire\tvirtual, real\t\t\t\tFour.\n"

func testLedger(t *testing.T) *ledger.Ledger {
	l, err := ledger.Parse(table)
	require.NoError(t, err)
	return l
}

func parse(t *testing.T, files map[string]string) (*plan.Plan, error) {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return plan.Parse(fsys, testLedger(t))
}

const outline = `@A-01 @wait:31s
Feature: Ages

  Background:
    Given a daemon

  Scenario Outline: its age <age> decides
    When it is <age> old
    Then it is <answer>

    Examples:
      | age | answer |
      | 1s  | young  |
      | 2s  | old    |

    @wait:40s
    Examples: late
      | age | answer |
      | 40s | gone   |

  @omw.v1 @observer:process @lane:real
  Scenario: plainly
    Given nothing
`

func TestScenarios(t *testing.T) {
	p, err := parse(t, map[string]string{"auth/age.feature": outline})
	require.NoError(t, err)
	var ids []string
	for _, s := range p.Scenarios {
		ids = append(ids, s.ID)
	}
	require.Equal(t, []string{
		"auth/age.feature:its age <age> decides/row 1",
		"auth/age.feature:its age <age> decides/row 2",
		"auth/age.feature:its age <age> decides/row 3",
		"auth/age.feature:plainly",
	}, ids)
	first, third, plain := p.Scenarios[0], p.Scenarios[2], p.Scenarios[3]
	require.Equal(t, "A-01", first.Rule.ID)
	require.Equal(t, ledger.Seed, first.Level)
	require.Equal(t, []ledger.Observer{ledger.Wire}, first.Observers)
	require.Equal(t, 31*time.Second, first.Wait)
	require.Equal(t, 40*time.Second, third.Wait)
	require.Equal(t, []plan.Step{
		{Keyword: "Given", Text: "a daemon"}, {Keyword: "When", Text: "it is 1s old"}, {Keyword: "Then", Text: "it is young"},
	}, first.Steps)
	require.Equal(t, 13, first.Line)
	require.Equal(t, ledger.OMW, plain.Level)
	require.Equal(t, []ledger.Observer{ledger.Process}, plain.Observers)
	require.Equal(t, []ledger.Lane{ledger.Real}, plain.Lanes)
	require.True(t, plain.Waits())
	require.Len(t, p.Of("A-01"), 4)
	_, ok := p.Scenario("auth/age.feature:plainly")
	require.True(t, ok)
	_, ok = p.Scenario("auth/age.feature:plain")
	require.False(t, ok)
}

func TestParseRefuses(t *testing.T) {
	one := func(tags, more string) string {
		return tags + "\nFeature: F\n\n  Scenario: s\n    Given x\n" + more
	}
	for _, tc := range []struct{ name, text, want string }{
		{"no rule", one("@waits @wait:20s", ""), "carries no rule"},
		{"unknown rule", one("@A-99", ""), "the rule A-99 is not in the ledger"},
		{"two rules", one("@A-01 @A-02", ""), "carries the rules A-01, A-02"},
		{"unknown tag", one("@A-01 @wip", ""), "the tag @wip is unknown"},
		{"rule in lower case", one("@a-01", ""), "the tag @a-01 is unknown"},
		{"unknown lane", one("@A-01 @lane:slow", ""), "the tag @lane:slow is unknown"},
		{"lane that the ledger excludes", one("@A-02 @lane:virtual", ""), "A-02 cannot be seen in the virtual lane"},
		{"unknown observer", one("@A-01 @observer:nose", ""), "the tag @observer:nose is unknown"},
		{"waits without time", one("@A-01 @waits", ""), "@waits does not say how long"},
		{"wait that is instant", one("@A-01 @wait:10s", ""), "it must be a duration above 10s"},
		{"wait without unit", one("@A-01 @wait:31", ""), "it must be a duration"},
		{"two waits", one("@A-01 @wait:31s @wait:32s", ""), "two @wait tags"},
		{"two levels", one("@A-01 @seed @omw.v1", ""), "two levels"},
		{"two roles", one("@A-01 @role:daemon @role:client", ""), "two roles"},
		{"a role that the rule does not name", one("@A-01 @role:host", ""), "A-01 does not name the role host"},
		{"no role", one("@A-01 @role:", ""), "the tag @role: is unknown"},
		{"a name twice", one("@A-01", "\n  Scenario: s\n    Given y\n"), `the scenario "s" stands on line 4 already`},
		{"no name", one("@A-01", "\n  Scenario:\n    Given y\n"), "the scenario has no name"},
		{"a name with a #", one("@A-01", "\n  Scenario: no # here\n    Given y\n"), "holds a #"},
		{"no steps", one("@A-01", "\n  Scenario: t\n"), "the scenario has no steps"},
		{"no rows", one("@A-01", "\n  Scenario Outline: t\n    Given <x>\n\n    Examples:\n      | x |\n"), `"t" has no step or no row`},
		{"a Rule block", one("@A-01", "\n  Rule: r\n\n    Scenario: t\n      Given y\n"), "a Rule block"},
		{"a step that breaks its line", one("@A-01", "\n  Scenario Outline: t\n    Given <x>\n\n    Examples:\n      | x    |\n      | a\\nb |\n"), "breaks its line"},
		{"no feature", "# nothing\n", "holds no feature"},
		{"no scenario", "@A-01\nFeature: F\n", "holds no scenario"},
		{"no Gherkin", "Scenario: s\n", "expected: #EOF"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := parse(t, map[string]string{"x/y.feature": tc.text})
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, "x/y.feature")
		})
	}
}

func TestARuleOfSeveralRolesHasScenariosOfEach(t *testing.T) {
	text := "@AUTH-04\nFeature: F\n\n  Scenario: s\n    Given x\n\n  @role:extension\n  Scenario: t\n    Given x\n"
	l, err := ledger.Load()
	require.NoError(t, err)
	p, err := plan.Parse(fstest.MapFS{"x/y.feature": {Data: []byte(text)}}, l)
	require.NoError(t, err)
	require.Len(t, p.Of("AUTH-04"), 2)
	for role, name := range map[ledger.Role]string{ledger.Daemon: "s", ledger.Extension: "t"} {
		mine := p.For("AUTH-04", role)
		require.Len(t, mine, 1)
		require.Equal(t, name, mine[0].Name)
	}
	require.Empty(t, p.For("AUTH-04", ledger.Client))
}

func TestParseNamesEveryProblem(t *testing.T) {
	bad := "@A-99\nFeature: F\n\n  Scenario: s\n    Given x\n"
	_, err := parse(t, map[string]string{"a/1.feature": bad, "b/2.feature": bad})
	require.ErrorContains(t, err, "a/1.feature:4")
	require.ErrorContains(t, err, "b/2.feature:4")
}

func TestSameNameInTwoFilesIsNoDuplicate(t *testing.T) {
	text := "@A-01\nFeature: F\n\n  Scenario: s\n    Given x\n"
	p, err := parse(t, map[string]string{"a/1.feature": text, "a/2.feature": text})
	require.NoError(t, err)
	require.Len(t, p.Scenarios, 2)
}

const arguments = `@A-01
Feature: Arguments

  Scenario: all kinds
    Given a table
      | plain | with \| bar | with \\ slash | with \n break | |
      | a     | b           | c             | d             |e|
    * a block
      """json
      {"quoted": \"\"\",
        "indented": true}

      """
    When "quotes" and <brackets> are plain
    And a second one
    Then empty
      """
      """
`

// TestSourceMeansTheSame shows that what godog is given is what stands in the
// file: the rebuilt feature has the same steps, arguments and kinds.
func TestSourceMeansTheSame(t *testing.T) {
	p, err := parse(t, map[string]string{"x/a.feature": arguments})
	require.NoError(t, err)
	want := pickles(t, arguments)[0]
	got := pickles(t, p.Scenarios[0].Source())[0]
	require.Len(t, got.Steps, len(want.Steps))
	for i := range want.Steps {
		require.Equal(t, want.Steps[i].Text, got.Steps[i].Text)
		require.Equal(t, want.Steps[i].Type, got.Steps[i].Type, want.Steps[i].Text)
		require.Equal(t, want.Steps[i].Argument, got.Steps[i].Argument, want.Steps[i].Text)
	}
}

func pickles(t *testing.T, text string) []*messages.Pickle {
	newID := (&messages.Incrementing{}).NewId
	doc, err := gherkin.ParseGherkinDocument(strings.NewReader(text), newID)
	require.NoError(t, err)
	return gherkin.Pickles(*doc, "x", newID)
}

func TestFeaturesOfTheSuite(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	p, err := plan.Parse(features.FS, l)
	require.NoError(t, err)
	require.NotEmpty(t, p.Scenarios)
	longest := map[string]time.Duration{}
	for i := range p.Scenarios {
		s := &p.Scenarios[i]
		longest[s.Rule.ID] = max(longest[s.Rule.ID], s.Wait)
		newID := (&messages.Incrementing{}).NewId
		doc, err := gherkin.ParseGherkinDocument(bytes.NewReader([]byte(s.Source())), newID)
		require.NoError(t, err, s.ID)
		require.Len(t, gherkin.Pickles(*doc, s.File, newID), 1, s.ID)
	}
	for _, r := range l.Rules {
		if len(r.Judged) > 0 {
			require.Equal(t, longest[r.ID], r.Wait, "the wait of %s in the ledger is not that of its longest scenario", r.ID)
		}
	}
}

func TestJudgedRulesAreShown(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	p, err := plan.Parse(features.FS, l)
	require.NoError(t, err)
	for _, r := range l.Rules {
		if len(r.Judged) > 0 {
			require.NotEmpty(t, p.Of(r.ID), "no scenario shows %s", r.ID)
		}
	}
}
