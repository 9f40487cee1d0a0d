package artifact

import (
	"os"

	"github.com/oh-my-webbridge/omw/daemon/state"
)

const nonblock = 0

// writable tries: access lists are told by nothing else.
func writable(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	draft, err := state.NewDraft(root)
	if err != nil {
		return err
	}
	draft.Discard()
	return nil
}
