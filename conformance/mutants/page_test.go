package mutants

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
)

var update = flag.Bool("update", false, "write the golden files again")

// everything is a matrix with each thing that can come of a mutant.
func everything() *Matrix {
	trial := func(role ledger.Role, name string) Trial {
		return Trial{
			Name: name, Role: role, Rule: name[:len("AUTH-01")], Breaks: "It breaks <" + name + ">.", Lane: ledger.Virtual,
			Killed: []string{}, Strays: []string{}, Took: 1234 * time.Millisecond,
		}
	}
	killed, with, stray := trial(ledger.Daemon, "AUTH-01-killed"), trial(ledger.Daemon, "AUTH-01-with"), trial(ledger.Daemon, "AUTH-02-stray")
	alive, wrong, other := trial(ledger.Daemon, "AUTH-02-alive"), trial(ledger.Daemon, "AUTH-02-wrong"), trial(ledger.Extension, "AUTH-01-other")
	killed.Killed = []string{"AUTH-01/a", "AUTH-01/b"}
	with.Killed, with.Collateral, with.Reasons = []string{"AUTH-01/a"}, []string{"AUTH-02"}, map[string]string{"AUTH-02": "since it is & so"}
	stray.Killed, stray.Strays = []string{"AUTH-02/a"}, []string{"AUTH-01: AUTH-01/c (x.feature:y)"}
	wrong.Error = "build the mutant: exit status 1"
	other.Killed = []string{"AUTH-01/a"}
	return &Matrix{
		Rules: []Judged{
			{ledger.Daemon, "AUTH-01"},
			{ledger.Daemon, "AUTH-02"},
			{ledger.Daemon, "AUTH-03"},
			{ledger.Extension, "AUTH-01"},
		},
		// They come in the order of the catalogue.
		Trials: []Trial{stray, alive, wrong, killed, with, other},
		Silly: []SillyTrial{
			{Name: "null", Role: ledger.Daemon, Failed: 2, Passed: []string{}, Kept: map[string]string{"AUTH-03": "it says nothing"}},
			{Name: "200", Role: ledger.Daemon, Failed: 1, Passed: []string{"AUTH-02"}},
			{Name: "mute", Role: ledger.Extension, Error: "it did not start", Passed: []string{}},
		},
	}
}

func TestPage(t *testing.T) {
	var got bytes.Buffer
	require.NoError(t, everything().WriteHTML(&got))
	const golden = "testdata/matrix.html"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o700))
		require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

// TestPageIsMadeOfTheJSON: whoever has the published matrix can make the page.
func TestPageIsMadeOfTheJSON(t *testing.T) {
	var direct, data, read bytes.Buffer
	require.NoError(t, everything().WriteHTML(&direct))
	require.NoError(t, everything().WriteJSON(&data))
	var m Matrix
	require.NoError(t, json.Unmarshal(data.Bytes(), &m))
	require.NoError(t, m.WriteHTML(&read))
	require.Equal(t, direct.String(), read.String())
}

func TestPageCells(t *testing.T) {
	p := everything().page()
	require.Equal(t, "bad", p.Tone)
	require.Len(t, p.Tables, 2)
	daemon := p.Tables[0]
	var names, signs []string
	for _, m := range daemon.Mutants {
		names = append(names, m.Name)
	}
	require.Equal(t, []string{"AUTH-01-killed", "AUTH-01-with", "AUTH-02-stray", "AUTH-02-alive", "AUTH-02-wrong"}, names, "by rule")
	for _, r := range daemon.Rows {
		line := ""
		for _, c := range r.Cells {
			if c.Sign == "" {
				c.Sign = "."
			}
			line += c.Sign
		}
		signs = append(signs, r.Rule+" "+line)
	}
	require.Equal(t, []string{"AUTH-01 ●●×..", "AUTH-02 .◦●○!", "AUTH-03 ....."}, signs)
	require.True(t, daemon.Rows[2].Bare)
	require.False(t, daemon.Rows[1].Bare)
	require.Len(t, p.Tables[1].Mutants, 1, "a role has its own mutants alone")
	require.Contains(t, daemon.Rows[1].Cells[1].Says, "since it is & so")

	clean := &Matrix{Rules: []Judged{{ledger.Daemon, "AUTH-01"}}, Trials: []Trial{everything().Trials[3]}}
	require.Equal(t, "good", clean.page().Tone)
	var got strings.Builder
	require.NoError(t, clean.WriteHTML(&got))
	for _, bad := range []string{"<script", "src=", "http:", "https:", "url(", "@import"} {
		require.NotContains(t, got.String(), bad)
	}
}
