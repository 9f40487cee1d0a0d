package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerForm(sc sentences, a *auth) {
	sc.Given(`^a pairing code that begins with 0$`, a.makeCodeWith0)
	sc.Given(`^(\d+) pairing codes are made$`, a.makeCodes)
	sc.Then(`^each has six digits$`, a.haveSixDigits)
	sc.When(`^the extension sends (\D+)$`, a.sendForm)
	sc.When(`^the extension sends (\D+) as its code, (\d+) times$`, a.sendFormTimes)
}

// draws is how many codes are drawn until one begins with 0, as every tenth
// does: that none of them would is as likely as one in 10^18.
const draws = 400

func (a *auth) makeCodeWith0(ctx context.Context) error {
	for range draws {
		if err := a.makeCode(ctx); err != nil {
			return err
		}
		if code, _ := a.code(); code[0] == '0' {
			return nil
		}
	}
	return a.w.Fail("no-zero", "none of %d pairing codes begins with 0", draws)
}

func (a *auth) makeCodes(ctx context.Context, n int) error {
	for range n {
		if err := a.makeCode(ctx); err != nil {
			return err
		}
	}
	return nil
}

// haveSixDigits has little to do: makeCode judges each code's shape. It sees
// that they are not all the same.
func (a *auth) haveSixDigits() error {
	for _, code := range a.codes {
		if code != a.codes[0] {
			return nil
		}
	}
	return a.w.Fail("same-code", "%d pairing codes are all the same", len(a.codes))
}

// codeForms are bodies of POST /pair that hold the code in another form, by
// their name in a feature.
var codeForms = map[string]func(code string) string{
	"the code as a number":                   func(c string) string { return `{"code":` + c[1:] + `}` },
	"the code without its first digit":       func(c string) string { return codeBody(c[1:]) },
	"the code without its last digit":        func(c string) string { return codeBody(c[:5]) },
	"the code behind another zero":           func(c string) string { return codeBody("0" + c) },
	"the code and another zero":              func(c string) string { return codeBody(c + "0") },
	"the code behind a blank":                func(c string) string { return codeBody(" " + c) },
	"the code and a blank":                   func(c string) string { return codeBody(c + " ") },
	"the code and a line break":              func(c string) string { return codeBody(c + `\n`) },
	"the code with a plus sign for its zero": func(c string) string { return codeBody("+" + c[1:]) },
	"the code in full-width digits":          func(c string) string { return codeBody(digitsFrom(c, '０')) },
	"the code in Arabic-Indic digits":        func(c string) string { return codeBody(digitsFrom(c, '٠')) },
	"the code in a list":                     func(c string) string { return `{"code":["` + c + `"]}` },
	"the code in an object":                  func(c string) string { return `{"code":{"code":"` + c + `"}}` },
	"the code in halves with a blank":        func(c string) string { return codeBody(c[:3] + " " + c[3:]) },
	"nothing for a code":                     func(string) string { return `{"code":null}` },
	"an empty code":                          func(string) string { return codeBody("") },
	"an empty object":                        func(string) string { return `{}` },
	"an empty body":                          func(string) string { return `` },
	"the code without an object":             func(c string) string { return `"` + c + `"` },
	"the code under the name CODE":           func(c string) string { return `{"CODE":"` + c + `"}` },

	"the code twice":                       func(c string) string { return `{"code":"` + c + `","code":"` + c + `"}` },
	"the code beside an unknown name":      func(c string) string { return `{"code":"` + c + `","name":"omw"}` },
	"the code, and more behind the object": func(c string) string { return codeBody(c) + `{}` },
}

func codeBody(code string) string { return `{"code":"` + code + `"}` }

// digitsFrom writes the digits in another script, whose zero is given.
func digitsFrom(code string, zero rune) string {
	return strings.Map(func(c rune) rune { return zero + c - '0' }, code)
}

func (a *auth) sendForm(ctx context.Context, what string) error { return a.sendFormTimes(ctx, what, 1) }

func (a *auth) sendFormTimes(ctx context.Context, what string, n int) error {
	form, ok := codeForms[what]
	if !ok {
		return fmt.Errorf("no extension sends %q", what)
	}
	code, err := a.code()
	if err != nil {
		return err
	}
	a.heard = nil
	for range n {
		if err := a.try(ctx, pairing(sim.Chrome.Origin, form(code))); err != nil {
			return err
		}
	}
	return nil
}
