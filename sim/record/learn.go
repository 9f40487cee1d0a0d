package record

import (
	"encoding/base64"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/record/redact"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
)

// learn collects every secret of a recording.
func (s *survey) learn() *redact.Secrets {
	secrets := redact.New()
	for _, e := range s.entries {
		switch e := e.event.(type) {
		case *relay.Request:
			secrets.Learn(bearer(e.Header))
			secrets.Learn(offered(e.Header))
			secrets.LearnCommand(e.Body)
			learnMember(secrets, e.Body, "code", pathOf(e) == "/pair")
		case *relay.Answer:
			if k := s.calls[e.Call]; k != nil {
				s.learnAnswer(secrets, k, e)
			}
		case *relay.Message:
			s.learnMessage(secrets, e)
		}
	}
	return secrets
}

func (s *survey) learnAnswer(secrets *redact.Secrets, k *call, e *relay.Answer) {
	switch pathOf(k.request) {
	case "/pair", "/admin/token", "/admin/pair":
		learnMember(secrets, e.Body, "token", true)
		learnMember(secrets, e.Body, "code", true)
	case "/command":
		if k.command == nil {
			return
		}
		if data, ok := protocol.Arg(e.Body, "data"); ok && jsontext.Value(e.Body).IsValid() {
			secrets.LearnData(k.command.Action.Name, data)
		}
	}
}

func (s *survey) learnMessage(secrets *redact.Secrets, e *relay.Message) {
	f := s.frames[e]
	if f == nil || f.err != nil {
		return
	}
	switch d := f.decoded.(type) {
	case *protocol.Request:
		secrets.LearnCommand(e.Data)
	case *protocol.CommandFrame:
		secrets.LearnArgs(d.Action, d.Args)
	case *protocol.Result:
		switch {
		case f.ask != nil:
			secrets.LearnData(f.ask.command.Action.Name, d.Data)
		case f.command != nil && !f.internal:
			secrets.LearnData(f.command.frame.Action, d.Data)
			if data, ok := s.whole(f.command, d); ok {
				secrets.LearnData(f.command.frame.Action, data)
			}
		}
	}
}

// learnMember learns a text member of an object.
func learnMember(secrets *redact.Secrets, v jsontext.Value, name string, is bool) {
	if !is || !v.IsValid() || v.Kind() != '{' {
		return
	}
	if text, ok := protocol.StringArg(v, name); ok {
		secrets.Learn(text)
	}
}

// whole returns the data of a result that named an artifact, as the daemon read
// it; false if the result named none, or its bytes are a picture's.
func (s *survey) whole(c *command, d *protocol.Result) (jsontext.Value, bool) {
	if !d.OK || d.Bad != nil || c.resultOn == nil {
		return nil, false
	}
	a, ok := protocol.ArtifactOf(d.Data)
	if !ok || pictures[c.frame.Action] {
		return nil, false
	}
	v := jsontext.Value(c.resultOn.artifacts[a.ID])
	return v, v.IsValid() && v.Kind() == '{'
}

// pictures are the actions whose artifacts are their bytes and not their data.
var pictures = map[string]bool{"screenshot": true, "pdf": true}

func decode64(s string) ([]byte, error) { return base64.StdEncoding.DecodeString(s) }
