package steps

import (
	"bytes"
	"context"

	"github.com/cucumber/godog"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// registerEnvelopeTexts adds the sentences about texts that pass:
//
//	the agent sends clicks of these sessions:    session, as JSON
//	Chrome has received each in the session that it names
//	the agent types these texts:                 text, as JSON
//	Chrome has received each text byte for byte
func registerEnvelopeTexts(sc sentences, e *envelopes) {
	sc.When(`^the agent sends clicks of these sessions:$`, e.sendsSessions)
	sc.Then(`^(Chrome|Firefox) has received each in the session that it names$`, e.areInSessions)
	sc.When(`^the agent types these texts:$`, e.types)
	sc.Then(`^(Chrome|Firefox) has received each text byte for byte$`, e.areSameTexts)
}

func (e *envelopes) sendsSessions(ctx context.Context, table *godog.Table) error {
	return e.sendsEach(ctx, table, func(c *command, cell map[string]string) (string, error) {
		var err error
		c.session, err = c.written(cell["session"])
		return c.body(c.mark), err
	})
}

func (e *envelopes) areInSessions(ctx context.Context, _ string) error {
	all, err := e.finished()
	if err != nil {
		return err
	}
	for _, r := range all {
		want, err := sessionName(r.session)
		if err != nil {
			return err
		}
		got, _, err := e.received(ctx, r.command)
		if err != nil {
			return err
		}
		if got.Session != want {
			return e.w.Fail("another-session", "%s is of session %q, and the browser received it in %q", r, want, got.Session)
		}
	}
	return nil
}

func (e *envelopes) types(ctx context.Context, table *godog.Table) error {
	return e.sendsEach(ctx, table, func(c *command, cell map[string]string) (string, error) {
		text, err := c.written(cell["text"])
		c.action, c.args = "type", `{"selector":"#`+c.mark+`","text":`+text+`}`
		return c.body(c.mark), err
	})
}

func (e *envelopes) areSameTexts(ctx context.Context, _ string) error {
	all, err := e.finished()
	if err != nil {
		return err
	}
	for _, r := range all {
		want, _ := protocol.Arg(jsontext.Value(r.args), "text")
		got, _, err := e.received(ctx, r.command)
		if err != nil {
			return err
		}
		if text, _ := protocol.Arg(got.Args, "text"); !bytes.Equal(text, want) {
			return e.w.Fail("text-changed", "the agent sent the text %.300s, and the browser received %.300s", want, text)
		}
	}
	return nil
}
