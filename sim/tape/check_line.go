package tape

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// check checks a line by itself.
func (l *Line) check(v *Verb, wrong *faults) {
	for i, p := range v.Words {
		switch {
		case i < len(l.Words):
			if err := p.Kind.check(l.Words[i]); err != nil {
				wrong.add(l.N, "%s: %s %s", v.Name, p.Name, err)
			}
		case !p.Optional:
			wrong.add(l.N, "%s: %s is missing; write it as: %s", v.Name, p.Name, v.Usage())
		}
	}
	if len(l.Words) > len(v.Words) {
		wrong.add(l.N, "%s: %q is one word too many; write it as: %s", v.Name, l.Words[len(v.Words)], v.Usage())
	}
	l.checkArgs(v, wrong)
	if v.Reply {
		l.checkReply(v, wrong)
	}
	switch v.Name {
	case "send":
		l.checkSend(wrong)
	case "expect":
		l.checkExpect(wrong)
	}
	if v.Action {
		l.checkDo(wrong)
	}
}

func (l *Line) checkArgs(v *Verb, wrong *faults) {
	seen := map[string]bool{}
	for _, a := range l.Args {
		p := v.arg(a.Key)
		if seen[a.Key] && (p == nil || !p.Repeats) {
			wrong.add(l.N, "%s: %s= stands there twice", v.Name, a.Key)
			continue
		}
		seen[a.Key] = true
		switch {
		case p != nil:
			if err := p.Kind.check(a.Value); err != nil {
				wrong.add(l.N, "%s: %s= %s", v.Name, a.Key, err)
			}
		case v.Action:
			// checkDo knows what the action takes.
		case a.Key == at.Name || a.Key == within.Name || a.Key == took.Name:
			wrong.add(l.N, "%s= belongs to what is expected, and %s expects nothing; let time pass with a line such as +7s", a.Key, v.Name)
		default:
			wrong.add(l.N, "%s takes no %s=%s", v.Name, a.Key, takes(v, a.Key))
		}
	}
	for _, p := range v.Args {
		if p.Required && !seen[p.Name] {
			wrong.add(l.N, "%s: %s= is missing; write it as: %s", v.Name, p.Name, v.Usage())
		}
	}
}

// takes says what a verb takes in place of a key that it does not.
func takes(v *Verb, key string) string {
	var keys []string
	for _, p := range v.Args {
		keys = append(keys, p.Name)
	}
	if len(keys) == 0 {
		return ", nor anything of the kind"
	}
	return nearest(key, keys) + "; it takes " + orList(keys)
}

// checkReply checks that a reply says one thing.
func (l *Line) checkReply(v *Verb, wrong *faults) {
	var said []string
	if l.Word(1) == "ok" {
		said = append(said, "ok")
	}
	for _, key := range []string{"error", "data", "file"} {
		if _, ok := l.Arg(key); ok {
			said = append(said, key+"=")
		}
	}
	if len(said) != 1 {
		wrong.add(l.N, "%s says one of ok, error=, data= and file=, not %s", v.Name, count(said))
	}
	if _, ok := l.Arg("message"); ok && !slices.Contains(said, "error=") {
		wrong.add(l.N, "%s: message= belongs to error=", v.Name)
	}
}

func count(said []string) string {
	if len(said) == 0 {
		return "none of them"
	}
	return strings.Join(said, " and ")
}

func (l *Line) checkSend(wrong *faults) {
	_, bytes := l.Arg("bytes")
	if bytes && len(l.Words) > 3 {
		wrong.add(l.N, "send: a body of its own and bytes= exclude each other")
	}
	for _, a := range l.Args {
		if name, _, ok := strings.Cut(a.Value, ":"); a.Key == "header" && (!ok || name == "" || strings.ContainsAny(a.Value, "\r\n")) {
			wrong.add(l.N, `send: header= is a line such as "Name: value", not %q`, a.Value)
		}
	}
}

// checkExpect checks that an expectation does not contradict itself.
func (l *Line) checkExpect(wrong *faults) {
	_, failed := l.Arg("error")
	word := l.Word(1)
	if failed && word != "" {
		wrong.add(l.N, "expect: %s and error= exclude each other", word)
	}
	if _, data := l.Arg("data"); data && failed {
		wrong.add(l.N, "expect: an error has no data=")
	}
	for _, key := range []string{"delivered", "message"} {
		if _, ok := l.Arg(key); ok && word != "" {
			wrong.add(l.N, "expect: %s= belongs to an error, and %s is said", key, word)
		}
	}
	never := []string{"data", "status"}
	switch word {
	case "no-answer":
	case "pending":
		never = append(never, "at", "took", "within")
	default:
		return
	}
	for _, key := range never {
		if _, ok := l.Arg(key); ok {
			wrong.add(l.N, "expect: %s has no %s=", word, key)
		}
	}
}

// checkDo checks the arguments of an action.
func (l *Line) checkDo(wrong *faults) {
	act, ok := protocol.LookupAction(l.Word(1))
	if !ok {
		return
	}
	if d, ok := l.Duration("timeout"); ok && d%1e6 != 0 {
		wrong.add(l.N, "%s: timeout= is whole milliseconds", l.Verb)
	}
	v := Lookup(RoleOf(l.Actor), l.Verb)
	known := act.Arguments()
	for _, a := range l.Args {
		if v.arg(a.Key) != nil {
			continue
		}
		i := slices.IndexFunc(known, func(g protocol.Argument) bool { return g.Name == a.Key })
		if i < 0 {
			var keys []string
			for _, g := range known {
				keys = append(keys, g.Name)
			}
			for _, p := range v.Args {
				keys = append(keys, p.Name)
			}
			wrong.add(l.N, "%s has no argument %s=%s; send it with a body of its own to see what the daemon says", act.Name, a.Key, nearest(a.Key, keys))
		}
	}
}

// ActionArgs returns the arguments of the action that a line of do or ask names, as a
// JSON object: each value by the type that the action's schema gives it, and as
// a text where it has no such form.
func (l *Line) ActionArgs() jsontext.Value {
	act, ok := protocol.LookupAction(l.Word(1))
	v := Lookup(RoleOf(l.Actor), l.Verb)
	if !ok || v == nil {
		return jsontext.Value("{}")
	}
	out := []byte{'{'}
	for _, a := range l.Args {
		if v.arg(a.Key) != nil {
			continue
		}
		var typ protocol.Argument
		for _, g := range act.Arguments() {
			if g.Name == a.Key {
				typ = g
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(appendText(out, a.Key), ':')
		out = append(out, typed(a.Value, typ)...)
	}
	return append(out, '}')
}

// typed returns a value as the JSON that its argument has.
func typed(value string, arg protocol.Argument) []byte {
	j := jsontext.Value(value)
	valid := j.IsValid()
	switch {
	case arg.Type == "array" && (!valid || j.Kind() != '['):
		out := []byte{'['}
		for i, item := range strings.Split(value, ",") {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, typed(item, protocol.Argument{Type: arg.Items})...)
		}
		return append(out, ']')
	case !valid, arg.Type == "string":
		return appendText(nil, value)
	case arg.Type == "any" && j.Kind() == '"':
		return appendText(nil, value)
	}
	return []byte(value)
}

func appendText(dst []byte, s string) []byte {
	out, err := jsontext.AppendQuote(dst, s)
	if err != nil {
		// It is no UTF-8, which the daemon is to judge.
		return append(dst, strconv.Quote(s)...)
	}
	return out
}
