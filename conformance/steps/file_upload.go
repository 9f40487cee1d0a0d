package steps

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerUploads adds the sentences about uploads:
//
//	Chrome is connected and may not open files
//	the file "cv.pdf" of 1000 bytes
//	the agent sends an upload of "cv.pdf"        of "cv.pdf" and "other.pdf" | of the path "cv.pdf"
//	3 uploads of "a.pdf" that Firefox is working on
//	one of the uploads is answered
//	Firefox has received the name and the bytes of "cv.pdf" | the path of "cv.pdf"
func registerUploads(sc sentences, f *files) {
	sc.Given(`^(Chrome|Firefox) is connected and may not open files$`, f.mayNotOpen)
	sc.When(`^the agent sends an upload of ("[^"]*"(?: and "[^"]*")*)$`, f.upload)
	sc.When(`^the agent sends an upload of the path "([^"]*)"$`, f.uploadPath)
	sc.Given(`^([0-9]+) uploads of "([^"]*)" that (?:Chrome|Firefox) is working on$`, f.holdUploads)
	sc.When(`^one of the uploads is answered$`, f.oneUploadAnswered)
	sc.Then(`^(Chrome|Firefox) has received the (name and the bytes|path) of "([^"]*)"$`, f.hasReceivedFile)
}

func base64Of(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

func (f *files) mayNotOpen(ctx context.Context, name string) error {
	_, err := f.connect(ctx, browserNamed(name), func(c *sim.Config) {
		no := false
		c.FileAccess = &no
	})
	return err
}

func (f *files) fileOf(name, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	path, err := f.path(name)
	if err != nil {
		return err
	}
	// A period that no block has shows a block that is missing or misplaced, and
	// its base64 holds nothing that looks like a command's mark.
	content := make([]byte, n)
	for i := range content {
		content[i] = byte(i % 251)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return err
	}
	f.put[name] = state{content: content}
	return nil
}

// uploadOf returns an upload of files, whose paths are JSON, in a session of
// its own.
func (f *files) uploadOf(paths []string, does behaviour) *command {
	sp := spec{action: "upload", timeout: usualTimeout}
	c := f.newCommand(sp, does)
	c.session = strconv.Quote("upload " + c.mark)
	c.args = fmt.Sprintf(`{"selector":"#%s","files":[%s]}`, c.mark, strings.Join(paths, ","))
	return c
}

func (f *files) paths(names string) ([]string, error) {
	var paths []string
	for _, q := range quotedText.FindAllString(names, -1) {
		path, err := f.path(strings.Trim(q, `"`))
		if err != nil {
			return nil, err
		}
		paths = append(paths, strconv.Quote(path))
	}
	return paths, nil
}

func (f *files) upload(ctx context.Context, names string) error {
	paths, err := f.paths(names)
	if err != nil {
		return err
	}
	_, err = f.send(ctx, f.uploadOf(paths, behaviour{}))
	return err
}

func (f *files) uploadPath(ctx context.Context, path string) error {
	_, err := f.send(ctx, f.uploadOf([]string{strconv.Quote(path)}, behaviour{}))
	return err
}

func (f *files) holdUploads(ctx context.Context, count, name string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	paths, err := f.paths(strconv.Quote(name))
	if err != nil {
		return err
	}
	for range n {
		c := f.uploadOf(paths, behaviour{kind: worksOn})
		if err := f.hold(ctx, c); err != nil {
			return err
		}
		f.uploads = append(f.uploads, c)
	}
	return nil
}

func (f *files) oneUploadAnswered(ctx context.Context) error {
	c := f.uploads[0]
	got, by, err := f.received(ctx, c)
	if err != nil {
		return err
	}
	if !by.Release(got, sim.Default()) || !f.reached(ctx, c.done) {
		return fmt.Errorf("%s was not answered", c)
	}
	return nil
}

func (f *files) hasReceivedFile(ctx context.Context, _, what, name string) error {
	c, err := f.one(ctx)
	if err != nil {
		return err
	}
	got, _, err := f.received(ctx, c)
	if err != nil {
		return err
	}
	list, _ := protocol.Arg(got.Args, "files")
	path, err := f.path(name)
	if err != nil {
		return err
	}
	if what == "path" {
		if string(list) != "["+strconv.Quote(path)+"]" {
			return f.w.Fail("path", "the extension received files %.200s; want the path", list)
		}
		return nil
	}
	var sent []struct {
		Name   string `json:"name"`
		Base64 []byte `json:"base64"`
	}
	if err := json.Unmarshal(list, &sent, jsontext.AllowInvalidUTF8(true)); err != nil || len(sent) != 1 {
		return f.w.Fail("bytes", "the extension received files %.200s; want one with a name and bytes", list)
	}
	if sent[0].Name != name || !bytes.Equal(sent[0].Base64, f.put[name].content) {
		return f.w.Fail("bytes", "the extension received %q with %d bytes, which is not the file", sent[0].Name, len(sent[0].Base64))
	}
	return nil
}
