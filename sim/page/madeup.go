package page

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"path"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// onMadeUp are the actions on a page that no Site serves: it takes every one of
// them, whatever they are about, since it has no DOM. It is for those who test the
// wire and need no page; it costs nothing until somebody acts on it.
var onMadeUp map[string]func(c *call, b *tab) (any, error)

func init() {
	onMadeUp = map[string]func(c *call, b *tab) (any, error){
		"back":     func(c *call, b *tab) (any, error) { return c.move(b, -1) },
		"forward":  func(c *call, b *tab) (any, error) { return c.move(b, 1) },
		"reload":   func(c *call, b *tab) (any, error) { return c.move(b, 0) },
		"snapshot": func(_ *call, b *tab) (any, error) { return b.madeUpSnapshot(), nil },
		"select":   (*call).madeUpSelect,
		"check": func(c *call, b *tab) (any, error) {
			return map[string]any{"checked": !c.has("checked") || c.flag("checked")}, nil
		},
		"scroll": (*call).madeUpScroll,
		"upload": (*call).madeUpUpload,
		"dialog": func(*call, *tab) (any, error) {
			return dialogShown{Type: "alert"}, nil
		},
		"evaluate":   (*call).madeUpValue,
		"frame":      (*call).madeUpFrame,
		"wait":       (*call).madeUpWait,
		"extract":    (*call).madeUpItems,
		"screenshot": (*call).madeUpPicture,
		"pdf":        func(*call, *tab) (any, error) { return content{emptyPDF(), map[string]any{"pages": 1}}, nil },
		"network":    (*call).network,
		"console":    (*call).console,
		"presets":    (*call).setRules,
		"headers":    (*call).setRules,
		"cookies":    func(*call, *tab) (any, error) { return jsontext.Value(`{"cookies":[]}`), nil },
		"downloads":  func(*call, *tab) (any, error) { return jsontext.Value(`{"downloads":[]}`), nil },
		"cdp":        func(*call, *tab) (any, error) { return jsontext.Value(`{"result":{}}`), nil },
	}
	for _, name := range []string{"click", "dblclick", "hover", "focus", "type", "press", "drag"} {
		onMadeUp[name] = func(c *call, b *tab) (any, error) {
			kind := name
			if name == "type" {
				kind = "input"
			} else if name == "press" {
				kind = "keydown"
			}
			target := c.text("ref") + c.text("selector")
			c.t.effect(b, kind, target, "")
			return jsontext.Value("{}"), nil
		}
	}
}

func (b *tab) madeUpSnapshot() any {
	return snapshotText{
		Text:  "- document \"" + b.title() + "\"\n  - button \"Go\" [ref=e1]\n  - textbox \"Name\" [ref=e2]",
		Nodes: 3, URL: b.url(), Title: b.title(),
	}
}

func (c *call) madeUpSelect(b *tab) (any, error) {
	values, ok := protocol.Arg(c.args, "values")
	if !ok || values.Kind() != '[' {
		values = jsontext.Value("[]")
	}
	c.t.effect(b, "change", c.text("ref")+c.text("selector"), "")
	return jsontext.Value(`{"selected":` + string(values) + `}`), nil
}

func (c *call) madeUpScroll(*tab) (any, error) {
	amount, ok := protocol.Arg(c.args, "amount")
	if !ok {
		amount = jsontext.Value("600")
	}
	return jsontext.Value(`{"scrolled":` + string(amount) + `,"at_boundary":false}`), nil
}

func (c *call) madeUpUpload(*tab) (any, error) {
	raw, _ := protocol.Arg(c.args, "files")
	var all []jsontext.Value
	_ = json.Unmarshal(raw, &all)
	names := []string{}
	for _, v := range all {
		name := ""
		if v.Kind() == '"' {
			_ = json.Unmarshal(v, &name)
			name = path.Base(name)
		} else {
			name, _ = protocol.StringArg(v, "name")
		}
		names = append(names, name)
	}
	return map[string]any{"names": names}, nil
}

// madeUpValue gives back code that is JSON itself, and null for any other.
func (c *call) madeUpValue(*tab) (any, error) {
	code := c.text("code")
	if v := jsontext.Value(code); v.IsValid(jsontext.AllowInvalidUTF8(true)) {
		return valueOf(v), nil
	}
	if v, ok := arithmetic(code); ok {
		return valueOf(jsontext.Value(jsNumber(v))), nil
	}
	return valueOf(nil), nil
}

func (c *call) madeUpFrame(b *tab) (any, error) {
	b.frameName = c.text("frame")
	if b.frameName == "" {
		return jsontext.Value(`{"frame":null}`), nil
	}
	return map[string]any{"frame": b.frameName}, nil
}

// madeUpWait takes as long as ms says; every other condition holds at once.
func (c *call) madeUpWait(*tab) (any, error) {
	ms, _ := c.int64("ms")
	if ms > 0 && !c.pause(time.Duration(ms)*time.Millisecond) {
		return nil, errEnded
	}
	return waited{ms}, nil
}

func (c *call) madeUpItems(b *tab) (any, error) {
	items := []item{}
	for _, ref := range protocol.StringsArg(c.args, "refs") {
		items = append(items, item{ref, "Text of " + ref})
	}
	if len(items) == 0 {
		items = append(items, item{"", b.title()})
	}
	return map[string]any{"items": items}, nil
}

func (c *call) madeUpPicture(*tab) (any, error) {
	fields := pictured{Format: "png", Width: 2, Height: 1}
	if c.text("format") == "jpeg" {
		fields.Format = "jpeg"
	}
	var b bytes.Buffer
	m := image.NewGray(image.Rect(0, 0, 2, 1))
	// Neither encoder fails on an image of that size in memory.
	if fields.Format == "jpeg" {
		_ = jpeg.Encode(&b, m, nil)
	} else {
		_ = png.Encode(&b, m)
	}
	return content{b.Bytes(), fields}, nil
}

// emptyPDF is a PDF with one empty page.
var emptyPDF = sync.OnceValue(func() []byte { return printed("", sheet{width: 9, height: 9, size: 1}, [][]string{nil}) })
