package steps

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
)

// Parts of expressions: the name of a command, one or several of them, and a
// text in quotes with the escapes of JSON, which a request repeats as they are.
const (
	oneName  = `it|[A-Z][0-9]*`
	allNames = `it|[A-Z][0-9]*(?:(?:, [A-Z][0-9]*)* and [A-Z][0-9]*)?`
	quoted   = words.Quoted
)

type sentences = words.Sentences

// The words that all roles share, under the names that they have here.
var (
	quotedText  = words.QuotedText
	duration    = words.Duration
	several     = words.Several
	sessionName = words.Session
	sessionList = words.Sessions
)

// phrase is the expression of a command as the sentences describe one. It names
// the actions, so that no other sentence is taken for a command.
var phrase = `(an? (?:` + strings.Join(words.Actions(), "|") + `)(?: [A-Z][0-9]*)?` +
	`(?: of session ` + quoted + `| of no session)?` +
	`(?: to Chrome| to Firefox| naming no browser)?` +
	`(?:(?: with| and)(?: the id ` + quoted + `| the timeout \S+| the timeout_ms «.*?»| the args \{.*\}|out an id|out a timeout))*)`

// spec is a command as a phrase describes it. Session, id and timeout are JSON
// as it is to stand in the request, empty for a member that is left out.
type spec struct {
	action, name string
	session      string
	browser      string
	id           string
	timeout      string
	args         string
	// says which members the phrase itself decided.
	saysBrowser, saysID bool
}

var (
	headOf    = regexp.MustCompile(`^an? ([a-z_]+)(?: ([A-Z][0-9]*))?`)
	clausesOf = []struct {
		shape *regexp.Regexp
		set   func(*spec, string) error
	}{
		{regexp.MustCompile(`^ of session (` + quoted + `)`), func(s *spec, v string) error { s.session = v; return nil }},
		{regexp.MustCompile(`^ of no session()`), func(s *spec, _ string) error { s.session = ""; return nil }},
		{regexp.MustCompile(`^ to (Chrome|Firefox)`), func(s *spec, v string) error {
			s.browser, s.saysBrowser = strconv.Quote(string(browserNamed(v))), true
			return nil
		}},
		{regexp.MustCompile(`^ naming no browser()`), func(s *spec, _ string) error { s.browser, s.saysBrowser = "", true; return nil }},
		{regexp.MustCompile(`^ (?:with|and) the id (` + quoted + `)`), func(s *spec, v string) error { s.id, s.saysID = v, true; return nil }},
		{regexp.MustCompile(`^ (?:with|and)out an id()`), func(s *spec, _ string) error { s.id, s.saysID = "", true; return nil }},
		{regexp.MustCompile(`^ (?:with|and) the timeout_ms «(.*?)»`), func(s *spec, v string) error { s.timeout = v; return nil }},
		{regexp.MustCompile(`^ (?:with|and)out a timeout()`), func(s *spec, _ string) error { s.timeout = ""; return nil }},
		{regexp.MustCompile(`^ (?:with|and) the timeout (\S+)`), func(s *spec, v string) error {
			d, err := duration(v)
			s.timeout = strconv.FormatInt(d.Milliseconds(), 10)
			return err
		}},
		{regexp.MustCompile(`^ (?:with|and) the args (\{.*\})`), func(s *spec, v string) error { s.args = v; return nil }},
	}
)

// usualTimeout is what a command says that is about something else, in
// milliseconds: other than the default, and longer than any such scenario.
const usualTimeout = "20000"

// parsePhrase reads the description of a command.
func parsePhrase(text string) (spec, error) {
	s := spec{session: `"shop"`, timeout: usualTimeout}
	head := headOf.FindStringSubmatch(text)
	if head == nil {
		return s, fmt.Errorf("%q describes no command", text)
	}
	s.action, s.name = head[1], head[2]
	rest := text[len(head[0]):]
	for rest != "" {
		before := rest
		for _, c := range clausesOf {
			m := c.shape.FindStringSubmatch(rest)
			if m == nil {
				continue
			}
			if err := c.set(&s, m[1]); err != nil {
				return s, err
			}
			rest = rest[len(m[0]):]
			break
		}
		if rest == before {
			return s, fmt.Errorf("of the command %q nobody knows what %q means", text, rest)
		}
	}
	return s, nil
}

// body returns the command as the JSON of a request, with the arguments that
// carry its mark unless the phrase gave some.
func (s *spec) body(mark string) string {
	members := []string{`"action":` + strconv.Quote(s.action), `"args":` + s.arguments(mark)}
	for _, m := range []struct{ name, value string }{
		{"session", s.session}, {"browser", s.browser}, {"id", s.id}, {"timeout_ms", s.timeout},
	} {
		if m.value != "" {
			members = append(members, strconv.Quote(m.name)+":"+m.value)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// marked are the arguments of the actions that can carry a mark.
var marked = map[string]string{
	"navigate": `{"url":"https://%s.example/"}`, "open": `{"url":"https://%s.example/"}`, "goto": `{"url":"https://%s.example/"}`,
	"snapshot": `{"selector":"#%s"}`, "screenshot": `{"selector":"#%s"}`,
	"click": `{"selector":"#%s"}`, "dblclick": `{"selector":"#%s"}`, "hover": `{"selector":"#%s"}`, "focus": `{"selector":"#%s"}`,
	"type": `{"selector":"#%s","text":"x"}`, "fill": `{"selector":"#%s","text":"x"}`,
	"evaluate": `{"code":"%s"}`, "wait": `{"selector":"#%s"}`,
	"dialog": `{"accept":true,"text":"%s"}`,
	"cdp":    `{"method":"Page.enable","params":{"mark":"%s"}}`,
}

func (s *spec) arguments(mark string) string {
	switch shape, ok := marked[s.action]; {
	case s.args != "":
		return s.args
	case ok:
		return fmt.Sprintf(shape, mark)
	}
	return "{}"
}
