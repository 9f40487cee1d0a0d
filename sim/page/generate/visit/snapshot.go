package visit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// parse reads the text of a snapshot: - role "name" [state ref=e5]: value.
func parse(text string) ([]line, error) {
	var lines []line
	if text == "" {
		return nil, nil
	}
	for s := range strings.SplitSeq(text, "\n") {
		l, err := parseLine(s)
		if err != nil {
			return nil, fmt.Errorf("read snapshot line %q: %w", s, err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

func parseLine(s string) (line, error) {
	var l line
	bare := strings.TrimLeft(s, " ")
	l.depth = (len(s) - len(bare)) / 2
	rest, ok := strings.CutPrefix(bare, "- ")
	if !ok {
		return l, errors.New("it does not begin with a dash")
	}
	end := strings.IndexAny(rest, " :")
	if end < 0 {
		l.Role = rest
		return l, nil
	}
	l.Role, rest = rest[:end], rest[end:]
	if strings.HasPrefix(rest, ` "`) {
		quoted, err := strconv.QuotedPrefix(rest[1:])
		if err != nil {
			return l, fmt.Errorf("read name: %w", err)
		}
		if l.Name, err = strconv.Unquote(quoted); err != nil {
			return l, fmt.Errorf("read name: %w", err)
		}
		rest = rest[1+len(quoted):]
	}
	if strings.HasPrefix(rest, " [") {
		states, after, ok := strings.Cut(rest[2:], "]")
		if !ok {
			return l, errors.New("its states have no end")
		}
		rest = after
		for word := range strings.FieldsSeq(states) {
			if ref, ok := strings.CutPrefix(word, "ref="); ok {
				l.ref = "@" + ref
			} else {
				l.States = append(l.States, word)
			}
		}
	}
	switch value, ok := strings.CutPrefix(rest, ": "); {
	case ok:
		l.Value = value
	case rest != "":
		return l, fmt.Errorf("nothing is known of %q", rest)
	}
	return l, nil
}

// outer is the element that an HTML text begins with.
func outer(text string) element {
	var e element
	t := html.NewTokenizer(strings.NewReader(text))
	if kind := t.Next(); kind != html.StartTagToken && kind != html.SelfClosingTagToken {
		return e
	}
	name, more := t.TagName()
	e.tag = string(name)
	for more {
		var key, value []byte
		key, value, more = t.TagAttr()
		if string(key) == "id" && e.id == "" {
			e.id = string(value)
		}
	}
	return e
}

// element is what tells an element of the page from others.
type element struct{ id, tag string }
