package protocol

import (
	"github.com/go-json-experiment/json/jsontext"
)

// Action is one thing that an agent may ask a browser to do. Its JSON Schemas
// stand in schema/action/NAME.json and are the source of the daemon's checks,
// of the SDK's types and of PROTOCOL.md.
type Action struct {
	// Name is the action's name on the wire.
	Name string
	// Aliases are the names of the field that mean the same.
	Aliases []string
	// Summary says in one sentence what the action does.
	Summary string
	// Reserved actions run outside the session queue on slots of their own
	// (CMD-08, LIMIT-03).
	Reserved bool
	// Binds is false for the actions that never bind a session to a browser:
	// sessions, status, tabs and close_session.
	Binds bool
	// ChromeOnly actions need the Chrome extension (ROUTE-09).
	ChromeOnly bool
	// Internal actions are the daemon's own and not offered to agents.
	Internal bool

	args, data, linkArgs, linkData *schema
}

// CheckArgs reports what is wrong with the arguments that an agent sent, and
// where: an unknown name, a missing one, a wrong type, a relative path.
func (a *Action) CheckArgs(args jsontext.Value) error { return a.args.check(args) }

// CheckData reports what is wrong with the data of a result on the link.
func (a *Action) CheckData(data jsontext.Value) error { return a.linkData.check(data) }
