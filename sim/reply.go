package sim

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Respond decides what comes of a command that was started. It runs on the
// command's own goroutine and may wait; ctx ends at the extension's own
// deadline, when the session is closed and when the link ends, and what it
// returns then is dropped.
type Respond func(ctx context.Context, s Start) Reply

// Reply is what comes of a command. The zero Reply is Default.
type Reply struct {
	kind    replyKind
	data    jsontext.Value
	bytes   []byte
	failure *protocol.Error
	wait    time.Duration
	then    *Reply
}

type replyKind int

const (
	replyDefault replyKind = iota
	replyData
	replyEncoded
	replyArtifact
	replyFail
	replyHold
	replyAfter
	replyFrame
)

// Default is what the simulated pages make of the command.
func Default() Reply { return Reply{} }

// Data succeeds with data, a JSON object. Data larger than the extension's
// Inline limit travels as an artifact, as it would from a browser.
func Data(data string) Reply { return Reply{kind: replyData, data: jsontext.Value(data)} }

// Encoded succeeds with a picture or a PDF: data with content as its base64 and
// the members of fields, a JSON object, beside it. It travels as Data does.
func Encoded(content []byte, fields string) Reply {
	return Reply{kind: replyEncoded, bytes: content, data: jsontext.Value(fields)}
}

// Artifact succeeds with data that names an artifact of these bytes whatever
// their number, and holds the members of fields, a JSON object, beside it. No
// limit of the action is applied.
func Artifact(content []byte, fields string) Reply {
	return Reply{kind: replyArtifact, bytes: content, data: jsontext.Value(fields)}
}

// Fail fails with a code and a message.
func Fail(code protocol.Code, message string) Reply {
	return Reply{kind: replyFail, failure: &protocol.Error{Code: code, Message: message}}
}

// Hold waits for Browser.Release, at most until the extension's own deadline.
func Hold() Reply { return Reply{kind: replyHold} }

// After waits, then replies with r: a command that takes that long.
func After(wait time.Duration, r Reply) Reply { return Reply{kind: replyAfter, wait: wait, then: &r} }

// Frame sends these bytes as the message that answers the command, whatever
// they are.
func Frame(message string) Reply { return Reply{kind: replyFrame, bytes: []byte(message)} }
