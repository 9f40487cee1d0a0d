package steps

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

func registerSource(sc sentences, a *auth) {
	src := &source{a: a, files: gotoken.NewFileSet()}
	sc.When(`^the daemon's source is read$`, src.read)
	sc.Then(`^it compares the token in constant time and in no other way$`, src.isConstantTime)
}

// source is the daemon's source, as far as it is Go.
type source struct {
	a      *auth
	files  *gotoken.FileSet
	parsed []*ast.File
}

func (s *source) read() error {
	dir, err := s.a.w.Source()
	if err != nil {
		return err
	}
	if err := s.parse(dir); err != nil {
		return fmt.Errorf("read the daemon's source: %w", err)
	}
	if len(s.parsed) == 0 {
		return s.a.w.Unobservable("the source of %s is not Go", s.a.w.Target().Name)
	}
	return nil
}

func (s *source) parse(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(s.files, path, nil, parser.SkipObjectResolution)
		s.parsed = append(s.parsed, file)
		return err
	})
}

// constantTime are the comparisons whose time says nothing of what they compare.
var constantTime = []string{"ConstantTimeCompare", "hmac.Equal"}

func (s *source) isConstantTime() error {
	switch where, found := s.compared(); {
	case where != "":
		return s.a.w.Fail("other-comparison", "%s compares the token in a way whose time tells of it", where)
	case !found:
		return s.a.w.Fail("no-comparison", "the token that the daemon keeps reaches no comparison in constant time")
	}
	return nil
}

// compared follows the token from where the daemon keeps it. It may be handed
// to a function that compares in constant time; it, what is made of it and what
// that function is given may be compared in no other way. where is the first
// place that does, and found says whether there is a comparison in constant time.
func (s *source) compared() (where string, found bool) {
	helpers, used := make(map[string]*ast.FuncDecl), make(map[string]bool)
	s.eachFunc(func(f *ast.FuncDecl) {
		if calls(f.Body, constantTime...) {
			helpers[f.Name.Name] = f
		}
	})
	look := func(f *ast.FuncDecl, secret func(ast.Expr) bool) {
		c := &comparisons{secret: secret, helpers: helpers, used: used}
		c.follow(f.Body)
		if c.fault != nil && where == "" {
			at := s.files.Position(c.fault.Pos())
			where = fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
		}
	}
	s.eachFunc(func(f *ast.FuncDecl) { look(f, isKept) })
	for name := range maps.Clone(used) {
		f := helpers[name]
		look(f, func(e ast.Expr) bool { return isParameter(f, e) })
	}
	return where, len(used) > 0
}

func (s *source) eachFunc(do func(*ast.FuncDecl)) {
	for _, file := range s.parsed {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				do(f)
			}
		}
	}
}

// isKept reports whether e is the token where a daemon keeps it: a field or
// method of that name.
func isKept(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return ok && strings.EqualFold(sel.Sel.Name, "token")
}

func isParameter(f *ast.FuncDecl, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	for _, field := range f.Type.Params.List {
		if slices.ContainsFunc(field.Names, func(n *ast.Ident) bool { return n.Name == id.Name }) {
			return true
		}
	}
	return false
}

// calls reports whether one of the functions is called below n.
func calls(n ast.Node, names ...string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		found = found || (ok && isOneOf(c.Fun, names))
		return !found
	})
	return found
}

// isOneOf reports whether a called function has one of the names, which hold
// its package where that alone tells it from others.
func isOneOf(fun ast.Expr, names []string) bool {
	name := calledName(fun)
	_, short, _ := strings.Cut(name, ".")
	return slices.Contains(names, name) || slices.Contains(names, short)
}

func calledName(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
		return "." + f.Sel.Name
	}
	return ""
}
