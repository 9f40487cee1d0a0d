package page

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/net/html"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// evaluate answers from the table of Config.Values, then for the few expressions
// that agents use all the time; there is no script engine.
func (c *call) evaluate(b *tab) (any, error) {
	d, err := c.frameArg(b)
	if err != nil {
		return nil, err
	}
	code := strings.TrimSpace(c.text("code"))
	c.t.effect(b, "evaluate", "", "")
	if v, ok := c.t.cfg.Values[code]; ok {
		if v.Throws != "" {
			return nil, fail(protocol.PageError, "%s", v.Throws)
		}
		return valueOf(v.JSON), nil
	}
	if v, ok := d.evaluate(strings.TrimRight(strings.TrimPrefix(code, "return "), "; ")); ok {
		return v, nil
	}
	return nil, fail(protocol.Unsupported,
		"the simulated browser runs no JavaScript: it knows literals, + - * / on numbers, document.title, document.URL, location and a few more; give it other expressions with their values (in Go page.Config.Values)")
}

func valueOf(raw jsontext.Value) any {
	if len(raw) == 0 {
		raw = jsontext.Value("null")
	}
	return jsontext.Value(`{"value":` + string(raw) + `}`)
}

// evaluate gives the value of an expression that is known without a table.
func (d *document) evaluate(code string) (any, bool) {
	if v := jsontext.Value(code); v.IsValid(jsontext.AllowInvalidUTF8(true)) && v.Kind() != '0' {
		return valueOf(v), true
	}
	if s, ok := literal(code); ok {
		return map[string]any{"value": s}, true
	}
	if code == "undefined" || code == "void 0" {
		return map[string]any{"value": nil}, true
	}
	if v, ok := d.property(code); ok {
		return map[string]any{"value": v}, true
	}
	if v, ok := arithmetic(code); ok {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return map[string]any{"value": nil}, true
		}
		return valueOf(jsontext.Value(jsNumber(v))), true
	}
	return nil, false
}

// literal is a string literal of JavaScript.
func literal(code string) (string, bool) {
	if len(code) < 2 || (code[0] != '\'' && code[0] != '"') || code[len(code)-1] != code[0] {
		return "", false
	}
	inner := code[1 : len(code)-1]
	for i := 0; i < len(inner); i++ {
		if inner[i] == '\\' {
			i++
		} else if inner[i] == code[0] {
			return "", false
		}
	}
	return either(inner, ""), true
}

// property is what scripts read the most.
func (d *document) property(code string) (any, bool) {
	code = strings.TrimPrefix(code, "window.")
	u := d.url
	switch code {
	case "document.title":
		return d.title(), true
	case "document.URL", "location.href", "document.location.href", "location", "location.toString()", "document.documentURI":
		return u.String(), true
	case "location.origin", "origin":
		return u.Scheme + "://" + u.Host, true
	case "location.host":
		return u.Host, true
	case "location.hostname":
		return u.Hostname(), true
	case "location.pathname":
		return u.EscapedPath(), true
	case "location.protocol":
		return u.Scheme + ":", true
	case "location.search":
		return prefixed("?", u.RawQuery), true
	case "location.hash":
		return prefixed("#", u.EscapedFragment()), true
	case "document.readyState":
		return "complete", true
	case "history.length":
		return len(d.tab.history), true
	case "document.body.innerText":
		return d.innerText(d.body()), true
	case "document.body.textContent":
		return rawText(d.body()), true
	case "document.documentElement.outerHTML":
		if n := d.find(func(n *html.Node) bool { return n.Data == "html" }); n != nil {
			return outerHTML(n), true
		}
	case "document.body.innerHTML":
		return innerHTML(d.body()), true
	case "innerWidth", "document.documentElement.clientWidth":
		return viewWidth, true
	case "innerHeight", "document.documentElement.clientHeight":
		return viewHeight, true
	case "scrollY", "pageYOffset":
		return d.scroll[nil].y, true
	case "scrollX", "pageXOffset":
		return d.scroll[nil].x, true
	case "document.cookie":
		return nil, false
	}
	return nil, false
}

func prefixed(mark, s string) string {
	if s == "" {
		return ""
	}
	return mark + s
}

func innerHTML(n *html.Node) string {
	var b strings.Builder
	for c := range n.ChildNodes() {
		b.WriteString(outerHTML(c))
	}
	return b.String()
}

// arithmetic computes + - * / and brackets on numbers.
func arithmetic(code string) (float64, bool) {
	p := sum{s: code}
	v, ok := p.terms()
	p.blanks()
	return v, ok && p.at == len(p.s)
}

// sum reads an expression of numbers.
type sum struct {
	s     string
	at    int
	depth int
}

func (p *sum) blanks() {
	for p.at < len(p.s) && (p.s[p.at] == ' ' || p.s[p.at] == '\n' || p.s[p.at] == '\t') {
		p.at++
	}
}

func (p *sum) next() byte {
	p.blanks()
	if p.at < len(p.s) {
		return p.s[p.at]
	}
	return 0
}

func (p *sum) terms() (float64, bool) {
	v, ok := p.factors()
	for ok {
		op := p.next()
		if op != '+' && op != '-' {
			break
		}
		if p.at++; p.at < len(p.s) && p.s[p.at] == op {
			return 0, false // ++ and -- are something else.
		}
		var w float64
		if w, ok = p.factors(); op == '-' {
			w = -w
		}
		v += w
	}
	return v, ok
}

func (p *sum) factors() (float64, bool) {
	v, ok := p.factor()
	for ok {
		op := p.next()
		if op != '*' && op != '/' && op != '%' {
			break
		}
		p.at++
		var w float64
		w, ok = p.factor()
		switch op {
		case '*':
			v *= w
		case '/':
			v /= w
		default:
			v = math.Mod(v, w)
		}
	}
	return v, ok
}

// factor reads a number, a sign and a factor, or what is in brackets.
func (p *sum) factor() (float64, bool) {
	if p.depth++; p.depth > 100 {
		return 0, false
	}
	defer func() { p.depth-- }()
	switch p.next() {
	case '(':
		p.at++
		v, ok := p.terms()
		if !ok || p.next() != ')' {
			return 0, false
		}
		p.at++
		return v, true
	case '-', '+':
		minus := p.s[p.at] == '-'
		p.at++
		if p.at < len(p.s) && (p.s[p.at] == '-' || p.s[p.at] == '+') {
			return 0, false // ++ and -- are something else.
		}
		v, ok := p.factor()
		if minus {
			v = -v
		}
		return v, ok
	}
	from := p.at
	for p.at < len(p.s) && strings.IndexByte("0123456789.", p.s[p.at]) >= 0 {
		p.at++
	}
	if p.at > from && p.at < len(p.s) && (p.s[p.at] == 'e' || p.s[p.at] == 'E') {
		end := p.at + 1
		if end < len(p.s) && (p.s[end] == '-' || p.s[end] == '+') {
			end++
		}
		for p.at = end; p.at < len(p.s) && p.s[p.at] >= '0' && p.s[p.at] <= '9'; {
			p.at++
		}
	}
	v, err := strconv.ParseFloat(p.s[from:p.at], 64)
	return v, err == nil
}

// jsonString is s as JSON.
func jsonString(s string) string {
	out, err := json.Marshal(s, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return strconv.Quote(s)
	}
	return string(out)
}
