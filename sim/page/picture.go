package page

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/font"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// The view of a tab, in CSS pixels; a device pixel is one of them. Text stands in
// lines of one height, in glyphs of one width.
const (
	viewWidth  = 1280
	viewHeight = 720
	inset      = 8
	glyph      = 8
	lineHeight = 16
	columns    = (viewWidth - 2*inset) / glyph
	// pictureHeight is where a picture of the whole page is cut.
	pictureHeight = 16384
)

// pictured is the data of screenshot beside the bytes.
type pictured struct {
	Format    string `json:"format"`
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	Truncated bool   `json:"truncated,omitzero"`
}

func (c *call) screenshot(b *tab) (any, error) {
	d := b.doc()
	fields := pictured{Format: "png", Width: viewWidth, Height: viewHeight}
	text, _ := d.screen(d.root, columns)
	top := int(d.scroll[nil].y)
	switch {
	case c.has("ref") || c.has("selector"):
		e, err := c.readyElement(b, "", wants{})
		if err != nil {
			return nil, err
		}
		e.d.reveal(e.n)
		text, _ = e.d.screen(e.n, columns)
		fields.Width, fields.Height, top = 2*inset+glyph*longest(text), 2*inset+lineHeight*len(text), 0
	case c.flag("full_page"):
		fields.Height, top = pageHeight(text), 0
	}
	if fields.Height > pictureHeight {
		fields.Height, fields.Truncated = pictureHeight, true
	}
	quality := 80
	if q, ok := c.int64("quality"); ok {
		quality = max(1, int(q))
	}
	if c.text("format") == "jpeg" {
		fields.Format = "jpeg"
	}
	made := content{fields: fields}
	var err error
	// Nothing of the tab is looked at any more: it need not wait for the pixels.
	c.outside(func() { made.bytes, err = encoded(paint(text, fields, top), fields.Format, quality) })
	if err != nil {
		return nil, fail(protocol.Internal, "the picture could not be written")
	}
	return made, nil
}

func encoded(m image.Image, format string, quality int) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if format == "jpeg" {
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m)
	}
	return b.Bytes(), err
}

func longest(text []string) int {
	most := 1
	for _, line := range text {
		most = max(most, len([]rune(line)))
	}
	return most
}

func pageHeight(text []string) int { return max(viewHeight, 2*inset+lineHeight*len(text)) }

// paint draws the lines that are in view, black on white.
func paint(text []string, size pictured, top int) image.Image {
	m := image.NewPaletted(image.Rect(0, 0, size.Width, size.Height), color.Palette{color.White, color.Black})
	face := inconsolata.Regular8x16
	pen := font.Drawer{Dst: m, Src: image.NewUniform(color.Black), Face: face}
	for i, line := range text {
		y := inset + lineHeight*i - top
		if y < -lineHeight || y > size.Height {
			continue
		}
		pen.Dot = fixed.P(inset, y+face.Ascent)
		pen.DrawString(line)
	}
	return m
}
