package page

import (
	"context"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// downloads are the files that the browser saved. It writes none: they are named.
type downloads struct {
	next int64
	all  []*download
}

// download is common.json's download. It is complete as soon as it begins.
type download struct {
	ID       int64  `json:"id"`
	URL      string `json:"url"`
	Filename string `json:"filename"`
	State    string `json:"state"`
	Received int    `json:"received"`
	Total    int    `json:"total"`
	Tab      int64  `json:"tab"`
	Session  string `json:"session,omitempty"`
	body     []byte
	waited   bool
}

// asDownload makes a download of an answer that is none to show, or that a link
// says is one.
func (c *call) asDownload(b *tab, got Response, name string) (*download, bool) {
	kind, _, _ := mime.ParseMediaType(got.Header.Get("Content-Type"))
	disposition, params, _ := mime.ParseMediaType(got.Header.Get("Content-Disposition"))
	attached := disposition == "attachment"
	if !attached && name == "" && shows(kind) {
		return nil, false
	}
	if file := params["filename"]; file != "" {
		name = file
	}
	if name = path.Base(strings.ReplaceAll(name, `\`, "/")); name == "." || name == "/" {
		if name = path.Base(parsed(got.URL).Path); name == "." || name == "/" {
			name = "download"
		}
	}
	d := &c.t.files
	d.next++
	file := &download{
		ID: d.next, URL: got.URL, Filename: "/downloads/" + name, State: "complete", Received: len(got.Body), Total: len(got.Body),
		Tab: b.id, Session: b.session, body: got.Body,
	}
	d.all = append(d.all, file)
	c.t.effect(b, "download", got.URL, name)
	return file, true
}

// shows reports whether a browser shows that media type in a tab.
func shows(kind string) bool {
	switch kind {
	case "", "application/json", "application/xml", "application/xhtml+xml", "application/pdf", "application/javascript":
		return true
	}
	return strings.HasPrefix(kind, "text/") && kind != "text/csv" || strings.HasPrefix(kind, "image/")
}

// fetchDownload saves what a link with a download attribute names.
func (c *call) fetchDownload(b *tab, raw, name string) {
	got, err := c.fetch(b, "other", Request{Method: http.MethodGet, URL: withoutFragment(raw)})
	if err != nil || b.closed {
		return
	}
	if name == "" {
		name = path.Base(parsed(got.URL).Path)
	}
	c.asDownload(b, got, name)
}

func (c *call) downloads(b *tab) (any, error) {
	d := &c.t.files
	filter := c.text("filter")
	mine := func(f *download) bool {
		return f.Session == c.session && (filter == "" || matches(filter, f.URL)) && (!c.has("tab") || f.Tab == b.id)
	}
	id, named := c.int64("id")
	switch c.text("cmd") {
	case "cancel":
		for _, f := range d.all {
			if f.ID == id && f.Session == c.session {
				return downloadsData(f), nil
			}
		}
		return nil, fail(protocol.NotFound, "there is no download of that id")
	case "wait":
		return c.waitDownload(b, func(f *download) bool {
			if named {
				return f.ID == id && f.Session == c.session
			}
			return mine(f) && f.Tab == b.id && !f.waited
		})
	}
	found := []*download{}
	for _, f := range d.all {
		if mine(f) {
			found = append(found, f)
		}
	}
	if limit, ok := c.int64("limit"); ok && int64(len(found)) > limit {
		found = found[int64(len(found))-limit:]
	}
	return downloadsData(found...), nil
}

func downloadsData(found ...*download) any {
	if found == nil {
		found = []*download{}
	}
	return map[string]any{"downloads": found}
}

// waitDownload waits for a download that ok takes.
func (c *call) waitDownload(b *tab, ok func(*download) bool) (any, error) {
	var found *download
	err := c.until(b, func() bool {
		for _, f := range c.t.files.all {
			if ok(f) {
				found = f
				return true
			}
		}
		return false
	})
	if err == context.DeadlineExceeded {
		return nil, fail(protocol.NotFound, "no such download came in the time that there was")
	}
	if err != nil {
		return nil, err
	}
	found.waited = true
	return downloadsData(found), nil
}
