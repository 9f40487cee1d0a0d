package api

import (
	"encoding/base64"
	"io"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// piece is how many bytes of an artifact are read at a time.
const piece = 1 << 20

// read reads the artifact whole, within the command's deadline, by commands of
// the daemon's own, which wait in no queue and hold no slot. An artifact that
// has fewer or more bytes than its result said is an error: nobody could tell
// which of them are meant. Nothing is allocated for what was said alone.
func (r *result) read(w io.Writer) error {
	said := r.artifact.Bytes
	for at, ended := int64(0), false; !ended; {
		// One byte past the end is asked for too, to see that there is none.
		ask := min(piece, said-at+1)
		b, err := r.pieceAt(at, ask)
		if err != nil {
			return err
		}
		n := int64(len(b))
		at += n
		ended = n == 0 || (at == said && n < ask)
		switch {
		case at > said || n > ask:
			return browser.Broken("its artifact has more bytes than it says")
		case ended && (at < said || at == 0):
			return browser.Broken("its artifact is empty or has fewer bytes than it says")
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func (r *result) pieceAt(offset, length int64) ([]byte, error) {
	call, err := r.call.Link().Admit(own("artifact_read"), r.call.Session(), r.call.Deadline())
	if err != nil {
		return nil, browser.Lost()
	}
	defer call.Free()
	call.Send(asJSON(map[string]any{"artifact": r.artifact.ID, "offset": offset, "length": length}))
	data, failed := call.Wait()
	if failed != nil {
		// Whatever the code is, it is that of the reading: the command itself ran.
		return nil, protocol.Unknown(protocol.DeliveredUnknown, "the command ran, but its result could not be read: %s", failed.Message)
	}
	text, _ := protocol.StringArg(data, "base64")
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, browser.Broken("a piece of its artifact is no base64")
	}
	return b, nil
}

// done tells the extension that its artifact may go. Where no reserved slot is
// free it goes at the deadline.
func (r *result) done() {
	call, err := r.call.Link().Admit(own("artifact_close"), r.call.Session(), r.call.Deadline())
	if err != nil {
		return
	}
	call.Notify(asJSON(map[string]any{"artifact": r.artifact.ID}))
}

// own returns an action of the daemon's own.
func own(name string) *protocol.Action {
	a, ok := protocol.LookupAction(name)
	if !ok {
		panic("api: no action " + name)
	}
	return a
}
