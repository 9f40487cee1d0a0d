package steps

import (
	gotoken "go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gateWith returns what the check says of the daemon's gate with one text of
// one of its files replaced.
func gateWith(t *testing.T, name, from, to string) (where string, found bool) {
	t.Helper()
	files, err := filepath.Glob("../../daemon/gate/*.go")
	require.NoError(t, err)
	dir := t.TempDir()
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		if filepath.Base(f) == name {
			require.Contains(t, string(text), from)
			text = []byte(strings.Replace(string(text), from, to, 1))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(f)), text, 0o600))
	}
	s := &source{files: gotoken.NewFileSet()}
	require.NoError(t, s.parse(dir))
	return s.compared()
}

func TestSourceOfTheDaemonComparesInConstantTime(t *testing.T) {
	s := &source{files: gotoken.NewFileSet()}
	require.NoError(t, s.parse("../../daemon"))
	where, found := s.compared()
	require.Empty(t, where)
	require.True(t, found)
}

func TestOtherComparisonsOfTheTokenAreFound(t *testing.T) {
	const check, compare = "!CheckToken(presented, g.token())", "equal := subtle.ConstantTimeCompare(got[:], want[:])"
	for _, edit := range []struct{ file, from, to string }{
		{"gate.go", check, "presented != g.token()"},
		{"gate.go", check, "!strings.EqualFold(presented, g.token())"},
		{"gate.go", check, "func() bool { t := g.token(); return presented != t }()"},
		{"gate.go", check, "g.token()[:8] != presented[:8] || " + check},
		{"gate.go", check, "len(presented) != len(g.token()) || " + check},
		{"token.go", compare, "equal := 0; if got == want { equal = 1 }"},
		{"token.go", compare, "equal := bytes.Compare(got[:], want[:])"},
		{"token.go", "return equal", "return presented == token; return equal"},
		{"token.go", "return equal", "switch presented { case token: return true }; return equal"},
		{"token.go", "return equal", "if strings.HasPrefix(token, presented) { return false }; return equal"},
		{"token.go", "return equal", "for i := range token { if token[i] != presented[i] { return false } }; return equal"},
		{"token.go", "return equal", "if seen[presented] { return true }; return equal"},
	} {
		t.Run(edit.to, func(t *testing.T) {
			where, found := gateWith(t, edit.file, edit.from, edit.to)
			require.True(t, where != "" || !found, "nothing was found")
		})
	}
}
