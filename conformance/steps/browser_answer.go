package steps

import (
	"context"
	"fmt"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func (s *scene) answersOK(ctx context.Context, name, who string) error {
	return s.replies(ctx, name, who, func(c *command, id string) protocol.Result {
		return protocol.Result{ID: id, OK: true, Data: c.value()}
	})
}

func (s *scene) answersWith(ctx context.Context, name, who, code string) error {
	return s.replies(ctx, name, who, func(c *command, id string) protocol.Result {
		return protocol.Result{ID: id, Error: &protocol.Error{Code: protocol.Code(code), Message: saidBy(c)}}
	})
}

// replies lets a browser answer a command that it works on as its extension
// does, once; any other as answers does.
func (s *scene) replies(ctx context.Context, name, who string, result func(*command, string) protocol.Result) error {
	b, err := s.of(name)
	if err != nil {
		return err
	}
	c, err := s.command(who)
	if err != nil {
		return err
	}
	got, by, err := s.received(ctx, c)
	if err != nil {
		return err
	}
	if by != b || c.does.kind != worksOn || !b.Release(got, replyOf(result(c, got.ID))) {
		return s.answers(ctx, name, who, result)
	}
	s.w.Clock.Settle()
	return nil
}

func replyOf(r protocol.Result) sim.Reply {
	if r.Error != nil {
		return sim.Fail(r.Error.Code, r.Error.Message)
	}
	return sim.Data(string(r.Data))
}

// answers sends a result for a command that some browser has received, on the
// present connection of the named one, whether anybody still waits for it.
func (s *scene) answers(ctx context.Context, name, who string, result func(*command, string) protocol.Result) error {
	b, err := s.of(name)
	if err != nil {
		return err
	}
	c, err := s.command(who)
	if err != nil {
		return err
	}
	got, by, err := s.received(ctx, c)
	if err != nil {
		return err
	}
	r := result(c, got.ID)
	if err := b.SendText(r.AppendTo(nil)); err != nil {
		return fmt.Errorf("let %s answer: %w", name, err)
	}
	if by == b {
		// The extension is done with it, and goes on with its session.
		b.Release(got, sim.Data(string(c.value())))
	}
	s.w.Clock.Settle()
	return nil
}

// received returns a command as the browser received it that did.
func (s *scene) received(ctx context.Context, c *command) (sim.Start, *browser, error) {
	var got sim.Start
	var by *browser
	if !s.reached(ctx, func() bool {
		for _, b := range s.ever {
			for _, st := range b.Received() {
				if s.commandOf(st) == c {
					got, by = st, b
					return true
				}
			}
		}
		return false
	}) {
		return got, nil, fmt.Errorf("%s has reached no browser", c)
	}
	return got, by, nil
}

// respond says what comes of a command that was started.
func (b *browser) respond(_ context.Context, st sim.Start) sim.Reply {
	c := b.s.commandOf(st)
	if c == nil {
		return sim.Default()
	}
	b.s.w.Honesty.Started(c.mark)
	return c.does.reply(c)
}

// isSilenced picks the commands that are never answered by themselves.
func (b *browser) isSilenced(st sim.Start) bool {
	c := b.s.commandOf(st)
	return c != nil && c.does.kind == neverAnswers
}
