package record

import (
	"bytes"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// The files that a recording names are on somebody's machine, in directories that
// tell who that is. A tape has to play on any: these are there on every Unix, or
// are not.
const (
	existing = "/etc/hosts"
	missing  = "/no-such-directory/"
	scratch  = "/tmp/omw-tape-"
)

// portable returns the arguments of a call with paths that come to the same: a
// path that is taken if it was, one that cannot be written if it could not.
func (c *composer) portable(k *call, args jsontext.Value) jsontext.Value {
	code := protocol.Code("")
	if k.answer != nil {
		if a, err := sim.ParseAnswer(sim.Response{Status: k.answer.Status, Body: k.answer.Body}); err == nil {
			code = a.Code
		}
	}
	if name, ok := protocol.StringArg(args, "path"); ok {
		switch {
		case code == protocol.FileExists:
			return protocol.ReplaceArg(args, "path", quoted(existing))
		case code == protocol.FileError:
			return protocol.ReplaceArg(args, "path", quoted(missing+base(name)))
		case k.command.Action.Name == "screenshot":
			// The frame is the same without it, and nothing is left behind.
			return protocol.WithoutArg(args, "path")
		}
		return protocol.ReplaceArg(args, "path", quoted(scratch+k.id+path.Ext(base(name))))
	}
	files := protocol.StringsArg(args, "files")
	if files == nil {
		return args
	}
	list := []byte{'['}
	for i, name := range files {
		if i > 0 {
			list = append(list, ',')
		}
		if code == protocol.FileError {
			name = missing + base(name)
		} else {
			name = existing
		}
		list = append(list, quoted(name)...)
	}
	return protocol.ReplaceArg(args, "files", append(list, ']'))
}

func base(name string) string {
	return path.Base(strings.ReplaceAll(name, `\`, "/"))
}

func quoted(text string) jsontext.Value {
	b, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	return b
}

// replaced returns body with other args.
func replaced(body []byte, args jsontext.Value) []byte {
	if was, ok := protocol.Arg(body, "args"); !ok || bytes.Equal(was, args) {
		return body
	}
	return protocol.ReplaceArg(body, "args", args)
}
