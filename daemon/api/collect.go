package api

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/artifact"
	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// result is a command's result on its way to the caller.
type result struct {
	handler *Handler
	call    *browser.Call
	action  *protocol.Action
	data    jsontext.Value
	// large is set when data names an artifact in place of the bytes.
	large    bool
	artifact protocol.Artifact
}

// collect turns the data of a result into the data of the answer: an artifact is
// read, a picture or a PDF that has a path is written there. Free gives back the
// room in the buffer that this took.
func (h *Handler) collect(f files, a *protocol.Action, call *browser.Call, data jsontext.Value) (_ jsontext.Value, free func(), err error) {
	r := result{handler: h, call: call, action: a, data: data}
	r.artifact, r.large = protocol.ArtifactOf(data)
	free = func() {}
	if r.large {
		defer r.done()
	}
	switch {
	case r.isPDF() && r.large && r.artifact.Bytes > h.limits.PDF:
		err = r.failed(protocol.TooLarge, fmt.Sprintf("the PDF has %d bytes, and %d are the most; print fewer pages", r.artifact.Bytes, h.limits.PDF))
	case f.path != "":
		data, err = r.publish(f.path)
	case r.large:
		data, free, err = r.inline()
	case r.isPicture() && !r.has("base64"):
		err = browser.Broken("the picture is not there")
	}
	return data, free, err
}

func (r *result) isPDF() bool { return r.action.Name == "pdf" }

func (r *result) isPicture() bool { return r.action.Name == "screenshot" }

func (r *result) has(name string) bool {
	_, ok := protocol.Arg(r.data, name)
	return ok
}

// failed returns the definite error of a command that ran, but whose result did
// not reach the caller.
func (r *result) failed(code protocol.Code, message string) error {
	return &protocol.Error{Code: code, Message: message, Delivered: protocol.DeliveredUnknown}
}

// publish writes the bytes of a picture or a PDF to path, never over anything
// (FILE-02), and returns the data that names the file instead.
func (r *result) publish(path string) (jsontext.Value, error) {
	file, err := artifact.Create(path, r.handler.limits)
	if err != nil {
		return nil, ran(err)
	}
	defer file.Discard()
	n, err := r.copyTo(file)
	if err != nil {
		return nil, ran(err)
	}
	if err := file.Publish(); err != nil {
		return nil, ran(err)
	}
	data := r.data
	for _, name := range []string{"base64", "artifact", "bytes"} {
		data = protocol.WithoutArg(data, name)
	}
	data = protocol.ReplaceArg(data, "path", asJSON(file.Path()))
	return protocol.ReplaceArg(data, "bytes", strconv.AppendInt(nil, n, 10)), nil
}

// ran says of a file's error that the command itself was delivered.
func ran(err error) error {
	e := *protocol.AsError(err)
	if e.Delivered == protocol.DeliveredNo {
		e.Delivered = protocol.DeliveredUnknown
	}
	return &e
}

// copyTo writes the bytes of the picture or PDF, from the message or from the
// artifact, and returns how many they were.
func (r *result) copyTo(w io.Writer) (int64, error) {
	if r.large {
		return r.artifact.Bytes, r.read(w)
	}
	text, _ := protocol.StringArg(r.data, "base64")
	n, err := io.Copy(w, base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if _, ofFile := errors.AsType[*protocol.Error](err); ofFile {
		return n, err
	}
	if err != nil || n == 0 {
		return n, browser.Broken("its base64 is empty or none")
	}
	return n, nil
}

// inline reads an artifact into the answer. For a picture the bytes stand there
// in base64; for anything else they are the data.
func (r *result) inline() (jsontext.Value, func(), error) {
	h, n := r.handler, r.artifact.Bytes
	if !h.buffer.Take(n) {
		return nil, func() {}, browser.Overflow()
	}
	free := func() { h.buffer.Free(n) }
	var content bytes.Buffer
	if err := r.read(&content); err != nil {
		free()
		return nil, func() {}, err
	}
	if r.isPicture() {
		data := protocol.WithoutArg(protocol.WithoutArg(r.data, "artifact"), "bytes")
		text := make([]byte, 0, base64.StdEncoding.EncodedLen(content.Len())+2)
		text = append(base64.StdEncoding.AppendEncode(append(text, '"'), content.Bytes()), '"')
		return protocol.ReplaceArg(data, "base64", text), free, nil
	}
	data := jsontext.Value(content.Bytes())
	if err := protocol.CheckJSON(data); err != nil {
		free()
		return nil, func() {}, browser.Broken("the artifact is no good JSON: " + err.Error())
	}
	if err := r.action.CheckAnswer(data); err != nil {
		free()
		return nil, func() {}, browser.Broken("the artifact: " + err.Error())
	}
	return data, free, nil
}
