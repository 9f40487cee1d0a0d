package chrome_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func evaluates(t *testing.T, r *rig) {
	s := r.session(t, "eval")
	s.open(serve(t, html(`<title>Eval</title><script>var seen = 7</script><p>text</p>`)))

	for code, want := range map[string]string{
		`1 + 1`:                    `2`,
		`seen`:                     `7`,
		`document.title`:           `"Eval"`,
		`({a: [1, null, "ü"]})`:    `{"a":[1,null,"ü"]}`,
		`{a: 1}`:                   `{"a":1}`,
		`{ let x = 3; x * 2 }`:     `6`,
		`return seen + 1`:          `8`,
		`const x = 2; return x`:    `2`,
		`(() => { return 5 })()`:   `5`,
		`await Promise.resolve(9)`: `9`,
		`new Promise(r => setTimeout(() => r("late"), 20))`: `"late"`,
		`undefined`:                 `null`,
		`NaN`:                       `null`,
		`(function named() {})`:     `null`,
		`"return"`:                  `"return"`,
		`// a comment` + "\n" + `4`: `4`,
	} {
		require.JSONEq(t, want, s.eval(code), code)
	}

	for code, want := range map[string]string{
		`null.x`: "Cannot read properties of null",
		"1;\n2;\nthrow new Error('on line three')": "on line three (line 3)",
		"return 1;\nmissing()\nreturn seen.x.y":    "",
		`throw "a string"`:                         `"a string"`,
		`Promise.reject(new Error("later"))`:       "later",
		`1 +`:                                      "SyntaxError",
		`eval("return 1")`:                         "Illegal return statement",
		"const q = 1;\nreturn nowhere":             "nowhere is not defined (line 2)",
	} {
		if want == "" {
			continue
		}
		_, err := s.Evaluate(s.ctx(), client.EvaluateArgs{Code: code})
		require.Contains(t, refused(t, protocol.PageError, err).Message, want, code)
	}

	got, err := s.Evaluate(s.ctx(), client.EvaluateArgs{Code: `Promise.resolve(1)`, Await: new(false)})
	require.NoError(t, err)
	require.Contains(t, []string{"{}", "null"}, string(got.Value), "an unawaited promise is no value")
}

// What throws after it has had an effect is not run again as something else.
func evaluatesOnce(t *testing.T, r *rig) {
	s := r.session(t, "once")
	s.open(serve(t, html(`<script>var runs = 0</script>`)))
	for _, code := range []string{`runs++; throw new SyntaxError("Illegal return statement")`, `runs++; eval("return")`, `{ runs++; null.x }`, `runs++; return 1`} {
		before := s.eval("runs")
		_, _ = s.Evaluate(s.ctx(), client.EvaluateArgs{Code: code})
		require.Equal(t, `true`, s.eval("runs === 1 + "+before), code)
	}
}

// A result of more than 4 MiB travels in parts.
func evaluatesToMuch(t *testing.T, r *rig) {
	s := r.session(t, "large")
	s.open(serve(t, html("")))
	value := s.eval(`"ü".repeat(3 << 20)`)
	require.Equal(t, `"`+strings.Repeat("ü", 3<<20)+`"`, value)
}
