package tape

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// Format returns the tape as text, in the one form that Parse gives back as the
// same tape. What Check finds fault with is written all the same, as well as it
// can be.
func (t *Tape) Format() []byte {
	var b strings.Builder
	for _, line := range t.Head {
		b.WriteString(strings.TrimRight("# "+oneLine(line), " ") + "\n")
	}
	b.WriteString("use " + Protocol)
	if t.Seed != defaultSeed {
		b.WriteString(" seed=" + strconv.FormatUint(t.Seed, 10))
	}
	b.WriteString("\n")
	for i := range t.Lines {
		b.WriteString(t.Lines[i].String() + "\n")
	}
	a := txtar.Archive{Comment: []byte(b.String())}
	for _, f := range t.Files {
		a.Files = append(a.Files, txtar.File{Name: f.Name, Data: []byte(f.Text + "\n")})
	}
	return txtar.Format(&a)
}

// actorWidth is how much room the actor's name has.
const actorWidth = 8

// String returns the line as it is written.
func (l Line) String() string {
	var b strings.Builder
	switch {
	case l.Actor != "":
		fmt.Fprintf(&b, "%-*s%s", actorWidth, l.Actor, l.Verb)
		if len(l.Actor) >= actorWidth {
			b.Reset()
			b.WriteString(l.Actor + " " + l.Verb)
		}
		for _, w := range l.Words {
			b.WriteString(" " + word{value: w}.text())
		}
		for _, a := range l.Args {
			b.WriteString(" " + word{key: a.Key, value: a.Value, named: true}.text())
		}
	case l.Wait != 0:
		b.WriteString("+" + Duration(l.Wait))
	}
	if l.Comment != "" {
		if b.Len() > 0 {
			b.WriteString("  ")
		}
		b.WriteString("# " + oneLine(l.Comment))
	}
	return b.String()
}

// oneLine returns a comment as it can stand in one line.
func oneLine(s string) string {
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")), " ")
}
