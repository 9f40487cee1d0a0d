package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/sim"
)

// registerDrops adds the sentences about links that end with commands in flight:
//
//	the agent sends commands that Chrome never answers:   a table of phrases
//	the agent sends an evaluate A that Chrome never answers
//	the agent sends a type A of 262144 bytes     more than a connection holds
//	Firefox asks for a click A to Chrome, which Chrome never answers
//	an evaluate A that Chrome never answers, and whose caller never reads
//	Chrome leaves in the middle of its answer to A
//	Chrome answers A and leaves at once by a close frame
//	Chrome breaks the rules of RFC 6455
func registerDrops(sc sentences, l *linkCommands) {
	sc.When(`^the agent sends commands that (Chrome|Firefox) never answers:$`, l.sendsAll)
	sc.When(`^the agent sends `+phrase+` that (Chrome|Firefox) (never answers)$`, l.sent)
	sc.When(`^the agent sends a type (`+oneName+`) of ([0-9]+) bytes$`, l.sendsLarge)
	sc.When(`^(Chrome|Firefox) asks for `+phrase+`, which (Chrome|Firefox) never answers$`, l.asksInVain)
	sc.Given(`^`+phrase+` that (Chrome|Firefox) never answers, and whose caller never reads$`, l.unreadCommand)
	sc.When(`^(Chrome|Firefox) leaves in the middle of its answer to (`+oneName+`)$`, l.leavesInAnswer)
	sc.When(`^(Chrome|Firefox) answers (`+oneName+`) and leaves at once by (.+)$`, l.answersAndLeaves)
	sc.When(`^(Chrome|Firefox) breaks the rules of RFC 6455$`, l.breaksWebSocket)
}

// sendsAll sends commands without a look at which of them the daemon passes on
// at once: that is for other rules.
func (l *linkCommands) sendsAll(ctx context.Context, name string, table *godog.Table) error {
	if _, err := l.of(name); err != nil {
		return err
	}
	var all []*command
	for _, row := range table.Rows {
		sp, err := parsePhrase(row.Cells[0].Value)
		if err != nil {
			return err
		}
		c, err := l.send(ctx, l.newCommand(sp, behaviour{kind: neverAnswers}))
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	l.reached(ctx, func() bool { return len(l.links(all)) == len(all) })
	return nil
}

// sendsLarge sends a command whose frame does not fit into a connection that
// nobody reads.
func (l *linkCommands) sendsLarge(ctx context.Context, name string, size int) error {
	sp, err := parsePhrase("a type " + name)
	if err != nil {
		return err
	}
	c := l.newCommand(sp, behaviour{})
	c.args = fmt.Sprintf(`{"selector":"#%s","text":"%s"}`, c.mark, strings.Repeat("x", size))
	_, err = l.send(ctx, c)
	return err
}

// links returns those of the commands that a browser has received, as it did.
func (s *scene) links(all []*command) map[*command]sim.Start {
	got := make(map[*command]sim.Start, len(all))
	wanted := make(map[*command]bool, len(all))
	for _, c := range all {
		wanted[c] = true
	}
	for _, b := range s.ever {
		for _, st := range b.Received() {
			if c := s.commandOf(st); wanted[c] {
				got[c] = st
			}
		}
	}
	return got
}

func (l *linkCommands) asksInVain(ctx context.Context, name, phrase, _ string) error {
	b, err := l.of(name)
	if err != nil {
		return err
	}
	sp, err := parsePhrase(phrase)
	if err != nil {
		return err
	}
	c := l.newCommand(sp, behaviour{kind: neverAnswers})
	if err := l.ask(b, c); err != nil {
		return err
	}
	_, _, err = l.received(ctx, c)
	return err
}

// unreadCommand sends a command of which nobody learns what its caller is told.
func (l *linkCommands) unreadCommand(ctx context.Context, phrase, _ string) error {
	sp, err := parsePhrase(phrase)
	if err != nil {
		return err
	}
	c := l.newCommand(sp, behaviour{kind: neverAnswers})
	a, err := l.agent(ctx)
	if err != nil {
		return err
	}
	if c.call, err = a.Start(ctx, sim.Post("/command", c.body(c.mark))); err != nil {
		return err
	}
	l.w.Cleanup(c.call.Close)
	l.w.Honesty.Asked(c.mark)
	c.sent = l.w.Clock.Now()
	if err := c.call.SendAll(); err != nil {
		return fmt.Errorf("send %s: %w", c, err)
	}
	_, _, err = l.received(ctx, c)
	return err
}

func (l *linkCommands) leavesInAnswer(ctx context.Context, name, who string) error {
	b, err := l.of(name)
	if err != nil {
		return err
	}
	c, got, err := l.held(ctx, who)
	if err != nil {
		return err
	}
	frame := sim.RawFrame{Opcode: sim.OpText, Payload: result(text(got.ID), `"ok":true,"data":`+string(c.value()))}.AppendTo(nil)
	if err := b.WriteRaw(frame[:len(frame)-1]); err != nil {
		return fmt.Errorf("let %s begin an answer: %w", name, err)
	}
	return l.leaves(ctx, name, "the end of its connection")
}

func (l *linkCommands) answersAndLeaves(ctx context.Context, name, who, how string) error {
	b, err := l.of(name)
	if err != nil {
		return err
	}
	c, got, err := l.held(ctx, who)
	if err != nil {
		return err
	}
	if err := b.SendText(result(text(got.ID), `"ok":true,"data":`+string(c.value()))); err != nil {
		return fmt.Errorf("let %s answer: %w", name, err)
	}
	return l.leaves(ctx, name, how)
}

// breaksWebSocket sends a frame without a mask, for which the daemon must fail
// the connection (RFC 6455, section 5.1).
func (l *linkCommands) breaksWebSocket(ctx context.Context, name string) error {
	b, err := l.of(name)
	if err != nil {
		return err
	}
	if err := b.WriteRaw(sim.RawFrame{Opcode: sim.OpText, Unmasked: true, Payload: []byte(`{"type":"ping"}`)}.AppendTo(nil)); err != nil {
		return fmt.Errorf("let %s write: %w", name, err)
	}
	if !l.reached(ctx, b.hasEnded) {
		return fmt.Errorf("%s's connection goes on after a frame without a mask", name)
	}
	return nil
}
