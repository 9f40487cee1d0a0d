package protocol

import (
	"errors"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Artifact is what a result's data names in the place of bytes too many for
// one message. The daemon reads it with artifact_read and ends it with
// artifact_close.
type Artifact struct {
	// ID is the extension's name for it.
	ID string
	// Bytes is how long it is.
	Bytes int64
}

// artifactData is how long data that names an artifact may be, so that large
// data need not be searched for one.
const artifactData = 4 << 10

// ArtifactOf returns the artifact that data, good by CheckData, names.
func ArtifactOf(data jsontext.Value) (Artifact, bool) {
	if len(data) > artifactData {
		return Artifact{}, false
	}
	id, ok := StringArg(data, "artifact")
	if !ok {
		return Artifact{}, false
	}
	bytes, ok := Arg(data, "bytes")
	if !ok {
		return Artifact{}, false
	}
	n, ok := wholeNumber(string(bytes))
	return Artifact{id, n}, ok && n >= 0
}

// CheckJSON reports why b, the bytes of an artifact that are to be data, are no
// good JSON. They are held to what a frame is held to.
func CheckJSON(b []byte) error {
	if !utf8.Valid(b) {
		return errors.New("it is not valid UTF-8")
	}
	r := fromPage.open(b)
	defer r.close()
	if _, err := r.dec.ReadValue(); err != nil {
		return syntax(err)
	}
	return r.end()
}
