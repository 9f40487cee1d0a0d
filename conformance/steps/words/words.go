// Package words reads the words that the sentences of every role share:
// durations, sessions, lists of names, actions and browsers.
package words

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Quoted is the expression of a text in quotes with the escapes of JSON, and
// QuotedText finds them.
const Quoted = `"(?:[^"\\]|\\.)*"`

// QuotedText finds the texts in quotes.
var QuotedText = regexp.MustCompile(Quoted)

// Actions returns the names of all actions and their aliases, the longest
// first, since an expression takes the first that matches.
func Actions() []string {
	var names []string
	for _, a := range protocol.Actions() {
		names = append(append(names, a.Name), a.Aliases...)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	return names
}

// Duration reads 29.999999999s, 4m 59s, 2 seconds, 5 minutes, 1 minute.
func Duration(text string) (time.Duration, error) {
	short := strings.NewReplacer(
		" minutes", "m", " minute", "m", " seconds", "s", " second", "s", " milliseconds", "ms", " millisecond", "ms",
	).Replace(text)
	d, err := time.ParseDuration(strings.ReplaceAll(short, " ", ""))
	if err != nil {
		return 0, fmt.Errorf("%q is no duration", text)
	}
	return d, nil
}

// Several returns the names of a list as "A, B and C".
func Several(who string) []string {
	return strings.Split(strings.ReplaceAll(who, " and ", ", "), ", ")
}

// Session reads a session's name as it stands in JSON; an empty text is the
// default session.
func Session(raw string) (string, error) {
	if raw == "" {
		return protocol.DefaultSession, nil
	}
	var name string
	if err := json.Unmarshal([]byte(raw), &name); err != nil {
		return "", fmt.Errorf("%s is no session's name: %w", raw, err)
	}
	return name, nil
}

// Sessions returns the names of `no session`, `the session "a"` or `the
// sessions "a" and "b"`.
func Sessions(text string) ([]string, error) {
	if text == "no session" {
		return nil, nil
	}
	var names []string
	for _, q := range QuotedText.FindAllString(text, -1) {
		name, err := Session(q)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%q names no session", text)
	}
	return names, nil
}
