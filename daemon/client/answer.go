package client

import (
	"encoding/json"
	"net/http"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Answer is the daemon's answer to a command.
type Answer struct {
	// ID is the command's id; empty if the daemon never saw the command.
	ID string
	// Data is a JSON object, byte for byte as it came. It is nil with an error.
	Data json.RawMessage
}

// wireError is an error as it stands in an answer.
type wireError struct {
	Code      protocol.Code      `json:"code"`
	Message   string             `json:"message"`
	Delivered protocol.Delivered `json:"delivered"`
}

// decodeAnswer reads the answer to a command with that id, if it had one. What
// cannot be understood leaves open what happened.
func decodeAnswer(res *http.Response, body []byte, id string) (Answer, error) {
	if res.StatusCode != http.StatusOK {
		return Answer{ID: id}, decodeRefusal(res, body)
	}
	var a struct {
		ID    string          `json:"id"`
		OK    *bool           `json:"ok"`
		Data  json.RawMessage `json:"data"`
		Error *wireError      `json:"error"`
	}
	switch err := json.Unmarshal(body, &a); {
	case err != nil:
		return Answer{ID: id}, unknown("the answer is no JSON of omw")
	case id != "" && a.ID != id:
		return Answer{ID: id}, unknown("the answer is for another command")
	case a.OK == nil, *a.OK && (len(a.Data) == 0 || a.Data[0] != '{'), !*a.OK && a.Error == nil:
		return Answer{ID: a.ID}, unknown("the answer says neither what came of it nor what failed")
	case *a.OK:
		return Answer{ID: a.ID, Data: a.Data}, nil
	}
	return Answer{ID: a.ID}, a.Error.known()
}

// decodeRefusal reads the answer of the gate, which has touched no browser. A
// status without a refusal that fits it came from somewhere else.
func decodeRefusal(res *http.Response, body []byte) error {
	var a struct {
		Error *wireError `json:"error"`
	}
	if json.Unmarshal(body, &a) != nil || a.Error == nil || a.Error.Code.Status() != res.StatusCode {
		return unknown("the answer has the HTTP status %d and no error of omw", res.StatusCode)
	}
	return a.Error.known()
}

// known returns the error. A code outside the closed list cannot be told to be
// definite.
func (e *wireError) known() error {
	if !e.Code.Known() {
		return unknown("the daemon says %.40q, which is no code of %s: %s", e.Code, protocol.Version, e.Message)
	}
	return &protocol.Error{Code: e.Code, Message: e.Message, Delivered: e.Delivered}
}
