package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerLinkCommands adds the sentences about what becomes of a command when
// its link or its caller does what it should not:
//
//	Chrome sends an answer to an id that nobody has
//	Chrome sends an answer to the beginning of the id of A
//	Chrome answers A with another value
//	Chrome answers A twice, the second time with another value
//	Chrome answers A by «"ok":true»              the members behind the id
//	Chrome knows A by an id of the daemon's own
func registerLinkCommands(sc sentences, s *scene) {
	l := &linkCommands{scene: s}
	sc.When(`^(Chrome|Firefox) sends an answer to (an id that nobody has|the empty id|no id)$`, l.answersNobody)
	sc.When(`^(Chrome|Firefox) sends an answer to (the id|the agent's id|the beginning of the id|the id and more|a list of the id) of (`+oneName+`)$`, l.answersNear)
	sc.When(`^(Chrome|Firefox) answers (`+oneName+`) with another value$`, l.answersOther)
	sc.When(`^(Chrome|Firefox) answers (`+oneName+`) twice, the second time with another value$`, l.answersTwice)
	sc.When(`^(Chrome|Firefox) answers (`+oneName+`) by «(.*)»$`, l.answersBy)
	sc.Then(`^(Chrome|Firefox) knows (`+oneName+`) by an id of the daemon's own$`, l.hasOwnID)
	registerDrops(sc, l)
	registerHangUps(sc, l)
}

// linkCommands is what those sentences share.
type linkCommands struct{ *scene }

// stray is the data of answers that nobody must get.
const stray = `{"value":"an answer that is nobody's"}`

// result returns a result frame of those members, of which id may be empty.
func result(id, members string) []byte {
	if id != "" {
		id = `,"id":` + id
	}
	return []byte(`{"type":"result"` + id + `,` + members + `}`)
}

// text returns a string as JSON.
func text(s string) string {
	b, _ := jsontext.AppendQuote(nil, s) // fails for invalid UTF-8 alone
	return string(b)
}

// tells lets a browser send a frame and the daemon act on it.
func (l *linkCommands) tells(name string, frame []byte) error {
	b, err := l.of(name)
	if err != nil {
		return err
	}
	if err := b.SendText(frame); err != nil {
		return fmt.Errorf("let %s say it: %w", name, err)
	}
	l.w.Clock.Settle()
	return nil
}

func (l *linkCommands) answersNobody(name, whom string) error {
	id := map[string]string{"an id that nobody has": `"nobody"`, "the empty id": `""`, "no id": ""}[whom]
	return l.tells(name, result(id, `"ok":true,"data":`+stray))
}

func (l *linkCommands) answersNear(ctx context.Context, name, what, who string) error {
	c, got, err := l.held(ctx, who)
	if err != nil {
		return err
	}
	id := text(got.ID)
	switch what {
	case "the agent's id":
		id = c.id
	case "the beginning of the id":
		id = text(got.ID[:len(got.ID)-1])
	case "the id and more":
		id = text(got.ID + "0")
	case "a list of the id":
		id = "[" + id + "]"
	}
	return l.tells(name, result(id, `"ok":true,"data":`+stray))
}

// held returns a command and how a browser received it.
func (l *linkCommands) held(ctx context.Context, who string) (*command, sim.Start, error) {
	c, err := l.command(who)
	if err != nil {
		return nil, sim.Start{}, err
	}
	got, _, err := l.received(ctx, c)
	return c, got, err
}

func (l *linkCommands) answersOther(ctx context.Context, name, who string) error {
	return l.answers(ctx, name, who, func(_ *command, id string) protocol.Result {
		return protocol.Result{ID: id, OK: true, Data: jsontext.Value(stray)}
	})
}

// answersTwice leaves the daemon no rest between the two.
func (l *linkCommands) answersTwice(ctx context.Context, name, who string) error {
	b, err := l.of(name)
	if err != nil {
		return err
	}
	c, got, err := l.held(ctx, who)
	if err != nil {
		return err
	}
	id := text(got.ID)
	for _, data := range []string{string(c.value()), stray} {
		if err := b.SendText(result(id, `"ok":true,"data":`+data)); err != nil {
			return fmt.Errorf("let %s answer: %w", name, err)
		}
	}
	b.Release(got, sim.Data(string(c.value())))
	l.w.Clock.Settle()
	return nil
}

func (l *linkCommands) answersBy(ctx context.Context, name, who, members string) error {
	b, err := l.of(name)
	if err != nil {
		return err
	}
	c, got, err := l.held(ctx, who)
	if err != nil {
		return err
	}
	if err := l.tells(name, result(text(got.ID), members)); err != nil {
		return err
	}
	// The extension is done with it, and goes on with its session.
	b.Release(got, sim.Data(string(c.value())))
	l.w.Clock.Settle()
	return nil
}

func (l *linkCommands) hasOwnID(ctx context.Context, _, who string) error {
	c, got, err := l.held(ctx, who)
	if err != nil {
		return err
	}
	if strings.Trim(c.id, `"`) == got.ID {
		return l.w.Fail("agents-id", "%s has the agent's own id %s on the link, which a later command may have, too", c, c.id)
	}
	return nil
}
