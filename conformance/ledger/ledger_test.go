package ledger_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
)

// handedOver is the digest of id, source, role and sentence of every rule, as
// the numbered rules were handed over. A rule's sentence is not ours to reword;
// whoever adds a rule changes this line on purpose.
const handedOver = "f15c6b38e51eab6220ae3171cca35c9231ba610a3baff21d08da5b299e9a19e6"

func TestSentencesAreTheOnesHandedOver(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	h := sha256.New()
	for _, r := range l.Rules {
		roles := make([]string, len(r.Roles))
		for i, role := range r.Roles {
			roles[i] = string(role)
		}
		_, err := fmt.Fprintf(h, "%s\t%s\t%s\t%s\n", r.ID, r.From, strings.Join(roles, ", "), r.Sentence)
		require.NoError(t, err)
	}
	require.Equal(t, handedOver, hex.EncodeToString(h.Sum(nil)))
}

func TestNumbersHaveNoGaps(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	count, highest := map[string]int{}, map[string]int{}
	for _, r := range l.Rules {
		area, number, _ := strings.Cut(r.ID, "-")
		n := 0
		_, err := fmt.Sscanf(number, "%d", &n)
		require.NoError(t, err)
		count[area]++
		highest[area] = max(highest[area], n)
	}
	require.Equal(t, highest, count)
}

func TestLevelsFollowTheSources(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	for _, r := range l.Rules {
		want := ledger.OMW
		if r.From == "omw" || r.From == "weboperator" {
			want = ledger.Seed
		}
		require.Equal(t, want, r.Level, r.ID)
	}
}

func TestAClientIsJudgedByItsHalfOfADaemonsRule(t *testing.T) {
	l, err := ledger.Parse(head + row(func(f []string) { f[4] = "daemon, client" }))
	require.NoError(t, err)
	require.True(t, l.Rules[0].JudgedFor(ledger.Client))
	require.Equal(t, l.Rules[0].ID, l.For(ledger.Client)[0].ID)
}

func TestDaemonRulesAreJudgedButForCDP(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	for _, r := range l.Rules {
		later := strings.HasPrefix(r.ID, "CDP-") || r.ID == "LIMIT-12"
		require.Equal(t, r.Names(ledger.Daemon) && !later, r.JudgedFor(ledger.Daemon), r.ID)
	}
}

func TestLookUp(t *testing.T) {
	l, err := ledger.Load()
	require.NoError(t, err)
	r, ok := l.Rule("AUTH-08")
	require.True(t, ok)
	require.True(t, r.Waits())
	require.Equal(t, 303*time.Second, r.Wait)
	require.True(t, r.In(ledger.Virtual))
	_, ok = l.Rule("AUTH-99")
	require.False(t, ok)
	for _, r := range l.For(ledger.Client) {
		require.True(t, r.Names(ledger.Client), r.ID)
	}
	cmd10, _ := l.Rule("CMD-10")
	a, ok := cmd10.Allows("clamped")
	require.True(t, ok)
	require.NotEmpty(t, a.Sentence)
	_, ok = cmd10.Allows("ignored")
	require.False(t, ok)
}

const head = "id\tsource\tlevel\trole\tjudged\tobserver\tlanes\twait\tbrowser\tallowed\trule\n"

func row(change func(f []string)) string {
	f := []string{"A-01", "omw", "seed", "daemon", "daemon", "wire", "virtual, real", "31s", "chrome", "a=An a; b=A b", "It is so."}
	change(f)
	return strings.Join(f, "\t") + "\n"
}

func TestParse(t *testing.T) {
	l, err := ledger.Parse(head + row(func([]string) {}))
	require.NoError(t, err)
	require.Equal(t, ledger.Rule{
		ID: "A-01", From: "omw", Level: ledger.Seed, Roles: []ledger.Role{ledger.Daemon}, Judged: []ledger.Role{ledger.Daemon},
		Observers: []ledger.Observer{ledger.Wire}, Lanes: []ledger.Lane{ledger.Virtual, ledger.Real}, Wait: 31 * time.Second,
		Browser: "chrome", Allowed: []ledger.Allowance{{Name: "a", Sentence: "An a"}, {Name: "b", Sentence: "A b"}}, Sentence: "It is so.",
	}, l.Rules[0])
}

func TestParseRefuses(t *testing.T) {
	for _, tc := range []struct {
		name, tsv, want string
	}{
		{"other columns", "id\trule\n", "columns are"},
		{"a column too few", head + "A-01\tomw\n", "line 2: it has 2 columns, want 11"},
		{"no id", head + row(func(f []string) { f[0] = "A-1" }), `"A-1" is no rule id`},
		{"unknown source", head + row(func(f []string) { f[1] = "hearsay" }), `source: "hearsay"`},
		{"unknown level", head + row(func(f []string) { f[2] = "may" }), `level: "may"`},
		{"unknown role", head + row(func(f []string) { f[3] = "king" }), `role: "king"`},
		{"judged for a role that it does not name", head + row(func(f []string) { f[4] = "host" }), `judged: "host"`},
		{"a client by a rule of the extension", head + row(func(f []string) { f[3], f[4] = "extension", "client" }), `judged: "client"`},
		{"unknown observer", head + row(func(f []string) { f[5] = "ear" }), `observer: "ear"`},
		{"unknown lane", head + row(func(f []string) { f[6] = "fast" }), `lanes: "fast"`},
		{"no lane", head + row(func(f []string) { f[6] = "" }), "must not be empty"},
		{"wait without unit", head + row(func(f []string) { f[7] = "31" }), `wait: "31" is no duration`},
		{"negative wait", head + row(func(f []string) { f[7] = "-1s" }), `wait: "-1s" is no duration`},
		{"unknown browser", head + row(func(f []string) { f[8] = "lynx" }), `browser: "lynx"`},
		{"allowance without sentence", head + row(func(f []string) { f[9] = "clamped" }), `"clamped" is not name=sentence`},
		{"no sentence", head + row(func(f []string) { f[10] = "" }), "must not be empty"},
		{"twice", head + row(func([]string) {}) + row(func([]string) {}), "line 3: A-01 stands in it twice"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ledger.Parse(tc.tsv)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

func TestParseNamesEveryWrongLine(t *testing.T) {
	_, err := ledger.Parse(head + "x\n" + row(func([]string) {}) + "y\n")
	require.ErrorContains(t, err, "line 2")
	require.ErrorContains(t, err, "line 4")
}

func TestShort(t *testing.T) {
	for _, tc := range []struct {
		in   string
		n    int
		want string
	}{
		{"exactly ten", 11, "exactly ten"},
		{"exactly ten", 10, "exactly…"},
		{"one, two, three", 9, "one, two…"},
		{"Überlänge ohne Ende", 12, "Überlänge…"},
		{"unbrokenunbroken", 8, "unbroken…"},
	} {
		require.Equal(t, tc.want, ledger.Short(tc.in, tc.n))
	}
}
