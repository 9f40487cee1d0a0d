package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func registerExpect(sc sentences, s *scene) {
	sc.Then(`^(`+allNames+`) (?:is|are) answered (ok|[a-z]+_[a-z_]+|busy|forbidden|conflict|internal|unsupported|permission)$`, s.isAnswered)
	sc.Then(`^(`+allNames+`) (?:is|are) answered ([a-z_]+), delivered "(no|unknown)"$`, s.isAnsweredDelivered)
	sc.Then(`^(`+allNames+`) (?:is|are) answered with (?:its|their) own values?$`, s.hasOwnValue)
	sc.Then(`^(`+allNames+`) (?:is|are) refused with ([0-9]{3})(?: ([a-z_]+))?$`, s.isRefused)
	sc.Then(`^(`+allNames+`) (?:has|have) no answer yet$`, s.hasNoAnswer)
	sc.Then(`^(`+allNames+`) (?:is|are) over$`, s.isOver)
	sc.Then(`^(`+allNames+`) took ([0-9]\S*|no time)$`, s.took)
	sc.Then(`^(`+oneName+`)'s error says "(.*)"$`, s.errorSays)
	sc.Then(`^its error says "(.*)"$`, func(ctx context.Context, what string) error { return s.errorSays(ctx, "it", what) })
	sc.Then(`^its answer has the status ([0-9]{3})$`, s.hasStatus)
	sc.Then(`^nothing has reached (Chrome|Firefox)$`, s.nothingReached)
	sc.Then(`^(Chrome|Firefox) has received only (`+allNames+`)$`, s.receivedOnly)
	sc.Then(`^(Chrome|Firefox) has received (`+allNames+`)(?: in that order)?$`, s.receivedInOrder)
}

// expects says in the words of a tape what is expected of commands, before
// anything waits for it.
func (s *scene) expects(who, format string, a ...any) error {
	all, err := s.commandsNamed(who)
	if err != nil {
		return err
	}
	if s.w.Clock.Exact() && format != "pending" {
		// What is not there when everything has come to rest does not come.
		format += " within=0s"
	}
	for _, c := range all {
		s.w.Transcript.Does("agent", "expect "+c.mark+" "+format, a...)
	}
	return nil
}

// outcome is ok or a code as a tape expects it.
func outcome(s string) string {
	if s == "ok" {
		return s
	}
	return "error=" + s
}

// over waits for the answers of commands that ought to be there by now.
func (s *scene) over(ctx context.Context, who string) ([]*command, error) {
	all, err := s.commandsNamed(who)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if !s.reached(ctx, c.done) {
			return nil, s.w.Fail("unanswered", "%s has no answer %s after it was sent", c, s.w.Clock.Since(c.sent))
		}
		if c.err != nil {
			return nil, s.w.Fail("no-answer", "%s was told %s", c, told(c))
		}
	}
	return all, nil
}

// is reports whether a command was answered ok, or with that code.
func (c *command) is(outcome string) bool {
	if outcome == "ok" {
		return c.answer.OK
	}
	return string(c.answer.Code) == outcome
}

func (s *scene) isOver(ctx context.Context, who string) error {
	if err := s.expects(who, ""); err != nil {
		return err
	}
	_, err := s.over(ctx, who)
	return err
}

func (s *scene) isAnswered(ctx context.Context, who, want string) error {
	if err := s.expects(who, "%s", outcome(want)); err != nil {
		return err
	}
	return s.areAnswered(ctx, who, want)
}

func (s *scene) areAnswered(ctx context.Context, who, outcome string) error {
	all, err := s.over(ctx, who)
	if err != nil {
		return err
	}
	for _, c := range all {
		if !c.is(outcome) {
			return s.w.Fail("not-"+check(outcome), "%s was told %s; want %s", c, told(c), outcome)
		}
	}
	return nil
}

// check returns a code as a part of a check's name.
func check(code string) string { return strings.ReplaceAll(code, "_", "-") }

func (s *scene) isAnsweredDelivered(ctx context.Context, who, code, delivered string) error {
	if err := s.expects(who, "error=%s delivered=%s", code, delivered); err != nil {
		return err
	}
	if err := s.areAnswered(ctx, who, code); err != nil {
		return err
	}
	all, err := s.over(ctx, who)
	if err != nil {
		return err
	}
	for _, c := range all {
		if got := string(c.answer.Delivered); got != delivered {
			return s.w.Fail("delivered", "%s was told delivered %q; want %q", c, got, delivered)
		}
	}
	return nil
}

func (s *scene) hasOwnValue(ctx context.Context, who string) error {
	all, err := s.over(ctx, who)
	if err != nil {
		return err
	}
	for _, c := range all {
		value, _ := protocol.StringArg(c.answer.Data, "value")
		if !c.answer.OK || value != c.mark {
			return s.w.Fail("not-its-own", "%s was told %s; its own value is %q", c, told(c), c.mark)
		}
	}
	return nil
}

