package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// envelope is the body of POST /command but for the time that is left, which
// is written when the transport sends it: making and proving a connection has
// then been paid for.
type envelope struct {
	head  []byte
	until time.Time
}

// newEnvelope returns the body of a command whose time at the daemon ends then.
func newEnvelope(cmd Command, until time.Time) (*envelope, error) {
	args, err := encode(cmd.Args)
	if err != nil {
		return nil, protocol.Errorf(protocol.BadRequest, "the arguments cannot be written as JSON: %s", err)
	}
	if err := checkText(cmd); err != nil {
		return nil, err
	}
	head, err := encode(struct {
		Action  string           `json:"action"`
		Args    json.RawMessage  `json:"args,omitempty"`
		Session string           `json:"session,omitempty"`
		Browser protocol.Browser `json:"browser,omitempty"`
		ID      string           `json:"id,omitempty"`
	}{cmd.Action, args, cmd.Session, cmd.Browser, cmd.ID})
	if err != nil {
		return nil, protocol.Errorf(protocol.BadRequest, "the command cannot be written as JSON: %s", err)
	}
	head = append(head[:len(head)-1], `,"timeout_ms":`...)
	return &envelope{head, until}, nil
}

// size is how many bytes the body has.
func (e *envelope) size() int64 { return int64(len(e.head) + tailSize) }

// open returns a reader of the body.
func (e *envelope) open() io.Reader {
	return io.MultiReader(bytes.NewReader(e.head), &tail{until: e.until})
}

// tailSize is the room for the number of timeout_ms, which blanks fill up, and
// the brace behind it.
const tailSize = len("120000}")

// tail is the end of an envelope. It is made when it is read.
type tail struct {
	until time.Time
	rest  *strings.Reader
}

// Read implements io.Reader.
func (t *tail) Read(p []byte) (int, error) {
	if t.rest == nil {
		// Rounded up, so that a whole number that was asked is what is sent.
		left := time.Until(t.until) + time.Millisecond - 1
		t.rest = strings.NewReader(fmt.Sprintf("%*d}", tailSize-1, max(left.Milliseconds(), 1)))
	}
	return t.rest.Read(p)
}

// encode returns v as JSON; nothing for nil.
func encode(v any) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}
