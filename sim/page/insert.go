package page

import (
	"strings"
	"unicode/utf16"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// insert types text into a field: at its end, or in the place of what stands there.
// A single line takes newlines as blanks, a field no more than its maxlength, a
// number only what numbers are made of.
func (c *call) insert(d *document, n *html.Node, text string, replace bool) {
	before := d.raw(n)
	base := before
	if replace {
		base = ""
	}
	if is(n, atom.Input) {
		text = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ").Replace(text)
	} else {
		text = newlines(text)
	}
	if kind(n) == "number" {
		text = strings.Map(func(r rune) rune {
			if strings.ContainsRune("0123456789+-.eE", r) {
				return r
			}
			return -1
		}, text)
	} else if most, ok := nonNegative(attr(n, "maxlength")); ok {
		text = cutUnits(text, max(0, most-units(base)))
	}
	now := base + text
	if now == before {
		return
	}
	s := d.live(n)
	s.dirty, s.typed, s.uncommitted = true, true, true
	s.raw = now
	s.value = now
	s.bad = false
	if is(n, atom.Input) {
		s.value = sanitized(n, now)
		s.bad = kind(n) == "number" && now != "" && s.value == ""
	}
	c.effect(d, "input", n, "")
	c.tell(d, n, "input")
}

// raw is what a person sees in a field, which for a number may be none.
func (d *document) raw(n *html.Node) string {
	if s := d.state[n]; s != nil && s.typed && s.bad {
		return s.raw
	}
	return d.value(n)
}

// cutUnits cuts s at so many code units, between characters.
func cutUnits(s string, most int) string {
	length := 0
	for i, r := range s {
		length += max(1, utf16.RuneLen(r))
		if length > most {
			return s[:i]
		}
	}
	return s
}

// insertInto types text into an editing host: a line of it a line of the host.
func (c *call) insertInto(d *document, host *html.Node, text string, replace bool) {
	if text == "" && (!replace || host.FirstChild == nil) {
		return
	}
	if replace {
		d.empty(host)
	}
	for i, line := range strings.Split(newlines(text), "\n") {
		if i > 0 {
			host.AppendChild(&html.Node{Type: html.ElementNode, Data: "br", DataAtom: atom.Br})
		}
		if line != "" {
			host.AppendChild(&html.Node{Type: html.TextNode, Data: line})
		}
	}
	c.effect(d, "input", host, "")
	c.tell(d, host, "input")
}
