package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// The snapshots of the pages in testdata. OMW_GOLDEN=write writes them again.
func TestGoldenSnapshots(t *testing.T) {
	pages, err := filepath.Glob("testdata/snapshot/*.html")
	require.NoError(t, err)
	require.Len(t, pages, 3)
	for _, name := range pages {
		t.Run(filepath.Base(name), func(t *testing.T) {
			html, err := os.ReadFile(name)
			require.NoError(t, err)
			a, site := visit(t, "")
			site.page = string(html)
			site.others = map[string]string{"/inner": "<title>In</title><p>from the site</p>"}
			a.ok("reload", `{}`)
			got := a.snapshot() + "\n"
			golden := strings.TrimSuffix(name, ".html") + ".txt"
			if os.Getenv("OMW_GOLDEN") == "write" {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
			require.NotContains(t, got, "secret", "neither a password nor a closed shadow root")
		})
	}
}

// LIMIT-11: 4000 nodes or 192000 characters, and truncated past either.
func TestASnapshotIsTruncated(t *testing.T) {
	read := func(html string) (text, nodes, truncated string) {
		a, _ := visit(t, html)
		data := jsontext.Value(a.ok("snapshot", `{}`))
		text, _ = protocol.StringArg(data, "text")
		n, _ := protocol.Arg(data, "nodes")
		cut, _ := protocol.Arg(data, "truncated")
		return text, string(n), string(cut)
	}
	_, nodes, truncated := read(strings.Repeat("<hr>", 4000))
	require.Equal(t, "4000 false", nodes+" "+truncated)
	_, nodes, truncated = read(strings.Repeat("<hr>", 4001))
	require.Equal(t, "4000 true", nodes+" "+truncated)

	// A line "- paragraph: x…" and its newline are 192000 code units.
	frame := len("- paragraph: \n")
	fill := strings.Repeat("x", 192000-frame-2) + "😀"
	text, nodes, truncated := read("<p>" + fill)
	require.Equal(t, "1 false", nodes+" "+truncated)
	require.Len(t, utf16.Encode([]rune(text)), 192000-1)
	_, nodes, truncated = read("<p>" + fill + "y")
	require.Equal(t, "0 true", nodes+" "+truncated)
}

func TestASnapshotOfAPart(t *testing.T) {
	a, _ := visit(t, `<main><p>in</p><button>B</button></main><footer>out</footer>`)
	whole := a.snapshot()
	require.Equal(t, "- main [ref=e1]\n  - paragraph: in\n  - button \"B\" [ref=e2]\n- contentinfo [ref=e3]: out", whole)
	require.Equal(t, whole, a.snapshot(), "what stands the same keeps its reference")
	require.Contains(t, a.ok("snapshot", `{"ref":"@e1"}`), `"text":"- main [ref=e1]\n  - paragraph: in\n  - button \"B\" [ref=e2]"`)
	require.Contains(t, a.ok("snapshot", on("footer")), `"- contentinfo [ref=e3]: out"`)
	require.Contains(t, a.ok("snapshot", `{"interactive":true}`), `"nodes":1,"text":"- button \"B\" [ref=e2]"`)
	a.fails("snapshot", on("nav"), "not_actionable", "nothing matches it")
}

// A page of 4000 nodes, labels and radios among them, is read in a moment: a
// quadratic walk would be noticed by the test's own deadline.
func TestALargePage(t *testing.T) {
	var b strings.Builder
	b.WriteString("<style>.a .b{display:none} p{visibility:visible}</style><form>")
	for i := range 1400 {
		fmt.Fprintf(&b, "<p class=a><label for=i%d>Field %d</label><input id=i%d><input type=radio name=r%d></p>", i, i, i, i%40)
	}
	a, _ := visit(t, b.String())
	require.Equal(t, 4000, strings.Count(a.snapshot(), "\n")+1)
}
