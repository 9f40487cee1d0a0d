package tape_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/tape"
)

var update = flag.Bool("update", false, "write the reference of verbs into TAPES.md")

// TestReference requires that TAPES.md lists the verbs as they are.
func TestReference(t *testing.T) {
	text, err := os.ReadFile("TAPES.md")
	require.NoError(t, err)
	head, list, ok := strings.Cut(string(text), "-update -->\n\n")
	require.True(t, ok, "the list of verbs has no beginning")
	if *update {
		list = tape.Reference()
		require.NoError(t, os.WriteFile("TAPES.md", []byte(head+"-update -->\n\n"+list), 0o644))
	}
	require.Equal(t, tape.Reference(), list, "run go test ./sim/tape -run TestReference -update")
	example := indented(head[strings.Index(head, "    # CMD-04"):])
	_, err = tape.Parse("TAPES.md", []byte(example))
	require.NoError(t, err)
}

// indented returns the indented block that text begins with.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "    ")
		if !ok {
			break
		}
		b.WriteString(rest)
	}
	return b.String()
}

// before is what has to stand above a verb's example.
const before = "use omw.v1\nfirefox ping\n"

// TestEveryVerbIsExplained requires that each verb has a sentence, and an
// example that is a line of that verb and parses.
func TestEveryVerbIsExplained(t *testing.T) {
	for _, role := range []tape.Role{tape.Browser, tape.Agent, tape.Daemon} {
		for _, v := range tape.Verbs(role) {
			t.Run(string(role)+" "+v.Name, func(t *testing.T) {
				require.True(t, strings.HasSuffix(v.Doc, "."), v.Doc)
				script := before
				if role == tape.Agent && len(v.Words) > 0 && v.Name != "send" && v.Name != "do" {
					script += "agent do a1 click ref=@e4\n"
				}
				if role == tape.Browser {
					script += "agent do a1 click ref=@e4\nagent do a2 click ref=@e4\n"
				}
				text := script + v.Example + "\n"
				if v.Name == "page" {
					text += "-- shop.html --\n<title>Shop</title>\n"
				}
				parsed, err := tape.Parse("x", []byte(text))
				require.NoError(t, err)
				last := parsed.Lines[len(parsed.Lines)-1]
				require.Equal(t, v.Name, last.Verb)
				require.Equal(t, role, tape.RoleOf(last.Actor))
				require.Same(t, v, tape.Lookup(role, v.Name))
				for _, p := range append(v.Words[:len(v.Words):len(v.Words)], v.Args...) {
					require.NotEmpty(t, p.Name)
				}
			})
		}
	}
}
