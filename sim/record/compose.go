package record

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/record/redact"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// composer writes the lines of a tape.
type composer struct {
	*survey
	cfg     Config
	secrets *redact.Secrets
	steps   []*step
	files   []tape.File
	// sent is the step of each call and each ask, by its id.
	sent map[string]*step
	// joined is the step of each link's connect.
	joined map[*link]*step
	// last is the answer that was given last for each command.
	last map[*command]string
	// deaths are the ends of links that were the daemon's own; gone is true while
	// it is not there.
	deaths map[*relay.End]bool
	gone   bool
	// held are the answers that wait for the line of a close_session, which has
	// not been written yet.
	held    map[*command][]*step
	written map[*command]bool
}

// step is a line at its time, with what must stand before it.
type step struct {
	at     time.Time
	before []tape.Line
	line   tape.Line
}

// compose writes what was recorded as a tape.
func compose(cfg Config, entries []entry, full bool) (*tape.Tape, error) {
	s := newSurvey(entries)
	c := &composer{
		survey: s, cfg: cfg, secrets: s.learn(),
		sent: map[string]*step{}, joined: map[*link]*step{}, last: map[*command]string{},
		deaths: deaths(entries), held: map[*command][]*step{}, written: map[*command]bool{},
	}
	for _, e := range entries {
		c.event(e.at, e.event)
	}
	if !slices.ContainsFunc(c.steps, func(s *step) bool { return s.line.Acts() }) {
		return nil, ErrNothing
	}
	if full {
		c.remark(s.end, "the recording is full: what came after this is missing")
	}
	t := &tape.Tape{Name: "recording", Seed: 1, Head: c.head(), Lines: c.lines(), Files: c.files}
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("what was recorded makes no tape: %w", err)
	}
	return t, nil
}

func (c *composer) head() []string {
	title := c.cfg.Title
	if title == "" {
		title = "A recording"
	}
	return []string{
		c.secrets.Text(title),
		"Recorded by omw sim record. Secrets are removed, times are rounded to " + tape.Duration(c.cfg.Round) + ".",
	}
}

// lines puts time between the steps.
func (c *composer) lines() []tape.Line {
	var out []tape.Line
	if len(c.steps) == 0 {
		return out
	}
	began, now := c.steps[0].at, time.Duration(0)
	c.settle()
	for _, s := range c.steps {
		if at := s.at.Sub(began).Round(c.cfg.Round); at > now {
			out = append(out, tape.Line{Wait: at - now})
			now = at
		}
		out = append(append(out, s.before...), s.line)
	}
	return out
}

// settle gives what was seen at the same time one order, whichever went through
// first: the ends of links, then the answers in the order of their calls.
func (c *composer) settle() {
	for i := 0; i < len(c.steps); {
		n := i + 1
		for n < len(c.steps) && seen(&c.steps[i].line) && seen(&c.steps[n].line) && c.rounded(c.steps[i].at, c.steps[n].at) {
			n++
		}
		slices.SortStableFunc(c.steps[i:n], func(a, b *step) int {
			return cmp.Or(place(&a.line)-place(&b.line), strings.Compare(a.line.Actor, b.line.Actor))
		})
		i = n
	}
}

// seen reports whether a line says that something came of itself.
func seen(l *tape.Line) bool {
	return l.Verb == "expect close" || l.Actor == agent && l.Verb == "expect"
}

// place is where a line stands among others that were seen.
func place(l *tape.Line) int {
	if l.Actor != agent {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(l.Word(0), "a"))
	return n
}

func (c *composer) add(at time.Time, actor, verb string, words []string, args ...tape.Arg) *step {
	s := &step{at: at, line: tape.Line{Actor: actor, Verb: verb, Words: words, Args: args}}
	c.steps = append(c.steps, s)
	return s
}

func (c *composer) remark(at time.Time, format string, a ...any) {
	c.steps = append(c.steps, &step{at: at, line: tape.Line{Comment: c.secrets.Text(fmt.Sprintf(format, a...))}})
}

func (c *composer) event(at time.Time, e relay.Event) {
	switch e := e.(type) {
	case *relay.Request:
		c.request(at, e)
	case *relay.Answer:
		if k := c.calls[e.Call]; k != nil {
			c.answer(at, k, e)
		}
	case *relay.Abandoned:
		// Who closes only his own side and still reads looks the same until an
		// answer comes, and hardly anybody does that.
		if k := c.calls[e.Call]; k != nil && c.sent[k.id] != nil {
			c.add(at, agent, "hang-up", []string{k.id})
			delete(c.sent, k.id)
		}
	case *relay.Garbled:
		c.remark(at, "an agent sent %d bytes that are no HTTP request; a tape cannot say which", e.Size)
	case *relay.Message:
		if l := c.links[e.Call]; l != nil {
			c.message(at, l, e)
		}
	case *relay.Close:
		if l := c.links[e.Call]; l != nil {
			c.close(at, l, e)
		}
	case *relay.End:
		if l := c.links[e.Call]; l != nil {
			c.ended(at, l, e)
		}
	case *relay.Unreachable:
		if !c.gone {
			c.remark(at, "nobody listened at the daemon's address")
		}
	}
}

// rounded reports whether two times are the same in the tape.
func (c *composer) rounded(a, b time.Time) bool {
	if len(c.steps) == 0 {
		return false
	}
	began := c.steps[0].at
	return a.Sub(began).Round(c.cfg.Round) == b.Sub(began).Round(c.cfg.Round)
}

// inlineBytes is how long a payload may be that stands in its line.
const inlineBytes = 200

// payload returns the word for a payload: the JSON itself, or the file that is
// made of it.
func (c *composer) payload(name string, content []byte) string {
	line := string(content)
	if len(line) <= inlineBytes && len(line) > 0 && (line[0] == '{' || line[0] == '[') && !strings.ContainsAny(line, "\n\r") {
		probe := tape.Line{Actor: agent, Verb: "send", Words: []string{"a1", "POST", "/command", line}}
		if t, err := tape.Parse("", []byte("use omw.v1\n"+probe.String()+"\n")); err == nil && t.Lines[0].Word(3) == line {
			return line
		}
	}
	return c.file(name, content)
}

func (c *composer) file(name string, content []byte) string {
	kind := ".txt"
	if len(content) > 0 && (content[0] == '{' || content[0] == '[') {
		kind = ".json"
	}
	f := tape.NewFile(name+kind, content)
	for n := 2; slices.ContainsFunc(c.files, func(o tape.File) bool { return o.Name == f.Name }); n++ {
		f = tape.NewFile(name+"-"+strconv.Itoa(n)+kind, content)
	}
	c.files = append(c.files, f)
	return f.Name
}

// text is an argument whose value may hold a secret.
func (c *composer) text(key, value string) tape.Arg {
	return tape.Arg{Key: key, Value: c.secrets.Text(value)}
}

func number(key string, n int64) tape.Arg {
	return tape.Arg{Key: key, Value: strconv.FormatInt(n, 10)}
}

func failure(e *protocol.Error) tape.Arg { return tape.Arg{Key: "error", Value: string(e.Code)} }
