package protocol

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Command is one command of an agent, decoded and found good.
type Command struct {
	// Action is what is asked. An alias has been replaced by its action.
	Action *Action
	// Args is a JSON object as the agent wrote it, a slice of the decoded
	// bytes; "{}" if it wrote none.
	Args jsontext.Value
	// Session is never empty.
	Session string
	// Browser is empty if the agent named none.
	Browser Browser
	// ID is empty if the agent named none (CMD-02).
	ID string
	// Timeout is within the limits (CMD-09, CMD-10).
	Timeout time.Duration
}

// DecodeCommand decodes and checks the body of POST /command. Its errors are
// of type *Error, code bad_request, and say what is wrong and where (CMD-14).
func DecodeCommand(body []byte, l Limits) (Command, error) {
	return decodeCommand(body, l, "the body", nil)
}

// decodeCommand is shared with the request frame of the extension, whose
// further member is "type".
func decodeCommand(b []byte, l Limits, what string, also func(name string) bool) (Command, error) {
	c := Command{Args: jsontext.Value("{}"), Session: DefaultSession, Timeout: l.DefaultTimeout}
	if err := strict(b, l.Depth); err != nil {
		return c, Errorf(BadRequest, "%s is no good JSON: %s", what, err)
	}
	var inField error
	err := fromAgent.walk(b, func(name []byte, v jsontext.Value) error {
		if also != nil && also(string(name)) {
			return nil
		}
		if err := c.set(string(name), v, l); err != nil {
			inField = err
		}
		return inField
	})
	switch {
	case inField != nil:
		return c, Errorf(BadRequest, "%s", inField)
	case err != nil:
		return c, Errorf(BadRequest, "%s is no good JSON: %s", what, err)
	case c.Action == nil:
		return c, Errorf(BadRequest, `"action" is missing; it names what to do, such as "navigate"`)
	}
	if err := c.Action.CheckArgs(c.Args); err != nil {
		return c, Errorf(BadRequest, "%s: %s", c.Action.Name, err)
	}
	return c, nil
}

func (c *Command) set(name string, v jsontext.Value, l Limits) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s %w", quoteShort(name), err)
		}
	}()
	switch name {
	case "action":
		s, err := text(v)
		if err != nil {
			return err
		}
		a, ok := LookupAction(s)
		if !ok || a.Internal {
			return fmt.Errorf("is %s, which is no action; the actions are %s", quoteShort(s), strings.Join(publicNames(), ", "))
		}
		c.Action = a
	case "args":
		c.Args = v
		return object(v)
	case "session":
		if c.Session, err = text(v); err == nil {
			err = CheckSession(c.Session, l)
		}
		return err
	case "browser":
		s, err := text(v)
		if err != nil {
			return err
		}
		b, ok := parseBrowser(s)
		if !ok {
			return fmt.Errorf(`must be "chrome" or "firefox", not %s`, quoteShort(s))
		}
		c.Browser = b
	case "id":
		if c.ID, err = text(v); err == nil {
			err = CheckID(c.ID, l)
		}
		return err
	case "timeout_ms":
		n, err := integer(v)
		most := l.MaxTimeout.Milliseconds()
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("must be a whole number from 1 to %d, the longest timeout", most)
		}
		c.Timeout = time.Duration(n) * time.Millisecond
	default:
		return fmt.Errorf("is no field of a command; the fields are action, args, session, browser, id, timeout_ms")
	}
	return nil
}

// quoteShort quotes what somebody sent, cut so that an error stays readable.
func quoteShort(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return fmt.Sprintf("%q", s)
}
