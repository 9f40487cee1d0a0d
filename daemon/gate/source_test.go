package gate_test

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The secrets of the package, where they stand, and the only things that may be
// done with each. A secret that goes nowhere else is compared nowhere else.
var secrets = []struct {
	name    string // an identifier, or a field if it begins with a dot
	in      string // the function, or "" for the whole package
	allowed []func(path []ast.Node) bool
}{
	{".token", "", all(asArgumentOf("CheckToken"), inLiteral)},
	{"presented", "admit", all(asArgumentOf("CheckToken"), assigned)},
	{"presented", "CheckToken", all(declared, asArgumentOf("Sum256"))},
	{"token", "CheckToken", all(declared, asArgumentOf("Sum256"))},
	{"got", "CheckToken", all(assigned, asArgumentOf("ConstantTimeCompare"))},
	{"want", "CheckToken", all(assigned, asArgumentOf("ConstantTimeCompare"))},
	{".code", "", all(assigned, copiedTo("want"), besideEmpty)},
	{"want", "compare", all(assigned, asArgumentOf("ConstantTimeCompare"))},
	{"guess", "compare", all(declared, asArgumentOf("ConstantTimeCompare"))},
	{"code", "Redeem", all(declared, asArgumentOf("isCode"), asArgumentOf("compare"))},
}

func all(f ...func([]ast.Node) bool) []func([]ast.Node) bool { return f }

// asArgumentOf allows the secret, or a conversion, slice or call of it, as an
// argument of that function.
func asArgumentOf(function string) func([]ast.Node) bool {
	return func(path []ast.Node) bool {
		for i := len(path) - 2; i >= 0; i-- {
			switch n := path[i].(type) {
			case *ast.CallExpr:
				if nameOf(n.Fun) == function {
					return true
				}
			case *ast.SliceExpr, *ast.ArrayType, *ast.SelectorExpr:
			default:
				return false
			}
		}
		return false
	}
}

func assigned(path []ast.Node) bool {
	a, ok := path[len(path)-2].(*ast.AssignStmt)
	return ok && at(a.Lhs, path[len(path)-1]) >= 0
}

func copiedTo(name string) func([]ast.Node) bool {
	return func(path []ast.Node) bool {
		a, ok := path[len(path)-2].(*ast.AssignStmt)
		if !ok {
			return false
		}
		i := at(a.Rhs, path[len(path)-1])
		return i >= 0 && i < len(a.Lhs) && nameOf(a.Lhs[i]) == name
	}
}

// besideEmpty allows to ask whether there is one at all.
func besideEmpty(path []ast.Node) bool {
	b, ok := path[len(path)-2].(*ast.BinaryExpr)
	if !ok || b.Op != gotoken.EQL && b.Op != gotoken.NEQ {
		return false
	}
	lit, ok := b.Y.(*ast.BasicLit)
	return ok && lit.Value == `""`
}

func declared(path []ast.Node) bool { _, ok := path[len(path)-2].(*ast.Field); return ok }

func inLiteral(path []ast.Node) bool { _, ok := path[len(path)-2].(*ast.KeyValueExpr); return ok }

func at(list []ast.Expr, n ast.Node) int {
	for i, e := range list {
		if ast.Node(e) == n {
			return i
		}
	}
	return -1
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// secretOf returns how the table would name this node.
func secretOf(path []ast.Node) string {
	switch n := path[len(path)-1].(type) {
	case *ast.SelectorExpr:
		return "." + n.Sel.Name
	case *ast.Ident:
		if s, ok := path[len(path)-2].(*ast.SelectorExpr); ok && s.Sel == n {
			return "" // seen as its selector
		}
		return n.Name
	}
	return ""
}

// misused returns where a secret is used as it must not be, and how often each
// was used at all.
func misused(t *testing.T, sources map[string]string) (faults []string, uses map[string]int) {
	uses = map[string]int{}
	files := gotoken.NewFileSet()
	for name, source := range sources {
		file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
		require.NoError(t, err)
		var path []ast.Node
		function := ""
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			if f, ok := n.(*ast.FuncDecl); ok {
				function = f.Name.Name
			}
			for _, s := range secrets {
				if s.name != secretOf(path) || (s.in != "" && s.in != function) {
					continue
				}
				uses[s.name+" "+s.in]++
				good := false
				for _, allowed := range s.allowed {
					good = good || allowed(path)
				}
				if !good {
					faults = append(faults, s.name+" at "+files.Position(n.Pos()).String())
				}
			}
			return true
		})
	}
	return faults, uses
}

func sources(t *testing.T) map[string]string {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	found := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		found[name] = string(b)
	}
	return found
}

// AUTH-02, observer source: the token and the pairing code are compared through
// crypto/subtle and in no other way.
func TestSecretsAreComparedInConstantTime(t *testing.T) {
	faults, uses := misused(t, sources(t))
	require.Empty(t, faults)
	for _, s := range secrets {
		require.Positive(t, uses[s.name+" "+s.in], "%s in %s is gone: the table above is out of date", s.name, s.in)
	}
}

// The test above can fail: each of these edits of the real source is found.
func TestOtherComparisonsAreFound(t *testing.T) {
	const check, compare = "!CheckToken(presented, g.token())", "subtle.ConstantTimeCompare([]byte(guess), []byte(want)) == 1"
	for _, edit := range []struct{ file, from, to string }{
		{"gate.go", check, "presented != g.token()"},
		{"gate.go", check, "!strings.EqualFold(presented, g.token())"},
		{"gate.go", check, "presented == \"\" || " + check},
		{"gate.go", check, "len(presented) != 43 || " + check},
		{"gate.go", check, "func() bool { t := g.token(); return presented != t }()"},
		{"gate.go", "presented, from := TokenOf(r, upgrade)", "presented, from := TokenOf(r, upgrade); known[presented]++"},
		{"token.go", "equal := subtle.ConstantTimeCompare(got[:], want[:])", "equal := 0; if got == want { equal = 1 }"},
		{"token.go", "subtle.ConstantTimeCompare(got[:], want[:])", "bytes.Compare(got[:], want[:])"},
		{"token.go", "return equal", "return presented == token; return equal"},
		{"token.go", "return equal", "switch presented { case token: return true }; return equal"},
		{"token.go", "return equal", "if len(presented) != len(token) { return false }; return equal"},
		{"token.go", "return equal", "if strings.HasPrefix(token, presented) { return false }; return equal"},
		{"pairing.go", compare, "guess == want"},
		{"pairing.go", compare, "guess == p.code"},
		{"pairing.go", compare, "slices.Equal([]byte(guess), []byte(want))"},
		{"pairing.go", "p.guessed = now", "p.guessed = now; if code == p.code { return nil }"},
		{"pairing.go", `p.code != "" &&`, `p.code > "000000" &&`},
	} {
		t.Run(edit.to, func(t *testing.T) {
			all := sources(t)
			require.Contains(t, all[edit.file], edit.from)
			all[edit.file] = strings.Replace(all[edit.file], edit.from, edit.to, 1)
			faults, _ := misused(t, all)
			require.NotEmpty(t, faults)
		})
	}
}
