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
// the daemon's own, which wait in no queue and hold no slot.
func (r *result) read(w io.Writer) error {
	for at := int64(0); at < r.artifact.Bytes; {
		b, err := r.pieceAt(at)
		if err != nil {
			return err
		}
		at += int64(len(b))
		if len(b) == 0 || at > r.artifact.Bytes {
			return browser.Broken()
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func (r *result) pieceAt(offset int64) ([]byte, error) {
	call, err := r.call.Link().Admit(actions.read, r.call.Session(), r.call.Deadline())
	if err != nil {
		return nil, browser.Lost()
	}
	defer call.Free()
	call.Send(asJSON(map[string]any{
		"artifact": r.artifact.ID, "offset": offset, "length": min(piece, r.artifact.Bytes-offset),
	}))
	data, failed := call.Wait()
	if failed != nil {
		if failed.Code == protocol.OutcomeUnknown {
			failed.Delivered = protocol.DeliveredUnknown // the command itself was
		}
		return nil, failed
	}
	text, _ := protocol.StringArg(data, "base64")
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, browser.Broken()
	}
	return b, nil
}

// done tells the extension that its artifact may go. Where no reserved slot is
// free it goes at the deadline.
func (r *result) done() {
	call, err := r.call.Link().Admit(actions.close, r.call.Session(), r.call.Deadline())
	if err != nil {
		return
	}
	call.Notify(asJSON(map[string]any{"artifact": r.artifact.ID}))
}

// actions are the daemon's own.
var actions = struct{ read, close *protocol.Action }{own("artifact_read"), own("artifact_close")}

func own(name string) *protocol.Action {
	a, ok := protocol.LookupAction(name)
	if !ok {
		panic("api: no action " + name)
	}
	return a
}
