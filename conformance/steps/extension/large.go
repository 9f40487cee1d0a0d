package extension

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// registerLarge adds the sentences about results that are too large for a
// message:
//
//	the daemon sends an evaluate whose data have 4194304 bytes, called A
//	A came whole                                 in one message, its data of those bytes
//	A came as an artifact of 4194305 bytes
//	the daemon reads the artifact of A to its end
//	what it read is the data of A
//	the daemon reads 1048576 bytes at 0 of the artifact of A, called B
//	the daemon ends the artifact of A, called B
func registerLarge(sc Sentences, x *ext) {
	sc.When(`^the daemon sends an evaluate of session (`+words.Quoted+`) whose data have ([0-9]+) bytes, called ([A-Z][0-9]*)$`, x.sendsLarge)
	sc.When(`^the daemon reads ([0-9]+) bytes at ([0-9]+) of the artifact of ([A-Z][0-9]*), called ([A-Z][0-9]*)$`, x.readsPart)
	sc.When(`^the daemon ends the artifact of ([A-Z][0-9]*), called ([A-Z][0-9]*)$`, x.endsArtifact)
	sc.Then(`^([A-Z][0-9]*) came whole, with data of ([0-9]+) bytes$`, x.cameWhole)
	sc.Then(`^([A-Z][0-9]*) came as an artifact of ([0-9]+) bytes$`, x.cameAsArtifact)
	sc.Then(`^the artifact of ([A-Z][0-9]*), read to its end, is its data$`, x.artifactIsData)
	sc.Then(`^([A-Z][0-9]*) brought ([0-9]+) bytes$`, x.brought)
}

// largeValue returns an evaluate's code, and the data that it answers, of n bytes.
func largeValue(n int) (code, data string) {
	const head, tail = `{"value":"`, `"}`
	text := strings.Repeat("x", max(0, n-len(head)-len(tail)))
	return `"` + text + `"`, head + text + tail
}

func (x *ext) sendsLarge(session string, n int, name string) error {
	session, err := words.Session(session)
	if err != nil {
		return err
	}
	s, err := x.link()
	if err != nil {
		return err
	}
	code, data := largeValue(n)
	args, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		return err
	}
	x.send(s, &command{name: name, action: "evaluate", session: session, args: args, left: usualLeft, value: data})
	x.w.Clock.Settle()
	return nil
}

// good returns the answer of a command, which must be ok.
func (x *ext) good(ctx context.Context, name string) (*command, reply, error) {
	o, ok := x.named[name]
	if !ok {
		return nil, reply{}, fmt.Errorf("the daemon has sent no command %s", name)
	}
	if err := x.hasAnswered(ctx, name, "ok", ""); err != nil {
		return nil, reply{}, err
	}
	r, _ := x.replyTo(ctx, o)
	return o, r, nil
}

const sendsArtifacts = "sends data of up to 4 MiB (4194304 bytes) in its message, and larger ones as an artifact: " +
	`{"artifact":"a1","bytes":n}, whose bytes are the JSON text of the data`

func (x *ext) cameWhole(ctx context.Context, name string, n int) error {
	o, r, err := x.good(ctx, name)
	if err != nil {
		return err
	}
	if _, is := protocol.ArtifactOf(r.result.Data); is {
		return x.fail("artifact-early", sendsArtifacts, "%s, whose data have %d bytes, came as an artifact at %s", o, n, x.at(r.at))
	}
	if len(r.result.Data) != n || string(r.result.Data) != o.value {
		return x.fail("data-changed", sendsArtifacts, "%s came with data of %d bytes at %s; want %d, as they were made", o, len(r.result.Data), x.at(r.at), n)
	}
	return nil
}

