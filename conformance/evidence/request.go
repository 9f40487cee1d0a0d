package evidence

import (
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// request tells a request that was sent over HTTP: its first line, header lines
// and body, as actors record them.
func (b *teller) request(l world.Line) {
	text := strings.ReplaceAll(l.Text, "\r\n", "\n")
	first, rest, _ := strings.Cut(text, "\n")
	words := strings.Fields(first)
	if len(words) < 2 || strings.ToUpper(words[0]) != words[0] || cut(l.Text) {
		b.comment(fmt.Sprintf("%s sent, and a tape cannot: %s", l.Actor, l.Text))
		return
	}
	id := l.ID
	if id == "" {
		b.numbered++
		id = fmt.Sprintf("request-%d", b.numbered)
	}
	line := tape.Line{Actor: "agent", Verb: "send", Words: []string{id, words[0], words[1]}}
	body := b.headers(&line, rest)
	if body != "" {
		f := tape.NewFile(id, []byte(body))
		b.t.Files = append(b.t.Files, f)
		line.Words = append(line.Words, f.Name)
	}
	b.add(l.At, line)
	b.requests[id] = body
	b.sent = append(b.sent, id)
}

// headers takes the header lines from the front of text into line, and returns
// the body.
func (b *teller) headers(line *tape.Line, text string) string {
	raw := strings.Contains(text, "\n\n") || strings.Contains(text, "Host: ")
	token := !raw
	for text != "" {
		head, rest, _ := strings.Cut(text, "\n")
		name, value, ok := strings.Cut(head, ": ")
		if head == "" {
			text = rest
			break
		}
		if !ok || strings.ContainsAny(name, ` "{`) {
			break
		}
		text = rest
		switch strings.ToLower(name) {
		case "content-length", "connection":
		case "authorization":
			token = true
		case "host":
			line.Args = append(line.Args, tape.Arg{Key: "host", Value: value})
		case "content-type":
			line.Args = append(line.Args, tape.Arg{Key: "type", Value: value})
		default:
			line.Args = append(line.Args, tape.Arg{Key: "header", Value: head})
		}
	}
	if !token {
		line.Args = append(line.Args, tape.Arg{Key: "token", Value: "none"})
	}
	return text
}

// cut reports whether a transcript has only the beginning of a text.
func cut(text string) bool {
	return strings.HasSuffix(text, " bytes)") && strings.Contains(text, "… (")
}
