package sim

import (
	"encoding/base64"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// frameOf returns the frame that answers t with r.
func (l *link) frameOf(t *task, r Reply) []byte {
	res := protocol.Result{ID: t.start.ID, OK: true}
	switch r.kind {
	case replyFrame:
		return r.bytes
	case replyFail:
		res.OK, res.Error = false, r.failure
	case replyArtifact:
		res.Data = l.asArtifact(t, r.bytes, r.data)
	default:
		res.Data, res.Error = l.fit(t, r.data)
	}
	return res.AppendTo(nil)
}

// fit returns data as it travels: whole, or as an artifact when it is large. A
// PDF above its limit is refused before it is sent.
func (l *link) fit(t *task, data jsontext.Value) (jsontext.Value, *protocol.Error) {
	if int64(len(data)) <= l.b.profile.Limits.Inline {
		return data, nil
	}
	content := []byte(data)
	fields := jsontext.Value("{}")
	if jobs[t.start.Action] {
		text, _ := protocol.StringArg(data, "base64")
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || text == "" {
			return data, nil
		}
		if most := protocol.DefaultLimits().PDF; t.start.Action == "pdf" && int64(len(raw)) > most {
			return nil, &protocol.Error{Code: protocol.TooLarge, Message: "the PDF has more than " + strconv.FormatInt(most, 10) + " bytes"}
		}
		content, fields = raw, protocol.WithoutArg(data, "base64")
	}
	return l.asArtifact(t, content, fields), nil
}

// asArtifact holds content until the command's deadline and returns the data
// that names it, beside fields.
func (l *link) asArtifact(t *task, content []byte, fields jsontext.Value) jsontext.Value {
	if len(fields) == 0 {
		fields = jsontext.Value("{}")
	}
	id := l.artifacts.keep(content, t.end)
	fields = protocol.ReplaceArg(fields, "artifact", jsontext.Value(strconv.Quote(id)))
	return protocol.ReplaceArg(fields, "bytes", jsontext.Value(strconv.Itoa(len(content))))
}
