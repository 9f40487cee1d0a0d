package record

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// owner finds whose command a frame is: the one with the same arguments, else
// the oldest of its session and action that has not gone out yet. asked says
// that it is an extension's.
func (s *survey) owner(d *protocol.CommandFrame, c *command) (id string, asked bool) {
	s.waiting = slices.DeleteFunc(s.waiting, func(w *sender) bool { return w.taken || w.over() })
	var found *sender
	for _, w := range s.waiting {
		if w.command.Session != d.Session || w.command.Action.Name != d.Action {
			continue
		}
		if same := bytes.Equal(traveling(w.command.Args), traveling(d.Args)); same || found == nil {
			if found = w; same {
				break
			}
		}
	}
	if found == nil {
		return "", false
	}
	found.taken = true
	if found.call != nil {
		found.call.sent = c
	}
	return found.id, found.asked
}

// sender is somebody's command that has not gone out.
type sender struct {
	id      string
	command *protocol.Command
	asked   bool
	taken   bool
	call    *call
	// over reports whether it was answered.
	over func() bool
}

// traveling are the arguments that a frame has as the agent wrote them: paths
// stay behind and files may become bytes.
func traveling(args jsontext.Value) jsontext.Value {
	return protocol.WithoutArg(protocol.WithoutArg(args, "path"), "files")
}

func (s *survey) askOf(wire string) *ask {
	for _, a := range s.asks {
		// Without an id of its own it has a random one, in the order of the asks.
		if !a.done && (a.wire == wire || a.wire == "") {
			a.done = true
			return a
		}
	}
	return nil
}
