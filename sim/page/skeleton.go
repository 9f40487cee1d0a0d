package page

import (
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

type control struct{}
type styled struct{}
type position struct{ x, y float64 }
type references struct{ given int }

const srcdoc = "about:srcdoc"

func (d *document) style()                    {}
func (d *document) focusable(*html.Node) bool { return false }
func (d *document) reveal(*html.Node)         {}
func (d *document) asksBeforeUnload() bool    { return false }
func (c *call) resources(d *document)         {}
func (c *call) loaded(d *document)            {}

var onMadeUp = map[string]func(c *call, b *tab) (any, error){}
var onPage map[string]func(c *call, b *tab) (any, error)

func init() {
	onPage = map[string]func(c *call, b *tab) (any, error){
		"back":    func(c *call, b *tab) (any, error) { return c.move(b, -1) },
		"forward": func(c *call, b *tab) (any, error) { return c.move(b, 1) },
		"reload":  func(c *call, b *tab) (any, error) { return c.move(b, 0) },
		"dialog":  (*call).answerDialog,
		"network": (*call).network, "console": (*call).console, "cookies": (*call).cookies, "downloads": (*call).downloads,
		"presets": (*call).setRules, "headers": (*call).setRules,
		"snapshot": func(c *call, b *tab) (any, error) {
			d := b.doc()
			return map[string]any{"text": "- text " + oneLine(rawText(d.root)), "nodes": 1, "truncated": false, "url": b.url(), "title": b.title()}, nil
		},
		"click": func(c *call, b *tab) (any, error) {
			d := b.doc()
			want := strings.TrimPrefix(c.text("selector"), "#")
			n := d.find(func(n *html.Node) bool { return attr(n, "id") == want })
			if n == nil {
				return nil, fail(protocol.NotActionable, "nothing matches it")
			}
			c.t.effect(b, "click", n.Data, "")
			if is(n, atom.A) {
				c.next = append(c.next, get(b, resolve(d.base, attr(n, "href"))))
			}
			return struct{}{}, nil
		},
	}
	_ = context.Canceled
}
