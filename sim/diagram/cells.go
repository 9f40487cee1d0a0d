package diagram

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// cells is a line of a terminal. A wide character stands in its first cell and
// leaves the second one empty.
type cells []string

func blank(n int) cells {
	c := make(cells, n)
	for i := range c {
		c[i] = " "
	}
	return c
}

// put writes a text from cell x on. What does not fit is left out.
func (c cells) put(x int, s string) {
	for _, r := range s {
		w := cellsOf(r)
		switch {
		case x >= len(c):
			return
		case w == 0:
			if x > 0 {
				c[x-1] += string(r)
			}
			continue
		case x+w > len(c):
			return
		}
		c[x] = string(r)
		if w == 2 {
			c[x+1] = ""
		}
		x += w
	}
}

// fill writes the same character into the cells from and up to to.
func (c cells) fill(from, to int, s string) {
	for x := from; x < to; x++ {
		c[x] = s
	}
}

func (c cells) String() string { return strings.TrimRight(strings.Join(c, ""), " ") }

// cellsOf returns how many cells a terminal gives a character.
func cellsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) || unicode.Is(unicode.Cf, r) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// columns returns how many cells a text takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += cellsOf(r)
	}
	return n
}

// fit cuts a text to that many cells, with an ellipsis where it was cut.
func fit(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	if most < 1 {
		return ""
	}
	n := 0
	for i, r := range s {
		if n+cellsOf(r) > most-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		n += cellsOf(r)
	}
	return s
}

// wrap breaks a text into lines of at most that many cells, at blanks where it
// can.
func wrap(s string, most int) []string {
	var lines []string
	for part := range strings.Lines(s) {
		part = strings.ReplaceAll(strings.TrimRight(part, " \r\n"), "\t", "    ")
		for columns(part) > most {
			n, end, space := 0, 0, 0
			for i, r := range part {
				if n+cellsOf(r) > most {
					break
				}
				if r == ' ' {
					space = i
				}
				n += cellsOf(r)
				end = i + len(string(r))
			}
			if space > end/2 {
				end = space
			}
			lines = append(lines, part[:end])
			part = strings.TrimLeft(part[end:], " ")
		}
		lines = append(lines, part)
	}
	return lines
}
