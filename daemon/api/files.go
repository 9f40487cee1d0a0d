package api

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/artifact"
	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// files is what a command has to do with files: the arguments that go out
// instead of the caller's, and where the result is to be written.
type files struct {
	args jsontext.Value
	// path is where a picture or a PDF is written; empty if it is answered.
	path string
	free func()
}

// prepare looks at a command's files before the page is touched (FILE-01 to
// FILE-03): the path of an artifact must be free, and the files of an upload
// must be there. Where the extension needs bytes, they are read here (LIMIT-15).
func (h *Handler) prepare(c protocol.Command, call *browser.Call) (files, error) {
	f := files{args: c.Args, free: func() {}}
	switch c.Action.Name {
	case "screenshot", "pdf":
		path, ok := protocol.StringArg(c.Args, "path")
		if !ok {
			return f, nil
		}
		f.path = path
		f.args = protocol.WithoutArg(c.Args, "path")
		return f, artifact.Check(path, h.limits)
	case "upload":
		paths := protocol.StringsArg(c.Args, "files")
		if l := call.Link(); l.Browser() == protocol.Chrome && l.Hello().FileAccess {
			return f, artifact.CheckFiles(paths)
		}
		ctx, cancel := context.WithDeadlineCause(context.Background(), call.Deadline(), browser.Late())
		defer cancel()
		batch, err := h.uploads.Read(ctx, paths)
		if err != nil {
			return f, err
		}
		f.free = batch.Free
		f.args = protocol.ReplaceArg(c.Args, "files", batch.AppendFiles(nil))
	}
	return f, nil
}
