package steps

import (
	"strings"
	"unicode"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// tokenTexts are what callers present as the token, by its name in a feature:
// functions of the token and of the one before the last rotation.
var tokenTexts = map[string]func(token, before string) string{
	"the token":                                     func(t, _ string) string { return t },
	"the token of before":                           func(_, b string) string { return b },
	"an empty token":                                func(_, _ string) string { return "" },
	"another token of the same length":              func(t, _ string) string { return another(t) },
	"the token without its first character":         func(t, _ string) string { return t[1:] },
	"the token without its last character":          func(t, _ string) string { return t[:len(t)-1] },
	"the first half of the token":                   func(t, _ string) string { return t[:len(t)/2] },
	"the token and one character more":              func(t, _ string) string { return t + "A" },
	"the token behind one character more":           func(t, _ string) string { return "A" + t },
	"the token twice":                               func(t, _ string) string { return t + t },
	"the token with the case of one letter changed": func(t, _ string) string { return recased(t) },
	"the token in capitals":                         func(t, _ string) string { return strings.ToUpper(t) },
	"the token in small letters":                    func(t, _ string) string { return strings.ToLower(t) },
	"the token with its first character changed":    func(t, _ string) string { return another(t[:1]) + t[1:] },
	"the token with its last character changed":     func(t, _ string) string { return t[:len(t)-1] + another(t[len(t)-1:]) },
	"the token padded with =":                       func(t, _ string) string { return t + "=" },
	"the token in quotes":                           func(t, _ string) string { return `"` + t + `"` },
}

// tokenHeaders are headers in which the token, or the token and another one,
// are presented, by their name in a feature.
var tokenHeaders = map[string]func(token, other string) []sim.Header{
	"the token under the scheme Bearer": authorization("Bearer TOKEN"),
	"the token under the scheme bearer": authorization("bearer TOKEN"),
	"the token under the scheme BEARER": authorization("BEARER TOKEN"),
	"the token under the scheme bEaReR": authorization("bEaReR TOKEN"),

	"the token without a scheme":                     authorization("TOKEN"),
	"the scheme without a token":                     authorization("Bearer"),
	"the token under the scheme Basic":               authorization("Basic TOKEN"),
	"the token under the scheme Token":               authorization("Token TOKEN"),
	"the token glued to the scheme":                  authorization("BearerTOKEN"),
	"the token behind a colon":                       authorization("Bearer: TOKEN"),
	"the token and another one behind a comma":       authorization("Bearer TOKEN, Bearer OTHER"),
	"another token and the token behind a comma":     authorization("Bearer OTHER, Bearer TOKEN"),
	"the token behind two blanks":                    authorization("Bearer  TOKEN"),
	"the token behind a tab":                         authorization("Bearer\tTOKEN"),
	"the token, then another one in a second line":   authorization("Bearer TOKEN", "Bearer OTHER"),
	"another token, then the token in a second line": authorization("Bearer OTHER", "Bearer TOKEN"),
	"the token in two lines":                         authorization("Bearer TOKEN", "Bearer TOKEN"),

	"the token in a cookie":            header("Cookie", "token=TOKEN"),
	"the token in a header of its own": header("X-Omw-Token", "TOKEN"),
	"the token for a proxy":            header("Proxy-Authorization", "Bearer TOKEN"),
}

func authorization(values ...string) func(token, other string) []sim.Header {
	return header("Authorization", values...)
}

// header returns a function that makes header lines of one name; TOKEN and
// OTHER in a value stand for the two tokens.
func header(name string, values ...string) func(token, other string) []sim.Header {
	return func(token, other string) []sim.Header {
		fill := strings.NewReplacer("TOKEN", token, "OTHER", other)
		var lines []sim.Header
		for _, v := range values {
			lines = append(lines, sim.Header{Name: name, Value: fill.Replace(v)})
		}
		return lines
	}
}

// withToken returns the letter with another text in the token's place.
func withToken(r sim.Request, text string) sim.Request {
	r = tokenless(r)
	for i, h := range r.Headers {
		if h.Name == "Sec-WebSocket-Protocol" {
			r.Headers[i].Value = h.Value + ", " + protocol.TokenProtocol + text
			return r
		}
	}
	return r.With("Authorization", "Bearer "+text)
}

// another returns a token of the same length of which no character is the same.
func another(token string) string {
	return strings.Map(func(c rune) rune {
		if c == 'A' {
			return 'B'
		}
		return 'A'
	}, token)
}

// recased returns the text with the case of its first letter changed.
func recased(s string) string {
	i := strings.IndexFunc(s, unicode.IsLetter)
	if i < 0 {
		return s
	}
	c := s[i : i+1]
	if flipped := strings.ToUpper(c); flipped != c {
		return s[:i] + flipped + s[i+1:]
	}
	return s[:i] + strings.ToLower(c) + s[i+1:]
}
