package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// An error is one line with its code, and never tells anybody to repeat what may
// have happened.
func TestErrorLines(t *testing.T) {
	for _, c := range protocol.Codes {
		line := errorLine(&protocol.Error{Code: c, Message: "a\n b\t\nc"}, " -s shop")
		require.True(t, strings.HasPrefix(line, "error "+string(c)+": a b c"), line)
		require.NotContains(t, line, "\n")
		require.NotContains(t, line, "%")
		if c == protocol.OutcomeUnknown {
			require.Equal(t, "error outcome_unknown: a b c; do not repeat it; look at the page first: omw snapshot -s shop", line)
		} else if c != protocol.Busy {
			require.NotContains(t, line, "again")
		}
	}
	require.Equal(t, "error no_tab: x; run omw open URL", errorLine(&protocol.Error{Code: protocol.NoTab, Message: "x"}, ""))
}

func TestQuotedWords(t *testing.T) {
	for word, want := range map[string]string{
		"shop": "shop", "a.b_c/d:e@f-g": "a.b_c/d:e@f-g", "": "''", "two words": "'two words'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "ü": "'ü'",
	} {
		require.Equal(t, want, quoteWord(word))
	}
}

// Help tells of every verb, in its section, and needs no schema of it.
func TestHelpListsEveryVerb(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, 0, run(context.Background(), []string{"help"}, nil, &out, &errs))
	require.Empty(t, errs.String())
	at := 0
	for _, s := range sections {
		i := strings.Index(out.String(), "\n"+s.Title+"\n")
		require.Greater(t, i, at, s.Title)
		at = i
	}
	require.NotContains(t, out.String(), "Additional Commands")
	for _, v := range verbs() {
		require.Regexp(t, `(?m)^  `+v.name+` +`+v.short+`$`, out.String())
		var help bytes.Buffer
		require.Equal(t, 0, run(context.Background(), []string{"help", v.name}, nil, &help, &errs))
		require.Contains(t, help.String(), "Examples:\n  omw "+v.examples[0]+"\n")
		require.Contains(t, help.String(), "\nExit codes:\n")
		require.Contains(t, help.String(), "  -s, --session name")
	}
}

// So it is with the commands that are no verbs.
func TestEveryCommandHasAnExample(t *testing.T) {
	p := &program{}
	for _, c := range p.root(nil).Commands() {
		if c.GroupID == string(simulator) {
			continue
		}
		require.NotEmpty(t, c.GroupID, c.Name())
		require.NotEmpty(t, c.Short, c.Name())
		require.Contains(t, c.Example, "omw "+c.Name(), c.Name())
	}
}

// A verb's flags are those of the schema, with its words.
func TestHelpOfAVerb(t *testing.T) {
	var out bytes.Buffer
	require.Equal(t, 0, run(context.Background(), []string{"pdf", "--help"}, nil, &out, &out))
	for _, want := range []string{
		`(?m)^  omw pdf \[PATH\] \[flags\]$`,
		`(?m)^      --path file +Where the daemon writes the PDF; never over an existing file$`,
		`(?m)^      --landscape +landscape$`,
		`(?m)^      --scale n +a number from 0\.1 to 2 \(default 1\)$`,
		`(?m)^      --paper word +one of A3, A4, A5, Legal, Letter, Tabloid \(default A4\)$`,
		`(?m)^      --margins json +In inches; 0\.4 where left out$`,
	} {
		require.Regexp(t, want, out.String())
	}
	out.Reset()
	require.Equal(t, 0, run(context.Background(), []string{"network", "--help"}, nil, &out, &out))
	for _, want := range []string{
		`(?m)^  omw network body ID +The body of an answer$`,
		`(?m)^      --limit n +At most that many, the newest; a whole number from 1 to 500; for list$`,
		`(?m)^      --tab n +The tab to act in, .* if left out$`,
	} {
		require.Regexp(t, want, out.String())
	}
}
