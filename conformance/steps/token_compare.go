package steps

import (
	"go/ast"
	gotoken "go/token"
)

// comparisons looks in one function for what compares a secret, or what was
// made of it, in another way than in constant time.
type comparisons struct {
	// secret says where the function has it from.
	secret  func(ast.Expr) bool
	helpers map[string]*ast.FuncDecl
	// used are the helpers that it was handed to.
	used map[string]bool
	// fault is the first other comparison.
	fault ast.Node

	tainted map[string]bool
}

// follow looks at a body. Names that hold the secret are found first, in as
// many passes as they depend on each other.
func (c *comparisons) follow(body *ast.BlockStmt) {
	c.tainted = make(map[string]bool)
	for before := -1; before != len(c.tainted); {
		before = len(c.tainted)
		ast.Inspect(body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				c.assign(a)
			}
			return true
		})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		c.look(n)
		return c.fault == nil
	})
}

func (c *comparisons) assign(a *ast.AssignStmt) {
	for i, lhs := range a.Lhs {
		id, ok := lhs.(*ast.Ident)
		if ok && len(a.Lhs) == len(a.Rhs) && id.Name != "_" && c.holds(a.Rhs[i]) {
			c.tainted[id.Name] = true
		}
	}
}

// digests return something of their argument that tells no less than it.
var digests = []string{"Sum256", "Sum512", "byte", "string", "TrimSpace", "ToLower", "ToUpper", "min", "len"}

// holds reports whether an expression is the secret or made of it.
func (c *comparisons) holds(e ast.Expr) bool {
	if c.secret(e) {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return c.tainted[e.Name]
	case *ast.ParenExpr:
		return c.holds(e.X)
	case *ast.SliceExpr:
		return c.holds(e.X)
	case *ast.IndexExpr:
		return c.holds(e.X)
	case *ast.UnaryExpr:
		return c.holds(e.X)
	case *ast.StarExpr:
		return c.holds(e.X)
	case *ast.BinaryExpr:
		return e.Op == gotoken.ADD && (c.holds(e.X) || c.holds(e.Y))
	case *ast.CallExpr:
		if c.secret(e.Fun) {
			return true
		}
		_, conversion := e.Fun.(*ast.ArrayType)
		return (conversion || isOneOf(e.Fun, digests)) && c.anyHolds(e.Args)
	}
	return false
}

func (c *comparisons) anyHolds(all []ast.Expr) bool {
	for _, e := range all {
		if c.holds(e) {
			return true
		}
	}
	return false
}

// leaks are functions whose time or result tells how much of a text is right.
var leaks = []string{
	"EqualFold", "HasPrefix", "HasSuffix", "Contains", "Compare", "Equal", "Index", "DeepEqual", "Count", "Cut",
	"CutPrefix", "CutSuffix", "TrimPrefix", "TrimSuffix", "MatchString",
}

func (c *comparisons) look(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if comparing(n.Op) && !isEmpty(n.X) && !isEmpty(n.Y) && (c.holds(n.X) || c.holds(n.Y)) {
			c.fault = n
		}
	case *ast.SwitchStmt:
		if n.Tag != nil && c.holds(n.Tag) {
			c.fault = n
		}
	case *ast.CaseClause:
		if c.anyHolds(n.List) {
			c.fault = n
		}
	case *ast.RangeStmt:
		if c.holds(n.X) {
			c.fault = n
		}
	case *ast.IndexExpr:
		if c.holds(n.Index) {
			c.fault = n
		}
	case *ast.CallExpr:
		c.call(n)
	}
}

func (c *comparisons) call(n *ast.CallExpr) {
	if !c.anyHolds(n.Args) || isOneOf(n.Fun, constantTime) {
		return
	}
	if id, ok := n.Fun.(*ast.Ident); ok && c.helpers[id.Name] != nil {
		c.used[id.Name] = true
		return
	}
	if isOneOf(n.Fun, leaks) {
		c.fault = n
	}
}

func comparing(op gotoken.Token) bool {
	switch op {
	case gotoken.EQL, gotoken.NEQ, gotoken.LSS, gotoken.GTR, gotoken.LEQ, gotoken.GEQ:
		return true
	}
	return false
}

// isEmpty reports whether e is "" or nil: whether there is a token at all is no
// secret.
func isEmpty(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value == `""`
	case *ast.Ident:
		return e.Name == "nil"
	}
	return false
}
