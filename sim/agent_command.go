package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// CommandSpec is the body of a POST /command. Fields that are empty are left out.
type CommandSpec struct {
	Action    string           `json:"action,omitempty"`
	Args      jsontext.Value   `json:"args,omitempty"`
	Session   string           `json:"session,omitempty"`
	Browser   protocol.Browser `json:"browser,omitempty"`
	ID        string           `json:"id,omitempty"`
	TimeoutMS int64            `json:"timeout_ms,omitzero"`
}

// Body returns the spec as JSON.
func (s CommandSpec) Body() []byte {
	b, err := json.Marshal(s, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		// Only Args can be what JSON is not; the daemon is to judge that.
		return []byte(`{"action":"` + s.Action + `","args":` + string(s.Args) + `}`)
	}
	return b
}

// Answer is the answer to a command.
type Answer struct {
	// Status is the HTTP status.
	Status int
	OK     bool
	ID     string
	// Code, Message and Delivered are those of the error.
	Code      protocol.Code
	Message   string
	Delivered protocol.Delivered
	// Data is the result's data as it came; nil after an error.
	Data jsontext.Value
	// At is when the answer was complete.
	At time.Time
	// Response is the whole answer.
	Response Response
}

// Command sends a command with that token and reads its answer. The error is
// the network's, ctx's, or says that the answer is none.
func (a *Agent) Command(ctx context.Context, token string, spec CommandSpec) (Answer, error) {
	with := *a
	with.Token = token
	resp, err := with.Send(ctx, Post("/command", string(spec.Body())))
	if err != nil {
		return Answer{Status: resp.Status, Response: resp}, err
	}
	return ParseAnswer(resp)
}

// ParseAnswer reads the answer to a command, or the refusal, that resp holds.
func ParseAnswer(resp Response) (Answer, error) {
	ans := Answer{Status: resp.Status, At: resp.DoneAt, Response: resp}
	var body struct {
		ID    string         `json:"id"`
		OK    *bool          `json:"ok"`
		Data  jsontext.Value `json:"data"`
		Error *struct {
			Code      protocol.Code      `json:"code"`
			Message   string             `json:"message"`
			Delivered protocol.Delivered `json:"delivered"`
		} `json:"error"`
	}
	if err := json.Unmarshal(resp.Body, &body, jsontext.AllowInvalidUTF8(true)); err != nil {
		return ans, fmt.Errorf("the answer with status %d is no JSON of a command: %w", resp.Status, err)
	}
	if body.OK == nil || *body.OK == (body.Error != nil) {
		return ans, fmt.Errorf("the answer with status %d says neither ok nor what failed", resp.Status)
	}
	ans.ID, ans.OK, ans.Data = body.ID, *body.OK, body.Data
	if e := body.Error; e != nil {
		ans.Code, ans.Message, ans.Delivered = e.Code, e.Message, e.Delivered
	}
	return ans, nil
}
