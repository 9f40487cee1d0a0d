package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// membersText writes an object: a member a line, text that has lines of its own
// below its name, lists an item a line. Names come in the order of the answer.
// What the caller shows itself is left out.
func membersText(b *strings.Builder, data json.RawMessage, not ...string) error {
	list, err := membersOf(data)
	if err != nil {
		return err
	}
	for _, m := range list {
		if !slices.Contains(not, m.name) {
			m.write(b)
		}
	}
	return nil
}

// member is one member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

func membersOf(object json.RawMessage) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("it is no object")
	}
	var out []member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: fmt.Sprint(name)}
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	return out, nil
}

func (m member) write(b *strings.Builder) {
	if m.name == "base64" {
		fmt.Fprintf(b, "base64: %d characters; --json prints them, path=FILE writes a file\n", len(m.value)-2)
		return
	}
	var items []json.RawMessage
	if m.value[0] == '[' && json.Unmarshal(m.value, &items) == nil {
		fmt.Fprintf(b, "%s: %d\n", m.name, len(items))
		for _, item := range items {
			fmt.Fprintf(b, "  - %s\n", strings.ReplaceAll(plain(item), "\n", "\n    "))
		}
		return
	}
	text := plain(m.value)
	if strings.Contains(text, "\n") {
		fmt.Fprintf(b, "%s:\n%s\n", m.name, strings.TrimSuffix(text, "\n"))
		return
	}
	fmt.Fprintf(b, "%s: %s\n", m.name, text)
}

// plain returns a string as it is, an object as name=value words, anything else
// as JSON.
func plain(v json.RawMessage) string {
	var s string
	if v[0] == '"' && json.Unmarshal(v, &s) == nil {
		return s
	}
	if v[0] == '{' {
		if list, err := membersOf(v); err == nil && len(list) > 0 {
			words := make([]string, len(list))
			for i, m := range list {
				words[i] = m.name + "=" + plain(m.value)
			}
			return strings.Join(words, " ")
		}
	}
	return asJSON(v)
}

// asJSON returns the value as JSON on one line.
func asJSON(v json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return string(v)
	}
	return b.String()
}
