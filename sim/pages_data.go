package sim

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"path"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// onPage are the actions whose data say more than {}.
var onPage = map[string]func(c *call, t *page) Reply{
	"back":       func(_ *call, t *page) Reply { return t.move(-1) },
	"forward":    func(_ *call, t *page) Reply { return t.move(1) },
	"reload":     func(_ *call, t *page) Reply { return t.move(0) },
	"snapshot":   func(_ *call, t *page) Reply { return t.snapshot() },
	"select":     (*call).choose,
	"check":      (*call).check,
	"scroll":     (*call).scroll,
	"upload":     (*call).upload,
	"dialog":     func(*call, *page) Reply { return Data(`{"type":"alert","message":""}`) },
	"evaluate":   (*call).evaluate,
	"frame":      (*call).frame,
	"wait":       (*call).wait,
	"extract":    (*call).extract,
	"screenshot": (*call).screenshot,
	"pdf":        func(*call, *page) Reply { return Encoded(pdf, `{"pages":1}`) },
	"network":    (*call).network,
	"console":    (*call).console,
	"presets":    func(c *call, t *page) Reply { return c.rules(t, "presets") },
	"headers":    func(c *call, t *page) Reply { return c.rules(t, "headers") },
	"cookies":    func(*call, *page) Reply { return Data(`{"cookies":[]}`) },
	"downloads":  func(*call, *page) Reply { return Data(`{"downloads":[]}`) },
	"cdp":        func(*call, *page) Reply { return Data(`{"result":{}}`) },
}

func (t *page) move(by int) Reply {
	if at := t.at + by; at >= 0 && at < len(t.history) {
		t.at = at
	}
	return object(map[string]any{"tab": t.id, "url": t.url(), "title": t.title()})
}

func (t *page) snapshot() Reply {
	return object(map[string]any{
		"text":  "- document \"" + t.title() + "\"\n  - button \"Go\" [ref=e1]\n  - textbox \"Name\" [ref=e2]",
		"nodes": 3, "truncated": false, "url": t.url(), "title": t.title(),
	})
}

func (c *call) choose(*page) Reply {
	values, ok := protocol.Arg(c.args, "values")
	if !ok || values.Kind() != '[' {
		values = jsontext.Value("[]")
	}
	return Data(`{"selected":` + string(values) + `}`)
}

func (c *call) check(*page) Reply {
	if v, ok := protocol.Arg(c.args, "checked"); ok && string(v) == "false" {
		return Data(`{"checked":false}`)
	}
	return Data(`{"checked":true}`)
}

func (c *call) scroll(*page) Reply {
	amount, ok := protocol.Arg(c.args, "amount")
	if !ok {
		amount = jsontext.Value("600")
	}
	return Data(`{"scrolled":` + string(amount) + `,"at_boundary":false}`)
}

func (c *call) upload(*page) Reply {
	names := protocol.StringsArg(c.args, "files")
	for i := range names {
		names[i] = path.Base(names[i])
	}
	if files, ok := protocol.Arg(c.args, "files"); ok && names == nil {
		for file := range elements(files) {
			name, _ := protocol.StringArg(file, "name")
			names = append(names, name)
		}
	}
	return object(map[string]any{"names": append([]string{}, names...)})
}

// evaluate gives back code that is JSON itself, and null for any other.
func (c *call) evaluate(*page) Reply {
	code, _ := protocol.StringArg(c.args, "code")
	if v := jsontext.Value(code); v.IsValid(jsontext.AllowInvalidUTF8(true)) {
		return Data(`{"value":` + code + `}`)
	}
	return Data(`{"value":null}`)
}

func (c *call) frame(*page) Reply {
	h := c.p.hold(c.session)
	h.frame, _ = protocol.StringArg(c.args, "frame")
	if h.frame == "" {
		return Data(`{"frame":null}`)
	}
	return object(map[string]any{"frame": h.frame})
}

// wait takes as long as ms says; every other condition holds at once.
func (c *call) wait(*page) Reply {
	ms, _ := intArg(c.args, "ms")
	done := object(map[string]any{"waited_ms": ms})
	if ms == 0 {
		return done
	}
	return After(time.Duration(ms)*time.Millisecond, done)
}

func (c *call) extract(t *page) Reply {
	type item struct {
		Ref     string `json:"ref,omitempty"`
		Content string `json:"content"`
	}
	items := []item{}
	for _, ref := range protocol.StringsArg(c.args, "refs") {
		items = append(items, item{ref, "Text of " + ref})
	}
	if len(items) == 0 {
		items = append(items, item{"", t.title()})
	}
	return object(map[string]any{"items": items})
}

func (c *call) network(*page) Reply {
	switch cmd, _ := protocol.StringArg(c.args, "cmd"); cmd {
	case "list":
		return Data(`{"entries":[],"next":0}`)
	case "body":
		return Fail(protocol.NotFound, "there is no entry of that id")
	}
	return Data("{}")
}

func (c *call) console(*page) Reply {
	if cmd, _ := protocol.StringArg(c.args, "cmd"); cmd == "list" {
		return Data(`{"records":[],"next":0}`)
	}
	return Data("{}")
}

func (c *call) rules(t *page, what string) Reply {
	switch cmd, _ := protocol.StringArg(c.args, "cmd"); cmd {
	case "set":
		rules, _ := protocol.Arg(c.args, "rules")
		t.rules[what] = string(rules)
	case "clear":
		delete(t.rules, what)
	}
	if rules := t.rules[what]; rules != "" {
		return Data(`{"rules":` + rules + `}`)
	}
	return Data(`{"rules":[]}`)
}

func (c *call) screenshot(*page) Reply {
	if format, _ := protocol.StringArg(c.args, "format"); format == "jpeg" {
		return Encoded(picture(func(b *bytes.Buffer, m image.Image) error { return jpeg.Encode(b, m, nil) }),
			`{"format":"jpeg","width":2,"height":1}`)
	}
	return Encoded(picture(func(b *bytes.Buffer, m image.Image) error { return png.Encode(b, m) }),
		`{"format":"png","width":2,"height":1}`)
}

func picture(encode func(*bytes.Buffer, image.Image) error) []byte {
	var b bytes.Buffer
	// Neither encoder fails on an image of that size in memory.
	_ = encode(&b, image.NewGray(image.Rect(0, 0, 2, 1)))
	return b.Bytes()
}

// pdf is a PDF with one empty page.
var pdf = []byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n" +
	"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n" +
	"trailer<</Root 1 0 R>>\n%%EOF\n")

// elements yields the elements of an array.
func elements(array jsontext.Value) func(yield func(jsontext.Value) bool) {
	return func(yield func(jsontext.Value) bool) {
		dec := jsontext.NewDecoder(bytes.NewReader(array), jsontext.AllowInvalidUTF8(true))
		if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '[' {
			return
		}
		for dec.PeekKind() != ']' {
			v, err := dec.ReadValue()
			if err != nil || !yield(v.Clone()) {
				return
			}
		}
	}
}
