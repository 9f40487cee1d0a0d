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
	case replyEncoded:
		res.Data, res.Error = l.fitEncoded(t, r.bytes, r.data)
	default:
		res.Data, res.Error = l.fit(t, r.data)
	}
	return res.AppendTo(nil)
}

// fit returns data as it travels: whole, or as an artifact when it is large.
func (l *link) fit(t *task, data jsontext.Value) (jsontext.Value, *protocol.Error) {
	if int64(len(data)) <= l.b.profile.Limits.Inline || internal[t.start.Action] {
		return data, nil
	}
	if text, ok := protocol.StringArg(data, "base64"); ok && jobs[t.start.Action] {
		content, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return data, nil // It is as wrong as whoever replied wanted it.
		}
		return l.fitEncoded(t, content, protocol.WithoutArg(data, "base64"))
	}
	return l.asArtifact(t, data, nil), nil
}

// fitEncoded is fit for a picture or a PDF, whose artifact is its own bytes. A
// PDF above its limit is refused before anything is sent.
func (l *link) fitEncoded(t *task, content []byte, fields jsontext.Value) (jsontext.Value, *protocol.Error) {
	if most := protocol.DefaultLimits().PDF; t.start.Action == "pdf" && int64(len(content)) > most {
		return nil, &protocol.Error{Code: protocol.TooLarge, Message: "the PDF has more than " + strconv.FormatInt(most, 10) + " bytes"}
	}
	if len(fields) == 0 {
		fields = jsontext.Value("{}")
	}
	empty := protocol.ReplaceArg(fields, "base64", jsontext.Value(`""`))
	if int64(len(empty)+base64.StdEncoding.EncodedLen(len(content))) > l.b.profile.Limits.Inline {
		return l.asArtifact(t, content, fields), nil
	}
	quoted := strconv.Quote(base64.StdEncoding.EncodeToString(content))
	return protocol.ReplaceArg(fields, "base64", jsontext.Value(quoted)), nil
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