func (s *scene) isRefused(ctx context.Context, who string, status int, code string) error {
	says := ""
	if code != "" {
		says = " error=" + code
	}
	if err := s.expects(who, "status=%d%s", status, says); err != nil {
		return err
	}
	all, err := s.commandsNamed(who)
	if err != nil {
		return err
	}
	for _, c := range all {
		switch {
		case !s.reached(ctx, c.done):
			return s.w.Fail("unanswered", "%s has no answer %s after it was sent", c, s.w.Clock.Since(c.sent))
		case c.answer.Status != status:
			return s.w.Fail("not-refused", "%s was told %s; want the status %d", c, told(c), status)
		case c.err != nil:
			return s.w.Fail("refusal-shape", "%s was told %s", c, told(c))
		case code != "" && !c.is(code):
			return s.w.Fail("refusal-code", "%s was told %s; want %s", c, told(c), code)
		}
	}
	return nil
}

func (s *scene) hasNoAnswer(who string) error {
	all, err := s.commandsNamed(who)
	if err != nil {
		return err
	}
	if err := s.expects(who, "pending"); err != nil {
		return err
	}
	s.w.Clock.Settle()
	for _, c := range all {
		if c.done() {
			return s.w.Fail("answered-early", "%s was told %s, %s after it was sent", c, told(c), c.answer.At.Sub(c.sent))
		}
	}
	return nil
}

// grace is how long an answer may be under way on a busy machine.
const grace = time.Second

func (s *scene) took(ctx context.Context, who, text string) error {
	var want time.Duration
	if text != "no time" {
		var err error
		if want, err = duration(text); err != nil {
			return err
		}
	}
	if err := s.expects(who, "took=%s", want); err != nil {
		return err
	}
	all, err := s.over(ctx, who)
	if err != nil {
		return err
	}
	for _, c := range all {
		// An answer may come before the last byte went out.
		if err := s.w.Clock.Took(max(0, c.answer.At.Sub(c.sent)), want, grace); err != nil {
			return s.w.Fail("took", "%s %s", c, err)
		}
	}
	return nil
}

func (s *scene) errorSays(ctx context.Context, who, what string) error {
	c, err := s.command(who)
	if err != nil {
		return err
	}
	s.w.Transcript.Does("agent", "expect %s message=%q", c.mark, what)
	if !s.reached(ctx, c.done) {
		return s.w.Fail("unanswered", "%s has no answer", c)
	}
	if c.answer.OK || !s.says(c.answer.Message, what) {
		return s.w.Fail("says", "%s was told %s; its error does not say %q", c, told(c), what)
	}
	return nil
}

// says reports whether an error's message says a word, without case. A stranger
// must say something; the words are ours.
func (s *scene) says(message, word string) bool {
	if !s.w.Target().Strict {
		return strings.TrimSpace(message) != ""
	}
	return strings.Contains(strings.ToLower(message), strings.ToLower(word))
}

func (s *scene) hasStatus(ctx context.Context, status int) error {
	c, err := s.command("it")
	if err != nil {
		return err
	}
	if !s.reached(ctx, c.done) || c.answer.Status != status {
		return s.w.Fail("status", "%s was told %s; want the status %d", c, told(c), status)
	}
	return nil
}

func (s *scene) nothingReached(ctx context.Context, name string) error {
	return s.receivedJust(ctx, name, nil, "reached")
}

func (s *scene) receivedOnly(ctx context.Context, name, who string) error {
	want, err := s.commandsNamed(who)
	if err != nil {
		return err
	}
	return s.receivedJust(ctx, name, want, "received-more")
}

// receivedJust sends a probe to the browser and requires that it has received
// those commands and probes alone.
func (s *scene) receivedJust(ctx context.Context, name string, want []*command, checkName string) error {
	b, err := s.of(name)
	if err != nil {
		return err
	}
	if err := s.probes(ctx, name); err != nil {
		return err
	}
	seen := map[*command]bool{}
	for _, st := range b.Received() {
		c := s.commandOf(st)
		if seen[c] {
			return s.w.Fail(checkName, "%s received %s twice", name, c)
		}
		seen[c] = true
		if c == nil {
			return s.w.Fail(checkName, "%s received a %s of session %q that nobody sent: %.200s", name, st.Action, st.Session, st.Args)
		}
		if c.name != probe && !slices.Contains(want, c) {
			return s.w.Fail(checkName, "%s received %s of session %q", name, c, st.Session)
		}
	}
	return nil
}

func (s *scene) receivedInOrder(ctx context.Context, name, who string) error {
	b, err := s.of(name)
	if err != nil {
		return err
	}
	want, err := s.commandsNamed(who)
	if err != nil {
		return err
	}
	var got []*command
	all := func() bool {
		got = got[:0]
		for _, st := range b.Received() {
			if c := s.commandOf(st); c != nil && slices.Contains(want, c) {
				got = append(got, c)
			}
		}
		return len(got) >= len(want)
	}
	if !s.reached(ctx, all) {
		return s.w.Fail("not-received", "%s has received %s; want %s", name, list(got), list(want))
	}
	if !slices.Equal(got, want) {
		return s.w.Fail("order", "%s has received %s; want %s", name, list(got), list(want))
	}
	return nil
}

func list(all []*command) string {
	if len(all) == 0 {
		return "none"
	}
	var names []string
	for _, c := range all {
		names = append(names, fmt.Sprint(c))
	}
	return strings.Join(names, ", ")
}