func (x *ext) cameAsArtifact(ctx context.Context, name string, n int64) error {
	o, r, err := x.good(ctx, name)
	if err != nil {
		return err
	}
	a, is := protocol.ArtifactOf(r.result.Data)
	if !is {
		return x.fail("no-artifact", sendsArtifacts, "%s, whose data have %d bytes, came in one message at %s", o, n, x.at(r.at))
	}
	if a.Bytes != n {
		return x.fail("artifact-bytes", sendsArtifacts, "%s came as an artifact of %d bytes at %s; its data have %d", o, a.Bytes, x.at(r.at), n)
	}
	return nil
}

// artifactOf returns the name of a command's artifact.
func (x *ext) artifactOf(ctx context.Context, name string) (string, *command, error) {
	o, r, err := x.good(ctx, name)
	if err != nil {
		return "", nil, err
	}
	a, is := protocol.ArtifactOf(r.result.Data)
	if !is {
		return "", nil, x.fail("no-artifact", sendsArtifacts, "%s came in one message at %s", o, x.at(r.at))
	}
	return a.ID, o, nil
}

func (x *ext) readsPart(ctx context.Context, length, offset int64, of, name string) error {
	id, o, err := x.artifactOf(ctx, of)
	if err != nil {
		return err
	}
	x.send(o.link, &command{name: name, action: "artifact_read", session: o.session, left: usualLeft, args: partArgs(id, offset, length)})
	x.w.Clock.Settle()
	return nil
}

func partArgs(id string, offset, length int64) jsontext.Value {
	return fmt.Appendf(nil, `{"artifact":%s,"offset":%d,"length":%d}`, strconv.Quote(id), offset, length)
}

func (x *ext) endsArtifact(ctx context.Context, of, name string) error {
	id, o, err := x.artifactOf(ctx, of)
	if err != nil {
		return err
	}
	x.send(o.link, &command{name: name, action: "artifact_close", session: o.session, left: usualLeft, args: fmt.Appendf(nil, `{"artifact":%s}`, strconv.Quote(id))})
	x.w.Clock.Settle()
	return nil
}

// part returns the bytes that an artifact_read brought.
func part(r *protocol.Result) ([]byte, error) {
	text, ok := protocol.StringArg(r.Data, "base64")
	if !ok {
		return nil, fmt.Errorf("it holds no base64: %.100s", r.Data)
	}
	return base64.StdEncoding.DecodeString(text)
}

const partSize = 1 << 20

func (x *ext) artifactIsData(ctx context.Context, of string) error {
	id, o, err := x.artifactOf(ctx, of)
	if err != nil {
		return err
	}
	var all []byte
	for {
		read := command{action: "artifact_read", session: o.session, left: usualLeft, args: partArgs(id, int64(len(all)), partSize)}
		x.send(o.link, &read)
		r, err := x.result(ctx, &read)
		if err != nil {
			return x.fail("part-unanswered", sendsArtifacts, "%s: %s", &read, err)
		}
		if !r.OK {
			return x.fail("part-refused", sendsArtifacts, "%s at byte %d was answered %s: %s", &read, len(all), outcome(r), quote(r))
		}
		p, err := part(r)
		if err != nil {
			return x.fail("part-shape", sendsArtifacts, "%s at byte %d: %s", &read, len(all), err)
		}
		all = append(all, p...)
		if len(p) > partSize || len(all) > len(o.value) {
			return x.fail("part-size", sendsArtifacts, "%s at byte %d brought %d bytes", &read, len(all)-len(p), len(p))
		}
		if len(p) < partSize {
			break
		}
	}
	if !bytes.Equal(all, []byte(o.value)) {
		return x.fail("artifact-content", sendsArtifacts, "the artifact of %s has %d bytes, which are not its data of %d", o, len(all), len(o.value))
	}
	return nil
}

func (x *ext) brought(ctx context.Context, name string, n int) error {
	o, r, err := x.good(ctx, name)
	if err != nil {
		return err
	}
	p, err := part(r.result)
	if err != nil || len(p) != n {
		return x.fail("part-size", sendsArtifacts, "%s brought %d bytes at %s (%v); want %d", o, len(p), x.at(r.at), err, n)
	}
	return nil
}
