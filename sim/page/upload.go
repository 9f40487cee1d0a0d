package page

import (
	"encoding/base64"
	"mime"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/net/html/atom"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// upload puts files into a file input. It may be hidden, as pages like to have it.
func (c *call) upload(b *tab) (any, error) {
	var files []file
	c.outside(func() { files = c.files() })
	if b.closed {
		return nil, fail(protocol.TabGone, "the tab was closed")
	}
	e, err := c.locate(b, "")
	if err != nil {
		return nil, err
	}
	if e.n == nil {
		return nil, fail(protocol.NotActionable, "%s cannot be acted on: nothing matches it", c.text("selector"))
	}
	d, n := e.d, e.n
	if is(n, atom.Label) && d.labeled(n) != nil {
		n = d.labeled(n)
	}
	if !is(n, atom.Input) || kind(n) != "file" {
		return nil, fail(protocol.NotActionable, "%s is no file input", d.describe(n))
	}
	if why := d.disabledWhy(n); why != "" {
		return nil, fail(protocol.NotActionable, "%s cannot be acted on: %s", d.describe(n), why)
	}
	if len(files) > 1 && !has(n, "multiple") {
		return nil, fail(protocol.BadRequest, "%s takes one file, not %d", d.describe(n), len(files))
	}
	d.live(n).files = files
	d.touched = true
	names := []string{}
	for _, f := range files {
		names = append(names, f.name)
	}
	c.effect(d, "upload", n, strings.Join(names, ", "))
	c.effect(d, "input", n, "")
	c.tell(d, n, "input")
	c.effect(d, "change", n, "")
	c.tell(d, n, "change")
	return map[string]any{"names": names}, nil
}

// files are the files of an upload. One that the daemon names by its path is opened
// as a browser would; one that cannot be read is empty, as the daemon has judged
// it before.
func (c *call) files() []file {
	raw, _ := protocol.Arg(c.args, "files")
	var all []jsontext.Value
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil
	}
	var files []file
	for _, v := range all {
		var f file
		if v.Kind() == '"' {
			var name string
			_ = json.Unmarshal(v, &name)
			f.name = path.Base(filepath.ToSlash(name))
			f.body, _ = os.ReadFile(name)
		} else {
			f.name, _ = protocol.StringArg(v, "name")
			coded, _ := protocol.StringArg(v, "base64")
			f.body, _ = base64.StdEncoding.DecodeString(coded)
		}
		f.kind, _, _ = mime.ParseMediaType(mime.TypeByExtension(path.Ext(f.name)))
		if f.kind == "" {
			f.kind = "application/octet-stream"
		}
		files = append(files, f)
	}
	return files
}
