package tape

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word of a line: a value, with a key if it has one.
type word struct {
	key, value string
	named      bool
}

// split takes a line apart into its words and the comment behind them.
func split(line string) (words []word, comment string, err error) {
	for {
		line = strings.TrimLeft(line, " \t")
		switch {
		case line == "":
			return words, comment, nil
		case line[0] == '#':
			return words, uncomment(line), nil
		}
		var w word
		if n := keyLength(line); n > 0 {
			w.named, w.key, line = true, line[:n], line[n+1:]
		}
		if w.value, line, err = value(line); err != nil {
			return nil, "", err
		}
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			return nil, "", errors.New("a blank is missing behind " + strconv.Quote(w.value))
		}
		words = append(words, w)
	}
}

// uncomment returns what a comment says.
func uncomment(line string) string {
	return oneLine(strings.TrimPrefix(line[1:], " "))
}

// keyLength returns how long the key is that the line begins with, 0 if it
// begins with none: a small letter, then letters, digits and - _ up to a =.
func keyLength(line string) int {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c >= 'a' && c <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c == '_' || c == '-'):
		case i > 0 && c == '=':
			return i
		default:
			return 0
		}
	}
	return 0
}

// value takes the value from the front of line: a quoted text, a JSON object or
// array, or whatever stands there up to the next blank.
func value(line string) (v, rest string, err error) {
	switch {
	case line == "":
		return "", "", nil
	case line[0] == '"':
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", errors.New("a quoted text has no end, or an escape that does not exist")
		}
		v, err := strconv.Unquote(quoted)
		return v, line[len(quoted):], err
	case line[0] == '{' || line[0] == '[':
		n := jsonLength(line)
		if n == 0 {
			return "", "", errors.New("a JSON value has no end in this line; put it in a file below the script")
		}
		return line[:n], line[n:], nil
	}
	n := strings.IndexAny(line, " \t")
	if n < 0 {
		n = len(line)
	}
	if strings.Contains(line[:n], `"`) {
		return "", "", errors.New(`a " stands inside a word; write the whole value as "…"`)
	}
	return line[:n], line[n:], nil
}

// jsonLength returns how long the JSON object or array is that s begins with, by
// its brackets alone; 0 if it does not end.
func jsonLength(s string) int {
	depth, inside := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// text returns the word as it is written.
func (w word) text() string {
	v := w.value
	if w.named {
		return w.key + "=" + quote(v)
	}
	if v == "" || v[0] == '#' || keyLength(v) > 0 {
		return strconv.Quote(v)
	}
	return quote(v)
}

// quote returns v as value reads it.
func quote(v string) string {
	if !printable(v) {
		return strconv.Quote(v)
	}
	if v != "" && (v[0] == '{' || v[0] == '[') {
		if jsonLength(v) == len(v) {
			return v
		}
		return strconv.Quote(v)
	}
	if v == "" || strings.ContainsAny(v, " \"") {
		return strconv.Quote(v)
	}
	return v
}

// printable reports whether v can stand in a line as it is.
func printable(v string) bool {
	return utf8.ValidString(v) && !strings.ContainsFunc(v, func(r rune) bool { return !unicode.IsPrint(r) || unicode.Is(unicode.Bidi_Control, r) })
}
