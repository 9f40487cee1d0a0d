package watch

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Asked is a request of the client that is watched, as it was read.
type Asked struct {
	// Seq is a number that no other request has.
	Seq int
	// At is when it had been read.
	At time.Time
	// Method and Target are as they stand in the request line.
	Method, Target string
	Header         http.Header
	Body           []byte
}

// Answered is what came of a request.
type Answered struct {
	Seq int
	At  time.Time
	// Status is the HTTP status; 0 means that the client got no answer, because
	// the connection ended or because it hung up.
	Status int
	Header http.Header
	Body   []byte
}

// command is what a request to /command asks for. What a client sends may break
// every rule, so it is read leniently.
type command struct {
	seq     int
	at      time.Time
	id      string
	session string
	action  string
	// same is what two requests have in common that ask for the same: session,
	// action and arguments, whatever the order and the spelling of the JSON.
	same string
	// harmless is true for an action that changes nothing, however often it runs.
	harmless bool
}

// looks reports whether the command tells what stands in the page, so that who
// has its answer may decide anew about an uncertain one. Code that is evaluated
// may look, and may do anything else as well.
func (c command) looks() bool { return c.harmless || c.action == "evaluate" }

// commandOf reads the request to /command; false if it is none.
func commandOf(a Asked) (command, bool) {
	path, _, _ := strings.Cut(a.Target, "?")
	if a.Method != http.MethodPost || path != "/command" {
		return command{}, false
	}
	var body struct {
		ID      string          `json:"id"`
		Session string          `json:"session"`
		Action  string          `json:"action"`
		Args    json.RawMessage `json:"args"`
	}
	if err := json.Unmarshal(a.Body, &body); err != nil {
		return command{}, false
	}
	if body.Session == "" {
		body.Session = protocol.DefaultSession
	}
	action := body.Action
	if known, ok := protocol.LookupAction(action); ok {
		action = known.Name
	}
	same := strings.Join([]string{body.Session, action, canonical(body.Args)}, "\x00")
	return command{seq: a.Seq, at: a.At, id: body.ID, session: body.Session, action: action, same: same, harmless: harmless(action, body.Args)}, true
}

// canonical returns JSON in one spelling: members sorted, no blanks.
func canonical(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "{}"
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return string(raw)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(text)
}

// harmless reports whether an action looks at the page, or at what the browser
// kept of it, and leaves it as it is.
func harmless(action string, args json.RawMessage) bool {
	switch action {
	case "snapshot", "extract", "screenshot", "pdf", "tabs", "sessions", "status", "wait":
		return true
	case "network", "console", "cookies", "downloads", "presets", "headers":
		var sub struct {
			Cmd string `json:"cmd"`
		}
		_ = json.Unmarshal(args, &sub)
		return sub.Cmd == "list" || sub.Cmd == "get" || sub.Cmd == "body" || sub.Cmd == "wait"
	}
	return false
}

// told is what an answer tells the client.
type told struct {
	ok        bool
	code      string
	delivered string
	// after is what Retry-After says, 0 if nothing.
	after time.Duration
	// none is true without an answer.
	none bool
}

func toldBy(a Answered) told {
	if a.Status == 0 {
		return told{none: true}
	}
	var body struct {
		OK    bool `json:"ok"`
		Error struct {
			Code      string `json:"code"`
			Delivered string `json:"delivered"`
		} `json:"error"`
	}
	_ = json.Unmarshal(a.Body, &body)
	v := told{ok: body.OK, code: body.Error.Code, delivered: body.Error.Delivered}
	if n, err := strconv.Atoi(a.Header.Get("Retry-After")); err == nil && n > 0 {
		v.after = time.Duration(n) * time.Second
	}
	return v
}

// uncertain reports whether the command may have run and may not.
func (v told) uncertain() bool {
	return v.none || v.code == string(protocol.OutcomeUnknown) && v.delivered != string(protocol.DeliveredNo)
}
