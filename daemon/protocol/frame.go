package protocol

import (
	"errors"
	"fmt"

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

// DecodeFrame decodes one text message of the link, in either direction.
// Unknown types and fields are ignored, for newer peers. An error means that
// the link is to be closed with 1008 and that reason; a result that breaks its
// schema is no error but a Result with Bad set, since it concerns its own
// command alone. Values in the frame are slices of msg.
func DecodeFrame(msg []byte) (Frame, error) {
	m := make(members, 0, 8)
	err := walk(msg, func(name string, v jsontext.Value) error {
		m = append(m, member{name, v})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("a frame is no good JSON: %w", err)
	}
	kind, err := text(m.get("type"))
	if err != nil {
		return nil, errors.New(`a frame has no "type"`)
	}
	switch kind {
	case "hello":
		return decodeHello(m)
	case "welcome":
		return decodeWelcome(m)
	case "command":
		return decodeCommandFrame(m)
	case "result":
		return decodeResult(m), nil
	case "request":
		id, _ := text(m.get("id"))
		return &Request{ID: id, Raw: msg}, nil
	case "event":
		name, err := text(m.get("event"))
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

type member struct {
	name  string
	value jsontext.Value
}

type members []member

// get returns the value of the named member, or null.
func (m members) get(name string) jsontext.Value {
	for i := range m {
		if m[i].name == name {
			return m[i].value
		}
	}
	return jsontext.Value("null")
}

func decodeHello(m members) (Frame, error) {
	h := &Hello{}
	name, err := text(m.get("browser"))
	if err != nil {
		return nil, fmt.Errorf(`hello: "browser" %w`, err)
	}
	h.Browser = Browser(name)
	if h.BrowserVersion, err = text(m.get("browser_version")); err != nil {
		return nil, fmt.Errorf(`hello: "browser_version" %w`, err)
	}
	if h.ExtensionVersion, err = optionalText(m.get("extension_version")); err != nil {
		return nil, fmt.Errorf(`hello: "extension_version" %w`, err)
	}
	if h.Sessions, err = texts(m.get("sessions")); err != nil {
		return nil, fmt.Errorf(`hello: "sessions" %w`, err)
	}
	if v := m.get("file_access"); v.Kind() != 'n' {
		if h.FileAccess, err = boolean(v); err != nil {
			return nil, fmt.Errorf(`hello: "file_access" %w`, err)
		}
	}
	return h, nil
}

func decodeWelcome(m members) (Frame, error) {
	w := &Welcome{Limits: m.get("limits")}
	var err error
	if w.DaemonVersion, err = text(m.get("daemon_version")); err != nil {
		return nil, fmt.Errorf(`welcome: "daemon_version" %w`, err)
	}
	if w.Limits.Kind() != '{' {
		return nil, errors.New(`welcome: "limits" must be an object`)
	}
	return w, nil
}

func decodeCommandFrame(m members) (Frame, error) {
	c := &CommandFrame{Args: m.get("args")}
	var err error
	if c.ID, err = text(m.get("id")); err != nil {
		return nil, fmt.Errorf(`command: "id" %w`, err)
	}
	if c.Session, err = text(m.get("session")); err != nil {
		return nil, fmt.Errorf(`command: "session" %w`, err)
	}
	if c.Action, err = text(m.get("action")); err != nil {
		return nil, fmt.Errorf(`command: "action" %w`, err)
	}
	if c.Args.Kind() != '{' {
		return nil, errors.New(`command: "args" must be an object`)
	}
	if c.DeadlineMS, err = integer(m.get("deadline_ms")); err != nil {
		return nil, fmt.Errorf(`command: "deadline_ms" %w`, err)
	}
	return c, nil
}

func decodeResult(m members) *Result {
	r := &Result{}
	var err error
	if r.ID, err = text(m.get("id")); err != nil {
		r.Bad = fmt.Errorf(`"id" %w`, err)
		return r
	}
	if r.OK, err = boolean(m.get("ok")); err != nil {
		r.Bad = fmt.Errorf(`"ok" %w`, err)
		return r
	}
	data, failure := m.get("data"), m.get("error")
	switch {
	case r.OK && failure.Kind() != 'n':
		r.Bad = errors.New(`"ok" is true and "error" is there too`)
	case r.OK && data.Kind() != '{':
		r.Bad = fmt.Errorf(`"data" must be an object, not %s`, kindName(data.Kind()))
	case r.OK:
		r.Data = data
	default:
		r.Error, r.Bad = decodeError(failure)
	}
	return r
}

func decodeError(v jsontext.Value) (*Error, error) {
	if v.Kind() != '{' {
		return nil, fmt.Errorf(`"error" must be an object, not %s`, kindName(v.Kind()))
	}
	var code, message, delivered string
	err := walk(v, func(name string, v jsontext.Value) (err error) {
		switch name {
		case "code":
			code, err = text(v)
		case "message":
			message, err = lossyText(v)
		case "delivered":
			delivered, err = text(v)
		}
		if err != nil {
			return fmt.Errorf(`"error.%s" %w`, name, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !Code(code).Known() {
		return nil, fmt.Errorf(`"error.code" is %s, which is not of the closed list`, quoteShort(code))
	}
	return &Error{Code: Code(code), Message: message, Delivered: Delivered(delivered)}, nil
}

// lossyText is text for what people read: a lone surrogate becomes U+FFFD.
func lossyText(v jsontext.Value) (string, error) {
	if v.Kind() != '"' {
		return text(v)
	}
	s, _ := jsontext.AppendUnquote(nil, v)
	return string(s), nil
}

func optionalText(v jsontext.Value) (string, error) {
	if v.Kind() == 'n' {
		return "", nil
	}
	return text(v)
}
