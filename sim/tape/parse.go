package tape

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

const defaultSeed = 1

// MaxSize is the largest tape that Parse reads, in bytes.
const MaxSize = 64 << 20

// Parse reads a tape and checks it. name stands in front of what is wrong with
// it. The error is an *Error with every fault that was found.
func Parse(name string, data []byte) (*Tape, error) {
	var wrong faults
	if len(data) > MaxSize {
		wrong.add(1, "a tape has at most %d bytes, and this one has %d", MaxSize, len(data))
		return nil, wrong.err(name)
	}
	archive := txtar.Parse(unix(data))
	t := &Tape{Name: name, Seed: defaultSeed}
	places := t.script(string(archive.Comment), &wrong)
	t.Files = files(archive)
	locate(places, archive)
	t.check(places, &wrong)
	if err := wrong.err(name); err != nil {
		return nil, err
	}
	return t, nil
}

// Check says what is wrong with a tape that was not read by Parse, which checks
// the same. Lines without a number are counted as Format writes them. The error
// is an *Error.
func (t *Tape) Check() error {
	var wrong faults
	again := t.reread()
	for i, f := range t.Files {
		if i >= len(again) || f != again[i] {
			wrong.add(1, "the file %q cannot stand in a tape as it is; NewFile makes one that can", f.Name)
		}
	}
	if len(wrong.list) > 0 {
		return wrong.err(t.Name)
	}
	_, err := Parse(t.Name, t.Format())
	return err
}

// reread returns the files as they come out of the text that Format writes:
// the archive cannot hold every name and every content.
func (t *Tape) reread() []File {
	return files(txtar.Parse(unix(t.Format())))
}

func files(a *txtar.Archive) []File {
	var out []File
	for _, f := range a.Files {
		out = append(out, File{Name: f.Name, Text: strings.TrimSuffix(string(f.Data), "\n")})
	}
	return out
}

// unix returns a text whose lines end as Unix ends them.
func unix(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// places are the lines at which things stand.
type places struct {
	header int
	files  []int
}

// locate finds the lines of the files' markers.
func locate(p *places, a *txtar.Archive) {
	n := 1 + bytes.Count(a.Comment, []byte("\n"))
	for _, f := range a.Files {
		p.files = append(p.files, n)
		n += 1 + bytes.Count(f.Data, []byte("\n"))
	}
}

// script reads the lines above the first file.
func (t *Tape) script(text string, wrong *faults) *places {
	p := &places{}
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return p
	}
	for i, line := range strings.Split(text, "\n") {
		n := i + 1
		line = strings.TrimSuffix(line, "\r")
		if !utf8.ValidString(line) || strings.ContainsFunc(line, steers) {
			wrong.add(n, "the line is no text: UTF-8 without control characters; binary payloads are base64 in a file whose name ends in .b64")
			continue
		}
		if p.header == 0 {
			t.head(p, line, n, wrong)
			continue
		}
		if l, ok := parseLine(line, n, wrong); ok {
			t.Lines = append(t.Lines, l)
		}
	}
	return p
}

// steers reports whether a character is none that a text has.
func steers(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// head reads a line above the header, or the header.
func (t *Tape) head(p *places, line string, n int, wrong *faults) {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
	case trimmed[0] == '#':
		t.Head = append(t.Head, uncomment(trimmed))
	default:
		p.header = n
		if trimmed != "use" && !strings.HasPrefix(trimmed, "use ") {
			wrong.add(n, "the first line says which protocol the tape speaks: use %s", Protocol)
			if l, ok := parseLine(line, n, wrong); ok {
				t.Lines = append(t.Lines, l)
			}
			return
		}
		t.use(trimmed, n, wrong)
	}
}

// use reads the header.
func (t *Tape) use(line string, n int, wrong *faults) {
	words, comment, err := split(line)
	if err != nil {
		wrong.add(n, "%s", err)
		return
	}
	if comment != "" {
		t.Head = append(t.Head, comment)
	}
	words = words[1:]
	if len(words) == 0 || words[0].named || words[0].value != Protocol {
		wrong.add(n, "tapes speak %s: use %s", Protocol, Protocol)
		return
	}
	seen := false
	for _, w := range words[1:] {
		switch {
		case w.named && w.key == "seed" && !seen:
			seen = true
			seed, err := strconv.ParseUint(w.value, 10, 64)
			if err != nil {
				wrong.add(n, "seed= is a whole number from 0 to 2^64-1, not %q", w.value)
			}
			t.Seed = seed
		default:
			wrong.add(n, "the header takes seed=N, once, and nothing else: %s", w.text())
		}
	}
}

// ParseLine reads one line of a script by itself: what it has to do with other
// lines is not checked. The error is an *Error.
func ParseLine(text string) (Line, error) {
	var wrong faults
	l, _ := parseLine(text, 1, &wrong)
	l.N = 0
	return l, wrong.err("line")
}

// parseLine reads one line below the header; false if it is too wrong to go on.
func parseLine(line string, n int, wrong *faults) (Line, bool) {
	words, comment, err := split(line)
	if err != nil {
		wrong.add(n, "%s", err)
		return Line{}, false
	}
	l := Line{N: n, Comment: comment}
	if len(words) == 0 {
		return l, true
	}
	first := words[0]
	if !first.named && strings.HasPrefix(first.value, "+") {
		if l.Wait, err = parseWait(first.value[1:]); err != nil {
			wrong.add(n, "%s", err)
		} else if len(words) > 1 {
			wrong.add(n, "a time line holds nothing but its time")
		}
		return l, true
	}
	role := RoleOf(first.value)
	switch {
	case first.named || role == "":
		wrong.add(n, "nobody is called %q%s; actors are chrome, firefox and agent, each with a number behind it or none, and daemon", first.text(), nearest(first.value, []string{"chrome", "firefox", "agent", "daemon"}))
		return l, false
	case len(words) == 1 || words[1].named:
		wrong.add(n, "%s does nothing: a verb is missing; %s can %s", first.value, first.value, orList(names(role)))
		return l, false
	}
	l.Actor = first.value
	var bare []string
	for _, w := range words[1:] {
		if w.named {
			l.Args = append(l.Args, Arg{w.key, w.value})
		} else {
			bare = append(bare, w.value)
		}
	}
	verb, taken := find(role, bare)
	if verb == nil {
		wrong.add(n, "%s cannot %q%s; it can %s", l.Actor, bare[0], nearest(bare[0], names(role)), orList(names(role)))
		return l, false
	}
	l.Verb = verb.Name
	if rest := bare[taken:]; len(rest) > 0 {
		l.Words = rest
	}
	l.check(verb, wrong)
	return l, true
}
