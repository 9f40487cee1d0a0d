package sim

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Start is a command that a Browser received or started.
type Start struct {
	// Seq counts from 1: the receipts in Received, the starts in Starts.
	Seq int
	// At is when it was received, or started.
	At time.Time
	// Conn is the number of the connection that it came on, from 1.
	Conn int
	// ID is the daemon's id on the link, not the agent's.
	ID      string
	Session string
	Action  string
	// Args is a JSON object.
	Args jsontext.Value
	// DeadlineMS is what the frame said, in milliseconds left at its receipt.
	DeadlineMS int64
}

// Match picks commands. Nil picks all.
type Match func(Start) bool

func (m Match) picks(s Start) bool { return m == nil || m(s) }

// ByAction picks the commands of the named actions.
func ByAction(names ...string) Match {
	return func(s Start) bool {
		for _, n := range names {
			if n == s.Action {
				return true
			}
		}
		return false
	}
}

// BySession picks the commands of a session.
func BySession(name string) Match { return func(s Start) bool { return s.Session == name } }

// ByArg picks the commands whose argument of that name is the string value.
func ByArg(name, value string) Match {
	return func(s Start) bool {
		v, ok := protocol.StringArg(s.Args, name)
		return ok && v == value
	}
}

// ByArgs picks the commands whose arguments are, byte for byte, that object.
func ByArgs(args string) Match { return func(s Start) bool { return string(s.Args) == args } }

// ByID picks the command with the daemon's id.
func ByID(id string) Match { return func(s Start) bool { return s.ID == id } }

// AllOf picks what every one of ms picks.
func AllOf(ms ...Match) Match {
	return func(s Start) bool {
		for _, m := range ms {
			if !m.picks(s) {
				return false
			}
		}
		return true
	}
}
