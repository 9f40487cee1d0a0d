package sim

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// artifacts are the results of one link that are too large for a message.
type artifacts struct {
	mu   sync.Mutex
	n    int
	over bool
	by   map[string]*artifact
}

type artifact struct {
	content []byte
	free    *time.Timer
}

// artifactPart is the largest part that one artifact_read gets, in bytes.
const artifactPart = 1 << 20

func (a *artifacts) init() { a.by = map[string]*artifact{} }

// keep holds content until end, the deadline of its command, and names it.
func (a *artifacts) keep(content []byte, end time.Time) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n++
	id := fmt.Sprintf("artifact-%d", a.n)
	if !a.over {
		a.by[id] = &artifact{content: content, free: time.AfterFunc(time.Until(end), func() { a.close(id) })}
	}
	return id
}

func (a *artifacts) close(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	held, ok := a.by[id]
	if ok {
		held.free.Stop()
		delete(a.by, id)
	}
	return ok
}

func (a *artifacts) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	for _, held := range a.by {
		held.free.Stop()
	}
	clear(a.by)
}

func (a *artifacts) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.by)
}

// Artifacts returns how many artifacts the present connection holds.
func (b *Browser) Artifacts() int {
	if l := b.current(); l != nil {
		return l.artifacts.count()
	}
	return 0
}

// serve answers artifact_read and artifact_close.
func (a *artifacts) serve(s Start) Reply {
	id, _ := protocol.StringArg(s.Args, "artifact")
	a.mu.Lock()
	held, ok := a.by[id]
	a.mu.Unlock()
	if !ok {
		return Fail(protocol.NotFound, "no artifact of that name is held; one is freed at its command's deadline")
	}
	if s.Action == "artifact_close" {
		a.close(id)
		return Data("{}")
	}
	offset, okOffset := intArg(s.Args, "offset")
	length, okLength := intArg(s.Args, "length")
	size := int64(len(held.content))
	if !okOffset || !okLength || offset < 0 || offset > size || length < 1 || length > artifactPart {
		return Fail(protocol.BadRequest, "offset or length is outside of the artifact or of a part")
	}
	part := held.content[offset:min(size, offset+length)]
	data := append([]byte(`{"base64":"`), make([]byte, base64.StdEncoding.EncodedLen(len(part)))...)
	base64.StdEncoding.Encode(data[len(`{"base64":"`):], part)
	return Reply{kind: replyData, data: append(data, `"}`...)}
}

func intArg(args jsontext.Value, name string) (int64, bool) {
	v, ok := protocol.Arg(args, name)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil
}
