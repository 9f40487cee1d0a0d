package protocol

import (
	"github.com/go-json-experiment/json/jsontext"
)

// Action is one thing that an agent may ask a browser to do. Its JSON Schemas
// stand in schema/action/NAME.json and are the source of the daemon's checks,
// of the SDK's types and of PROTOCOL.md. Actions are made once and must not be
// changed.
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
	// sessions, status, tabs, close_session and the internal ones.
	Binds bool
	// ChromeOnly actions need the Chrome extension (ROUTE-09).
	ChromeOnly bool
	// Internal actions are the daemon's own and not offered to agents.
	Internal bool

	args, data, linkArgs, linkData *schema
	// largeData is what may stand on the link in the place of linkData; nil
	// where linkData says so itself.
	largeData *schema
	arguments []Argument
}

// CheckArgs reports what is wrong with the arguments that an agent sent, and
// where: an unknown name, a missing one, a wrong type, a relative path.
func (a *Action) CheckArgs(args jsontext.Value) error { return a.args.check("args", args) }

// CheckLinkArgs reports what is wrong with the arguments of a command frame:
// pictures and PDFs have no path there, uploads may have bytes.
func (a *Action) CheckLinkArgs(args jsontext.Value) error { return a.linkArgs.check("args", args) }

// CheckData reports what is wrong with the data of a result on the link.
// Members that it does not know pass, since newer peers may add some. Data too
// large for a message may be an artifact in its place. Data must be good JSON,
// as those of a decoded frame are: they are not parsed again.
func (a *Action) CheckData(data jsontext.Value) error {
	err := a.linkData.checkGood("data", data)
	if err != nil && a.largeData != nil && a.largeData.checkGood("data", data) == nil {
		return nil
	}
	return err
}

// CheckAnswer reports what is wrong with the data of an answer to an agent,
// which must be good JSON.
func (a *Action) CheckAnswer(data jsontext.Value) error { return a.data.checkGood("data", data) }
