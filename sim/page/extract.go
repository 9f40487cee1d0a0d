package page

import (
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// item is one element that was read.
type item struct {
	Ref     string `json:"ref,omitempty"`
	Content string `json:"content"`
}

func (c *call) extract(b *tab) (any, error) {
	items := []item{}
	format := c.text("format")
	refs := protocol.StringsArg(c.args, "refs")
	for _, given := range refs {
		number, _ := referenceOf(given)
		e, err := c.t.hold(c.session).refs.find(number, b)
		if err != nil {
			return nil, err
		}
		items = append(items, item{given, e.content(format)})
	}
	switch css := c.text("selector"); {
	case css != "":
		if number, ok := referenceOf(css); ok {
			e, err := c.t.hold(c.session).refs.find(number, b)
			if err != nil {
				return nil, err
			}
			items = append(items, item{css, e.content(format)})
			break
		}
		all, err := c.query(b, css)
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			items = append(items, item{"", e.content(format)})
		}
	case len(refs) == 0:
		d := b.addressed()
		items = append(items, item{"", element{d, d.body()}.content(format)})
	}
	return map[string]any{"items": items}, nil
}

// content is what an element holds as text, Markdown or HTML. A password never
// stands in it: values are no content.
func (e element) content(format string) string {
	switch format {
	case "html":
		return outerHTML(e.n)
	case "markdown":
		return e.markdown()
	}
	if textField(e.n) && kind(e.n) != "password" {
		return e.d.value(e.n)
	}
	return e.d.innerText(e.n)
}

// markdown is the Markdown of what a person sees of an element.
func (e element) markdown() string {
	copied := e.d.visibleCopy(e.n)
	if copied == nil {
		return ""
	}
	to := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	md, err := to.ConvertString(outerHTML(copied))
	if err != nil {
		return e.d.innerText(e.n)
	}
	return strings.TrimSpace(md)
}

// visibleCopy is a copy of n without what nobody sees, its links absolute.
func (d *document) visibleCopy(n *html.Node) *html.Node {
	if n.Type == html.CommentNode || (n.Type == html.ElementNode && (d.undisplayed(n) != "" || is(n, atom.Script, atom.Style))) {
		return nil
	}
	copied := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace}
	for _, a := range n.Attr {
		if (a.Key == "href" || a.Key == "src") && a.Namespace == "" {
			if to := resolve(d.base, a.Val); to != "" {
				a.Val = to
			}
		}
		copied.Attr = append(copied.Attr, a)
	}
	for _, c := range d.children(n) {
		if below := d.visibleCopy(c); below != nil {
			copied.AppendChild(below)
		}
	}
	return copied
}
