package page

import (
	"strconv"
	"strings"
	"time"
)

// The simulated browser runs no script, but a page whose handlers are made of these
// few calls does in it what it does in a real browser.
var (
	str     = `(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")`
	elem    = `(this|this\.form|(?:document\.)?(?:getElementById|querySelector)\(` + str + `\))`
	calls   = expression(`^(?:return\s+)?(?:window\.)?(alert|confirm|prompt|open)\(\s*(?:` + str + `\s*(?:,\s*` + str + `[^)]*)?)?\)$`)
	logs    = expression(`^console\.(debug|log|info|warn|error)\(\s*` + str + `\s*\)$`)
	goes    = expression(`^(?:window\.|document\.)?location(?:\.href)?\s*=\s*` + str + `$|^(?:window\.)?location\.(?:assign|replace)\(\s*` + str + `\s*\)$`)
	titles  = expression(`^document\.title\s*=\s*` + str + `$`)
	sets    = expression(`^` + elem + `\.(hidden|disabled|checked|open|textContent|innerText|innerHTML|value|style\.display)\s*=\s*(?:(true|false)|` + str + `)$`)
	does    = expression(`^` + elem + `\.(remove|click|focus|submit|requestSubmit|reset|showModal|show|close)\(\)$`)
	timers  = expression(`^(?:window\.)?setTimeout\(\s*(?:\(\)\s*=>\s*|function\s*\(\)\s*)\{?\s*(.*?)\s*;?\s*\}?\s*,\s*([0-9]+)\s*\)$`)
	guarded = expression(`^if\s*\(\s*!\s*(confirm\(.*\))\s*\)\s*(?:\{\s*)?(?:return(?:\s+false)?|(?:event|e)\.preventDefault\(\))\s*;?\s*\}?$`)
)

// deedsOf reads the code of an event handler; what it cannot read is a deed that
// says so in the console.
func deedsOf(code string) []deed {
	var all []deed
	for _, statement := range statements(code) {
		all = append(all, deedOf(statement))
	}
	return all
}

// statements parts code at its semicolons and newlines, outside of strings and
// brackets.
func statements(code string) []string {
	var all []string
	var quote byte
	depth, from := 0, 0
	cut := func(to int) {
		if s := strings.TrimSpace(code[from:to]); s != "" {
			all = append(all, s)
		}
		from = to + 1
	}
	for i := 0; i < len(code); i++ {
		switch ch := code[i]; {
		case quote != 0:
			if ch == '\\' {
				i++
			} else if ch == quote {
				quote = 0
			}
		case ch == '\'' || ch == '"' || ch == '`':
			quote = ch
		case ch == '(' || ch == '{' || ch == '[':
			depth++
		case ch == ')' || ch == '}' || ch == ']':
			depth--
		case depth == 0 && (ch == ';' || ch == '\n'):
			cut(i)
		}
	}
	cut(len(code))
	return all
}

func deedOf(s string) deed {
	switch s {
	case "return false", "event.preventDefault()", "e.preventDefault()":
		return deed{what: "prevent"}
	case "return", "return true":
		return deed{what: "return"}
	case "history.back()", "window.history.back()":
		return deed{what: "back"}
	case "location.reload()", "window.location.reload()":
		return deed{what: "reload"}
	}
	if m := guarded().FindStringSubmatch(s); m != nil {
		return deedOf(m[1])
	}
	if m := calls().FindStringSubmatch(s); m != nil {
		text, preset := either(m[2], m[3]), either(m[4], m[5])
		if m[1] == "open" {
			return deed{what: "open", text: text}
		}
		return deed{what: "dialog " + m[1], text: text, preset: preset}
	}
	if m := logs().FindStringSubmatch(s); m != nil {
		return deed{what: "console " + m[1], text: either(m[2], m[3])}
	}
	if m := goes().FindStringSubmatch(s); m != nil {
		return deed{what: "navigate", text: either(either(m[1], m[2]), either(m[3], m[4]))}
	}
	if m := titles().FindStringSubmatch(s); m != nil {
		return deed{what: "title", text: either(m[1], m[2])}
	}
	if m := timers().FindStringSubmatch(s); m != nil {
		if later := deedOf(strings.TrimSpace(m[1])); !strings.HasPrefix(later.what, "dialog ") {
			ms, _ := strconv.Atoi(m[2])
			later.after = time.Duration(ms) * time.Millisecond
			return later
		}
	}
	if m := does().FindStringSubmatch(s); m != nil {
		what := m[4]
		if what == "show" {
			what = "showDialog"
		}
		return deed{what: what, on: on(m)}
	}
	if m := sets().FindStringSubmatch(s); m != nil {
		return setting(m)
	}
	return deed{what: "unknown", text: s}
}

// setting is the deed of an assignment to a property.
func setting(m []string) deed {
	d := deed{on: on(m), text: either(m[6], m[7])}
	yes := m[5] == "true"
	switch m[4] {
	case "hidden":
		d.what = choice(yes, "hide", "show")
	case "disabled":
		d.what = choice(yes, "disable", "enable")
	case "checked":
		d.what = choice(yes, "check", "uncheck")
	case "open":
		d.what = choice(yes, "showDialog", "close")
	case "innerHTML":
		d.what = "html"
	case "value":
		d.what = "value"
	case "style.display":
		d.what = "display"
	default:
		d.what = "text"
	}
	return d
}

// on is the element of a match of elem.
func on(m []string) *target {
	switch {
	case m[1] == "this":
		return nil
	case m[1] == "this.form":
		return &target{form: true}
	case strings.Contains(m[1], "getElementById"):
		return &target{css: `[id="` + strings.ReplaceAll(either(m[2], m[3]), `"`, `\"`) + `"]`}
	}
	return &target{css: either(m[2], m[3])}
}

func choice(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// either is the string literal that matched, without its escapes.
func either(a, b string) string {
	if a == "" {
		a = b
	}
	if !strings.Contains(a, `\`) {
		return a
	}
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`, `\'`, "'", `\"`, `"`, "\\`", "`").Replace(a)
}
