package steps

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerVersion(sc sentences, r *route) {
	v := &version{route: r}
	sc.When(`^the agent asks for "(/json/version/?)"$`, v.ask)
	sc.Then(`^the version is reported$`, v.isReported)
}

// version is an answer of /json/version, and the version that /ping tells.
type version struct {
	*route
	answer sim.Response
	ping   string
}

func (v *version) ask(ctx context.Context, path string) error {
	a, err := v.agent(ctx)
	if err != nil {
		return err
	}
	ping, err := a.Send(ctx, sim.Get("/ping"))
	if err != nil {
		return err
	}
	var told struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(ping.Body, &told); err != nil || told.Version == "" {
		return fmt.Errorf("GET /ping tells no version: %d %s (%v)", ping.Status, ping.Body, err)
	}
	v.ping = told.Version
	if v.answer, err = a.Send(ctx, sim.Get(path)); err != nil {
		return err
	}
	v.w.Transcript.Received("agent", fmt.Appendf(nil, "%d\n%s", v.answer.Status, v.answer.Body))
	return nil
}

func (v *version) isReported() error {
	if v.answer.Status != 200 {
		return v.w.Fail("status", "it was answered %d %s; want 200", v.answer.Status, v.answer.Body)
	}
	if body := jsontext.Value(v.answer.Body); !body.IsValid() || body.Kind() != '{' {
		return v.w.Fail("shape", "it was answered %s; want a JSON object", v.answer.Body)
	}
	if !bytes.Contains(v.answer.Body, []byte(v.ping)) {
		return v.w.Fail("version", "it was answered %s; the version is %s", v.answer.Body, v.ping)
	}
	return nil
}
