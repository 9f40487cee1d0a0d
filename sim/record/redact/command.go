package redact

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// LearnArgs learns the secrets of a command's arguments, and LearnData those of
// its result. The action is its name, no alias.
func (s *Secrets) LearnArgs(action string, args []byte) { s.learnFrom(action, ofArgs, args) }

// LearnData is described at LearnArgs.
func (s *Secrets) LearnData(action string, data []byte) { s.learnFrom(action, ofData, data) }

func (s *Secrets) learnFrom(action string, rules map[string][]rule, v []byte) {
	walk(v, func(where []string, name bool, raw jsontext.Value) jsontext.Value {
		if !name && raw.Kind() == '"' && fateOf(action, rules, where) == secret {
			s.Learn(unquote(raw))
		}
		return nil
	})
}

// Args returns a command's arguments without secrets; what is no JSON is treated
// as text.
func (s *Secrets) Args(action string, args []byte) []byte { return s.without(action, ofArgs, args) }

// Data is Args for the data of a result.
func (s *Secrets) Data(action string, data []byte) []byte { return s.without(action, ofData, data) }

// JSON is Args for JSON of no action.
func (s *Secrets) JSON(v []byte) []byte { return s.without("", nil, v) }

func (s *Secrets) without(action string, rules map[string][]rule, v []byte) []byte {
	s.settle()
	out, ok := walk(v, func(where []string, name bool, raw jsontext.Value) jsontext.Value {
		switch {
		case raw.Kind() == '0':
			return s.number(where, raw)
		case raw.Kind() != '"':
			return nil
		case name:
			return s.string(raw)
		}
		switch text := unquote(raw); fateOf(action, rules, where) {
		case secret:
			if place, known := s.places[text]; known {
				return quote(place)
			}
			// It was not learned, so nothing else stands for it either.
			return quote(strings.Repeat("x", len(text)))
		case character:
			if isCharacter(text) {
				return quote("x")
			}
			return s.string(raw)
		case file:
			return quote("/" + path.Base(strings.ReplaceAll(s.Text(text), `\`, "/")))
		case bulk:
			return quote(strings.Repeat("x", len(text)))
		}
		return s.string(raw)
	})
	if !ok {
		return []byte(s.Text(blank(v)))
	}
	return out
}

// token is a word in what is no JSON.
var token = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\pL\pN_]+`) })

// blank replaces every word that is none of the protocol: where nothing has a
// form, nothing can be told to be harmless.
func blank(v []byte) string {
	return token().ReplaceAllStringFunc(strings.ToValidUTF8(string(v), "\uFFFD"), func(w string) string {
		if words()[w] {
			return w
		}
		return strings.Repeat("x", len(w))
	})
}

// LearnCommand learns the secrets of a whole command, the body of POST /command
// or a request frame, as far as it is JSON.
func (s *Secrets) LearnCommand(body []byte) {
	action := actionOf(body)
	walk(body, func(where []string, name bool, raw jsontext.Value) jsontext.Value {
		if !name && raw.Kind() == '"' && len(where) > 1 && where[0] == "args" && fateOf(action, ofArgs, where[1:]) == secret {
			s.Learn(unquote(raw))
		}
		return nil
	})
}

// Command returns a whole command without secrets. Of what is no JSON only the
// punctuation and the words of the protocol are left.
func (s *Secrets) Command(body []byte) []byte {
	from, to, ok := member(body, "args")
	if !ok {
		return s.JSON(body)
	}
	out := append([]byte{}, body[:from]...)
	out = append(out, s.Args(actionOf(body), body[from:to])...)
	return s.JSON(append(out, body[to:]...))
}

// actionOf returns the name of the action that a command names, "" if none.
func actionOf(body []byte) string {
	from, to, ok := member(body, "action")
	if !ok || body[from] != '"' {
		return ""
	}
	if a, ok := protocol.LookupAction(unquote(body[from:to])); ok {
		return a.Name
	}
	return ""
}

// string returns a string without secrets; nil if it holds none, so that it
// stays byte for byte.
func (s *Secrets) string(raw jsontext.Value) jsontext.Value {
	text := unquote(raw)
	if words()[text] {
		return nil
	}
	if clean := s.Text(text); clean != text {
		return quote(clean)
	}
	return nil
}

// number does the same for a number. What the protocol itself counts is no
// secret.
func (s *Secrets) number(where []string, raw jsontext.Value) jsontext.Value {
	if len(where) > 0 && words()[where[len(where)-1]] || !s.holds(string(raw)) {
		return nil
	}
	for digit := '1'; digit <= '9'; digit++ {
		if n := strings.Repeat(string(digit), len(raw)); !s.holds(n) {
			return jsontext.Value(n)
		}
	}
	return jsontext.Value("0")
}

// words are the words of the protocol. Whoever types one of them gives nothing
// away where it stands as what it is. They are collected when a tape is made, and
// not whenever the program starts.
var words = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	add := func(words ...string) {
		for _, w := range words {
			all[w] = true
		}
	}
	add("action", "args", "session", "browser", "id", "timeout_ms", "type", "data", "error", "code", "message", "delivered",
		"ok", "deadline_ms", "link", "event", "reason", "dialog", "request", "result", "command", "hello", "welcome", "ping",
		"pong", "cdp", "daemon_version", "browser_version", "extension_version", "file_access", "sessions", "limits",
		"artifact_read", "artifact_close", "artifact", "bytes", "base64", "offset", "length", "no", "unknown",
		"alert", "confirm", "prompt", "beforeunload", "complete", "in_progress", "interrupted", "warn", "info", "debug",
		"tabs", "tab", "url", "title", "status", "text", "nodes", "truncated", "width", "height", "format", "closed",
		"released", "waited_ms", "scrolled", "at_boundary", "selected", "checked", "value", "values", "cookies", "name",
		"entries", "records", "next", "downloads", "frame", "names", "items", "rules", "current", "active", "borrowed", "window")
	for _, c := range protocol.Codes {
		add(string(c))
	}
	for _, a := range protocol.Actions() {
		add(a.Name)
		add(a.Aliases...)
		for _, arg := range a.Arguments() {
			add(arg.Name)
			add(arg.Enum...)
		}
	}
	return all
})
