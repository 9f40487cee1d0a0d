package sequence

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/sim/diagram"
)

var (
	asks    = regexp.MustCompile(`^([A-Z]{3,7}) (\S+)`)
	answers = regexp.MustCompile(`^(?:HTTP/1\.[01] )?([1-5][0-9]{2})(?: |\r?\n|$)`)
	// closes is a close frame as actors record it: its code, 0 if it has none,
	// and its reason.
	closes = regexp.MustCompile(`^(0|[1-4][0-9]{3})(?: (.*))?$`)
	opens  = regexp.MustCompile(`^(?:chrome|moz)-extension://`)
	// longValue is a value in a query that nobody reads.
	longValue = regexp.MustCompile(`([?&][^=&]+=)[^&]{13,}`)
)

// isHTTP reports whether a text is a request or an answer.
func isHTTP(text string) bool { return asks.MatchString(text) || answers.MatchString(text) }

// message says what a line that was sent or received is.
func (r *reader) message(e *event, l world.Line) {
	switch text := l.Text; {
	case strings.HasPrefix(text, "{"):
		r.frame(e, text)
	case answers.MatchString(text):
		r.answer(e, text)
	case closes.MatchString(strings.TrimSpace(text)):
		m := closes.FindStringSubmatch(strings.TrimSpace(text))
		e.Label = strings.TrimSpace("close " + m[1] + " " + m[2])
		if m[1] == "0" || m[1] == "1005" {
			e.Label = "close"
		}
	case opens.MatchString(text):
		e.Label = "connects"
	case asks.MatchString(text):
		r.ask(e, text)
	case l.Dir == "<" && isBrowser(l.Actor):
		// What a browser receives and is no frame is the end of its connection.
		e.Kind, e.Label = diagram.Drop, "ended: "+firstLine(text)
	}
}

// remark says what a line is that nobody sent: an answer that did not come is
// the end of its connection.
func (r *reader) remark(e *event, l world.Line) {
	if l.Actor == daemon {
		if strings.HasPrefix(l.Text, "connection ") && strings.Contains(l.Text, " ended") {
			e.Kind, e.To = diagram.Drop, r.peer(daemon, "")
		}
		return
	}
	for _, sign := range []string{"got no answer", "no answer", " failed: "} {
		if strings.Contains(l.Text, sign) {
			e.Kind, e.To = diagram.Drop, daemon
			return
		}
	}
}

// fields are the members of a message that a label speaks of.
type fields struct {
	Type    string `json:"type"`
	ID      string `json:"id"`
	Action  string `json:"action"`
	Session string `json:"session"`
	Browser string `json:"browser"`
	Event   string `json:"event"`
	Reason  string `json:"reason"`
	Args    struct {
		Ref      any    `json:"ref"`
		Selector string `json:"selector"`
		URL      string `json:"url"`
	} `json:"args"`
	OK    *bool           `json:"ok"`
	Error json.RawMessage `json:"error"`
}

var member = regexp.MustCompile(`"(type|id|action|session|browser|event|code)"\s*:\s*"((?:[^"\\]|\\.)*)"`)

// read reads them from a message, also from one that was cut and is no JSON any
// more. A member deep inside such a one may be taken for one at its top.
func (f *fields) read(text string) {
	if json.Unmarshal([]byte(text), f) == nil {
		return
	}
	*f = fields{}
	for _, m := range member.FindAllStringSubmatch(text, -1) {
		to := map[string]*string{"type": &f.Type, "id": &f.ID, "action": &f.Action, "session": &f.Session, "browser": &f.Browser, "event": &f.Event}[m[1]]
		if to != nil && *to == "" {
			*to = m[2]
		}
	}
	if strings.Contains(text, `"ok":true`) {
		yes := true
		f.OK = &yes
	}
}

