package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// properties is the list of the members that a file's object has.
func (l *library) properties(file string) (string, error) {
	var out strings.Builder
	err := l.list(&out, l.files[file], "")
	return out.String(), err
}

// definitions lists what is exchanged beside commands: the object of each file,
// or those of its $defs that its descriptions name.
func (l *library) definitions(files ...string) (string, error) {
	var out strings.Builder
	for _, file := range files {
		n := l.files[file]
		fmt.Fprintf(&out, "#### %s\n\n%s\n\n", n.text("title"), n.text("description"))
		if !n.has("$defs") {
			if err := l.members(&out, "It holds", n); err != nil {
				return "", err
			}
			continue
		}
		defs := n.child("$defs")
		for _, name := range defs.keys {
			d := defs.child(name)
			heading := anchor("type", name) + "`" + name + "`"
			if text := d.text("description"); text != "" {
				heading += " (" + strings.TrimSuffix(text, ".") + ")"
			}
			if err := l.members(&out, heading, d); err != nil {
				return "", err
			}
		}
	}
	return out.String(), nil
}

// frames lists the frames, those of every connection first.
func (l *library) frames() (string, error) {
	first := []string{"hello", "welcome", "command", "result", "request", "ping", "pong", "event"}
	var rest []string
	for _, file := range slices.Sorted(maps.Keys(l.files)) {
		name, ok := strings.CutPrefix(strings.TrimSuffix(file, ".json"), "frame/")
		if ok && !slices.Contains(first, name) {
			rest = append(rest, name)
		}
	}
	var out strings.Builder
	for _, name := range append(first, rest...) {
		n := l.files["frame/"+name+".json"]
		if n == nil {
			return "", fmt.Errorf("there is no frame %s", name)
		}
		fmt.Fprintf(&out, "#### %s\n\n%s\n\n", name, n.text("description"))
		if err := l.members(&out, "It holds", n); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

// summary is the table of the actions.
func (l *library) summary(all []*protocol.Action) (string, error) {
	var out strings.Builder
	out.WriteString("| action | args | data | |\n|---|---|---|---|\n")
	for _, a := range all {
		defs := l.files["action/"+a.Name+".json"].child("$defs")
		var args []string
		for _, arg := range a.Arguments() {
			mark := "?"
			if arg.Required {
				mark = ""
			}
			args = append(args, arg.Name+mark)
		}
		data := defs.child("data")
		var names []string
		for _, name := range data.child("properties").keys {
			if slices.Contains(data.texts("required"), name) {
				names = append(names, name)
			} else if name != "dialog" {
				names = append(names, name+"?")
			}
		}
		fmt.Fprintf(&out, "| [%s](#action-%s) | %s | %s | %s |\n", a.Name, dashed(a.Name), strings.Join(args, ", "), strings.Join(names, ", "), strings.Join(flags(a), "; "))
	}
	return out.String(), nil
}

// anchor is the place that a link to a type or an action leads to.
func anchor(kind, name string) string {
	return fmt.Sprintf("<a id=\"%s-%s\"></a>\n\n", kind, dashed(name))
}

func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }

// flags says what sets an action apart.
func flags(a *protocol.Action) []string {
	var out []string
	if len(a.Aliases) > 0 {
		out = append(out, "also "+strings.Join(a.Aliases, ", "))
	}
	if a.Reserved {
		out = append(out, "beside the queue")
	}
	if !a.Binds {
		out = append(out, "binds nothing")
	}
	if a.ChromeOnly {
		out = append(out, "Chrome alone")
	}
	if a.Internal {
		out = append(out, "the daemon's own")
	}
	return out
}

// details lists the arguments and the data of each action.
func (l *library) details(all []*protocol.Action) (string, error) {
	var out strings.Builder
	for _, a := range all {
		fmt.Fprintf(&out, "%s#### %s\n\n%s", anchor("action", a.Name), a.Name, a.Summary)
		if f := flags(a); len(f) > 0 {
			fmt.Fprintf(&out, " (%s)", strings.Join(f, "; "))
		}
		out.WriteString("\n\n")
		defs := l.files["action/"+a.Name+".json"].child("$defs")
		for _, part := range []struct{ def, heading string }{
			{"args", "Args"}, {"linkArgs", "Args on the link"}, {"data", "Data"}, {"linkData", "Data on the link"},
		} {
			if !defs.has(part.def) {
				continue
			}
			if err := l.members(&out, part.heading, defs.child(part.def)); err != nil {
				return "", err
			}
		}
	}
	return out.String(), nil
}

// types lists what several schemas share.
func (l *library) types() (string, error) {
	var out strings.Builder
	entry := func(name string, n *node) error {
		words, err := l.words(n)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s#### %s\n\n%s: %s\n\n", anchor("type", name), name, strings.ToUpper(words[:1])+words[1:], n.text("description"))
		if n.has("properties") {
			if err := l.list(&out, n, ""); err != nil {
				return err
			}
			out.WriteString("\n")
		}
		return nil
	}
	defs := l.files["common.json"].child("$defs")
	for _, name := range slices.Sorted(slices.Values(defs.keys)) {
		if n := defs.child(name); n.has("type") || n.has("enum") {
			if err := entry(name, n); err != nil {
				return "", err
			}
		}
	}
	err := entry("error", l.files["http/error.json"])
	return out.String(), err
}
