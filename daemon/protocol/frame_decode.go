package protocol

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// members are the members of a frame that some type has; nil if not there.
type members struct {
	kind, id, ok, data, failure                                     jsontext.Value
	session, action, args, deadlineMS, event                        jsontext.Value
	browser, browserVersion, extensionVersion, sessions, fileAccess jsontext.Value
	daemonVersion, limits                                           jsontext.Value
}

// slot returns where the named member belongs; nil for one that no type has.
func (m *members) slot(name []byte) *jsontext.Value {
	switch string(name) {
	case "type":
		return &m.kind
	case "id":
		return &m.id
	case "ok":
		return &m.ok
	case "data":
		return &m.data
	case "error":
		return &m.failure
	case "session":
		return &m.session
	case "action":
		return &m.action
	case "args":
		return &m.args
	case "deadline_ms":
		return &m.deadlineMS
	case "event":
		return &m.event
	case "browser":
		return &m.browser
	case "browser_version":
		return &m.browserVersion
	case "extension_version":
		return &m.extensionVersion
	case "sessions":
		return &m.sessions
	case "file_access":
		return &m.fileAccess
	case "daemon_version":
		return &m.daemonVersion
	case "limits":
		return &m.limits
	}
	return nil
}

func decodeHello(m *members) (Frame, error) {
	h := &Hello{}
	name, err := text(m.browser)
	if err != nil {
		return nil, fmt.Errorf(`hello: "browser" %w`, err)
	}
	h.Browser = Browser(name)
	if h.BrowserVersion, err = text(m.browserVersion); err != nil {
		return nil, fmt.Errorf(`hello: "browser_version" %w`, err)
	}
	if h.ExtensionVersion, err = optionalText(m.extensionVersion); err != nil {
		return nil, fmt.Errorf(`hello: "extension_version" %w`, err)
	}
	if h.Sessions, err = texts(m.sessions); err != nil {
		return nil, fmt.Errorf(`hello: "sessions" %w`, err)
	}
	if v := m.fileAccess; !isAbsent(v) {
		if h.FileAccess, err = boolean(v); err != nil {
			return nil, fmt.Errorf(`hello: "file_access" %w`, err)
		}
	}
	return h, nil
}

func decodeWelcome(m *members) (Frame, error) {
	w := &Welcome{Limits: m.limits}
	var err error
	if w.DaemonVersion, err = text(m.daemonVersion); err != nil {
		return nil, fmt.Errorf(`welcome: "daemon_version" %w`, err)
	}
	if err = object(w.Limits); err != nil {
		return nil, fmt.Errorf(`welcome: "limits" %w`, err)
	}
	return w, nil
}

func decodeCommandFrame(m *members) (Frame, error) {
	c := &CommandFrame{Args: m.args}
	var err error
	if c.ID, err = text(m.id); err != nil {
		return nil, fmt.Errorf(`command: "id" %w`, err)
	}
	if c.Session, err = text(m.session); err != nil {
		return nil, fmt.Errorf(`command: "session" %w`, err)
	}
	if c.Action, err = text(m.action); err != nil {
		return nil, fmt.Errorf(`command: "action" %w`, err)
	}
	if err = object(c.Args); err != nil {
		return nil, fmt.Errorf(`command: "args" %w`, err)
	}
	if c.DeadlineMS, err = integer(m.deadlineMS); err != nil {
		return nil, fmt.Errorf(`command: "deadline_ms" %w`, err)
	}
	return c, nil
}

func decodeResult(m *members) *Result {
	r := &Result{}
	var err error
	if r.ID, err = text(m.id); err != nil {
		r.Bad = fmt.Errorf(`"id" %w`, err)
		return r
	}
	if r.ID == "" {
		r.Bad = errors.New(`"id" must not be empty`)
		return r
	}
	if r.OK, err = boolean(m.ok); err != nil {
		r.Bad = fmt.Errorf(`"ok" %w`, err)
		return r
	}
	switch {
	case r.OK && !isAbsent(m.failure):
		r.Bad = errors.New(`"ok" is true and "error" is there too`)
	case r.OK:
		if err := object(m.data); err != nil {
			r.Bad = fmt.Errorf(`"data" %w`, err)
			return r
		}
		r.Data = m.data
	default:
		r.Error, r.Bad = decodeError(m.failure)
	}
	return r
}

func decodeError(v jsontext.Value) (*Error, error) {
	if err := object(v); err != nil {
		return nil, fmt.Errorf(`"error" %w`, err)
	}
	var code, message, delivered jsontext.Value
	if err := fromPage.walk(v, func(name []byte, v jsontext.Value) error {
		switch string(name) {
		case "code":
			code = v
		case "message":
			message = v
		case "delivered":
			delivered = v
		}
		return nil
	}); err != nil {
		return nil, err
	}
	e := &Error{}
	if s, err := text(code); err != nil {
		return nil, fmt.Errorf(`"error.code" %w`, err)
	} else if e.Code = Code(s); !e.Code.Known() {
		return nil, fmt.Errorf(`"error.code" is %s, which is not of the closed list`, quoteShort(s))
	}
	var err error
	if e.Message, err = lossyText(message); err != nil {
		return nil, fmt.Errorf(`"error.message" %w`, err)
	}
	if !isAbsent(delivered) {
		s, err := text(delivered)
		if e.Delivered = Delivered(s); err != nil || e.Delivered != DeliveredNo && e.Delivered != DeliveredUnknown {
			return nil, errors.New(`"error.delivered" must be "no" or "unknown"`)
		}
	}
	return e, nil
}

// frameDepth is how deep the JSON library lets a frame nest.
const frameDepth = 10_000

// tooDeepResult returns the result that msg is, if all that keeps it from being
// decoded is how deep its data nests: a page decides that, so it must cost that
// page's command and not the link.
func tooDeepResult(msg []byte) *Result {
	if tooDeep(msg, frameDepth) < 0 {
		return nil
	}
	var kind, id jsontext.Value
	whole := skim(msg, func(name []byte, at span) {
		switch string(name) {
		case "type":
			kind = msg[at.value:at.end]
		case "id":
			id = msg[at.value:at.end]
		}
	})
	if s, err := text(kind); !whole || err != nil || s != "result" {
		return nil
	}
	r := &Result{Bad: fmt.Errorf("its JSON nests deeper than %d levels", frameDepth)}
	r.ID, _ = text(id)
	return r
}

// lossyText is text for what people read: a lone surrogate becomes U+FFFD.
func lossyText(v jsontext.Value) (string, error) {
	if len(v) == 0 || v.Kind() != '"' {
		return text(v)
	}
	s, _ := jsontext.AppendUnquote(nil, v)
	return string(s), nil
}

func optionalText(v jsontext.Value) (string, error) {
	if isAbsent(v) {
		return "", nil
	}
	return text(v)
}
