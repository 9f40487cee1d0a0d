package protocol

import "github.com/go-json-experiment/json/jsontext"

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
