package page

import (
	"math"

	"golang.org/x/net/html"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// position is how far a document is scrolled, in CSS pixels.
type position struct{ x, y float64 }

// turn is how far a scroll goes without an amount: what a browser's page key does.
const turn = 0.875 * viewHeight

// scrolled is the data of scroll.
type scrolled struct {
	Scrolled   float64 `json:"scrolled"`
	AtBoundary bool    `json:"at_boundary"`
}

// scrollBy performs the action scroll. An element has no scroll box of its own here:
// it is the page that moves.
func (c *call) scrollBy(b *tab) (any, error) {
	if c.has("to") {
		e, err := c.readyElement(b, "to", wants{})
		if err != nil {
			return nil, err
		}
		before := e.d.scroll[nil].y
		e.d.reveal(e.n)
		now := e.d.scroll[nil].y
		c.effect(e.d, "scroll", e.n, "")
		return scrolled{math.Abs(now - before), now == 0 || now == e.d.scrollHeight()}, nil
	}
	d := b.addressed()
	if c.has("ref") || c.has("selector") {
		e, err := c.readyElement(b, "", wants{})
		if err != nil {
			return nil, err
		}
		d = e.d
	}
	amount, ok := c.number("amount")
	if !ok {
		amount = turn
	}
	before := d.scroll[nil]
	now, most := before, d.scrollHeight()
	switch c.text("direction") {
	case "down":
		now.y = min(most, before.y+amount)
	case "up":
		now.y = max(0, before.y-amount)
	case "left", "right":
		// Lines are broken, so that nothing is beside the view.
		return scrolled{0, true}, nil
	default:
		return nil, fail(protocol.BadRequest, "scroll goes up, down, left or right")
	}
	d.scroll[nil] = now
	if now != before {
		c.effect(d, "scroll", d.body(), c.text("direction"))
	}
	edge := now.y == most
	if c.text("direction") == "up" {
		edge = now.y == 0
	}
	return scrolled{math.Abs(now.y - before.y), edge}, nil
}

// scrollHeight is how far down a document can be scrolled.
func (d *document) scrollHeight() float64 {
	text, _ := d.screen(d.root, columns)
	return float64(pageHeight(text) - viewHeight)
}

// reveal brings an element into view.
func (d *document) reveal(n *html.Node) {
	if d.small() {
		return
	}
	text, marks := d.screen(d.root, columns)
	at, ok := marks[n]
	if !ok {
		return
	}
	y := float64(inset + lineHeight*at)
	now := d.scroll[nil]
	if y >= now.y && y+lineHeight <= now.y+viewHeight {
		return
	}
	now.y = max(0, min(float64(pageHeight(text)-viewHeight), y-viewHeight/2))
	d.scroll[nil] = now
}

// small reports whether a document is surely no longer than its view, so that
// nothing has to be measured.
func (d *document) small() bool {
	length := 0
	for n := range d.root.Descendants() {
		length++
		if n.Type == html.TextNode {
			length += len(n.Data) / columns
		}
		if length > 40 {
			return false
		}
	}
	return len(d.frames) == 0
}