// outcome says in a word how it came out, "" if the message does not say.
func (f *fields) outcome() string {
	var e struct {
		Code string `json:"code"`
	}
	if len(f.Error) > 0 && json.Unmarshal(f.Error, &e) == nil && e.Code != "" {
		return e.Code
	}
	switch {
	case f.OK == nil:
		return ""
	case *f.OK:
		return "ok"
	}
	return "failed"
}

// object says what a command acts on.
func (f *fields) object() string {
	if ref, ok := f.Args.Ref.(string); ok {
		return ref
	}
	return words(f.Args.Selector, f.Args.URL)
}

// frame says what a WebSocket message is. Results are told by their ids what
// they answer.
func (r *reader) frame(e *event, text string) {
	var f fields
	f.read(text)
	parts := []string{f.Type}
	switch f.Type {
	case "":
		return
	case "hello":
		parts = append(parts, f.Browser)
	case "command", "request":
		parts = append(parts, r.name(f.ID), f.Action, f.object(), in(f.Session))
		r.asked(e.To, request{f.ID, f.Action})
	case "result":
		q, known := r.answered(e.From, f.ID)
		parts = append(parts, r.name(f.ID), f.outcome())
		if known {
			parts = append(parts, to(q.label))
		}
	case "event":
		parts = append(parts, f.Event)
	default:
		parts = append(parts, f.Reason)
	}
	e.Label = words(parts...)
}

// ask says what an HTTP request is.
func (r *reader) ask(e *event, text string) {
	m := asks.FindStringSubmatch(text)
	target := longValue.ReplaceAllString(m[2], "${1}…")
	label := words(m[1], target)
	var f fields
	if body := strings.IndexByte(text, '{'); body >= 0 {
		f.read(text[body:])
	}
	if f.Action != "" {
		// That a command is posted goes without saying.
		label = words(target, f.Action)
	}
	r.asked(e.To+" "+e.From, request{f.ID, strings.TrimPrefix(label, "/command ")})
	e.Label = words(label, r.name(f.ID), in(f.Session))
}

// answer says what an HTTP answer is, and to what where that is certain: it
// names the request's id, or there is one request alone that has none yet.
func (r *reader) answer(e *event, text string) {
	var f fields
	if body := strings.IndexByte(text, '{'); body >= 0 {
		f.read(text[body:])
	}
	q, known := r.answered(e.From+" "+e.To, f.ID)
	label := ""
	if known {
		label = to(q.label)
	}
	e.Label = words(answers.FindStringSubmatch(text)[1], f.outcome(), r.name(f.ID), label)
}

// asked keeps a request until it is answered. by names who is to answer whom.
func (r *reader) asked(by string, q request) { r.waiting[by] = append(r.waiting[by], q) }

// answered takes the request that an answer with that id is for. One without an
// id is for the only request that waits.
func (r *reader) answered(by, id string) (request, bool) {
	waiting := r.waiting[by]
	for i, q := range waiting {
		if id != "" && q.id == id || id == "" && len(waiting) == 1 {
			r.waiting[by] = append(append([]request{}, waiting[:i]...), waiting[i+1:]...)
			return q, true
		}
	}
	if id != "" && len(waiting) == 1 && waiting[0].id == "" {
		r.waiting[by] = nil
		return waiting[0], true
	}
	return request{}, false
}

// longest is the longest id that a label holds; longer ones get a number.
const longest = 8

// name returns what a label calls an id.
func (r *reader) name(id string) string {
	if len(id) <= longest {
		return id
	}
	if r.short[id] == "" {
		r.short[id] = fmt.Sprintf("#%d", len(r.short)+1)
	}
	return r.short[id]
}

func in(session string) string {
	if session == "" {
		return ""
	}
	return "(" + session + ")"
}

func to(label string) string {
	if label == "" {
		return ""
	}
	return "to " + label
}

// words joins what is not empty.
func words(all ...string) string {
	var some []string
	for _, s := range all {
		if s != "" {
			some = append(some, s)
		}
	}
	return strings.Join(some, " ")
}

func plural(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
