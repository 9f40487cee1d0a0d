package protocol

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Frame is one message of the WebSocket /extension: *Hello, *Welcome,
// *CommandFrame, *Result, *Request, *Event, Ping, Pong or Unrecognized.
type Frame interface{ frame() }

// Hello is the extension's first frame (ROUTE-03).
type Hello struct {
	Browser          Browser
	BrowserVersion   string
	ExtensionVersion string
	// Sessions are the names of the sessions that the extension holds.
	Sessions []string
	// FileAccess is true if the extension may open files by their path.
	FileAccess bool
}

// Welcome answers a hello.
type Welcome struct {
	DaemonVersion string
	// Limits is a JSON object: the limits that the extension keeps and the ones
	// of the daemon that it must know.
	Limits jsontext.Value
}

// CommandFrame is one command on its way to the extension. Its id is the
// daemon's own, so that a late answer never satisfies a newer command.
type CommandFrame struct {
	ID      string
	Session string
	Action  string
	Args    jsontext.Value
	// DeadlineMS is how many milliseconds are left.
	DeadlineMS int64
}

// Result answers a command frame, or a request frame.
type Result struct {
	ID string
	OK bool
	// Data is an object if OK, a slice of the decoded message.
	Data jsontext.Value
	// Error is set if not OK.
	Error *Error
	// Bad says why the frame breaks its schema; then only ID is of use.
	Bad error
}

// Request is a command that the extension itself sends, with the fields of
// /command (CMD-13). DecodeRequest decodes it.
type Request struct {
	// ID is the request's id if it has one that can be read, so that a refusal
	// can name it.
	ID string
	// Raw is the whole message.
	Raw []byte
}

// Event is something that the extension reports by itself.
type Event struct {
	Name string
	// Raw is the whole message, with the fields of that event.
	Raw []byte
}

// Ping asks for a Pong. A browser's script cannot send RFC 6455 pings.
type Ping struct{}

// Pong answers a Ping.
type Pong struct{}

// Unrecognized is a frame of a type that this version does not know and ignores.
type Unrecognized struct{ Type string }

func (*Hello) frame()        {}
func (*Welcome) frame()      {}
func (*CommandFrame) frame() {}
func (*Result) frame()       {}
func (*Request) frame()      {}
func (*Event) frame()        {}
func (Ping) frame()          {}
func (Pong) frame()          {}
func (Unrecognized) frame()  {}

// ErrNotUTF8 is the error of a text message that is not UTF-8. RFC 6455 wants
// the link closed with 1007 for it.
var ErrNotUTF8 = errors.New("a frame is not valid UTF-8")

// DecodeFrame decodes one text message of the link, in either direction.
// Unknown types and fields are ignored, for newer peers. An error means that
// the link is to be closed with that reason: with 1007 for ErrNotUTF8, else with
// 1008. A result that breaks its schema is no error but a Result with Bad set,
// since it concerns its own command alone. Values in the frame are slices of msg.
func DecodeFrame(msg []byte) (Frame, error) {
	if !utf8.Valid(msg) {
		return nil, ErrNotUTF8
	}
	var m members
	err := fromPage.walk(msg, func(name []byte, v jsontext.Value) error {
		slot := m.slot(name)
		switch {
		case slot == nil:
		case *slot != nil:
			return fmt.Errorf("its %q stands there twice", name)
		default:
			*slot = v
		}
		return nil
	})
	if err != nil {
		if r := tooDeepResult(msg); r != nil {
			return r, nil
		}
		return nil, fmt.Errorf("a frame is no good JSON: %w", err)
	}
	kind, err := text(m.kind)
	if err != nil {
		return nil, errors.New(`a frame has no "type"`)
	}
	switch kind {
	case "hello":
		return decodeHello(&m)
	case "welcome":
		return decodeWelcome(&m)
	case "command":
		return decodeCommandFrame(&m)
	case "result":
		return decodeResult(&m), nil
	case "request":
		id, _ := text(m.id)
		return &Request{ID: id, Raw: msg}, nil
	case "event":
		name, err := text(m.event)
		if err != nil {
			return nil, errors.New(`an event frame has no "event"`)
		}
		return &Event{Name: name, Raw: msg}, nil
	case "ping":
		return Ping{}, nil
	case "pong":
		return Pong{}, nil
	}
	return Unrecognized{kind}, nil
}

// DecodeRequest decodes a request frame as DecodeCommand does a body: the same
// checks, and no file path in its arguments (CMD-13).
func DecodeRequest(msg []byte, l Limits) (Command, error) {
	c, err := decodeCommand(msg, l, "the request", func(name string) bool { return name == "type" })
	if err != nil {
		return c, err
	}
	if name := c.Action.PathArg(c.Args); name != "" {
		return c, Errorf(BadRequest, "%s: %q names a file, which a request on the extension's link must not", c.Action.Name, name)
	}
	return c, nil
}
